/** What a pinned trace must have: a way from where requests begin to one node, and there the event that a log line speaks of. */
import type { Run } from "../../run";
import type { Cell, Layout } from "../logs/layout";
import type { TracePlace } from "./id";

export interface Pin {
  /** Nodes from the root to the one of the event, and the calls between them. */
  readonly nodes: readonly number[];
  readonly calls: readonly number[];
  /** The log cell of the event; absent where the request only makes `call`. */
  readonly cell?: Cell;
  readonly k: number;
  /** Call that is made; −1 for none. */
  readonly call: number;
}

/** How a request at a node ends. */
export type Want = "ok" | "error" | "rejected" | "dropped";

const REJECTED: ReadonlySet<string> = new Set(["rejected", "store_rejected", "connections_full"]);
const DROPPED: ReadonlySet<string> = new Set(["dropped", "store_dropped"]);
const FAILED: ReadonlySet<string> = new Set([
  "request_error",
  "request_failed",
  "query_failed",
  "write_failed",
  "message_failed",
]);

/** What the pinned event wants of its node; undefined where it is about a call. */
export function wantedBy(pin: Pin | null): Want | undefined {
  if (!pin?.cell || pin.call >= 0) return undefined;
  const { name } = pin.cell;
  if (REJECTED.has(name)) return "rejected";
  if (DROPPED.has(name)) return "dropped";
  return FAILED.has(name) ? "error" : "ok";
}

/** Longest way from a root to a node. */
const LONGEST_WAY = 24;
/** Numbers of the draws of a way's steps: one a step. */
const WAY_DRAW = 300;

/** The key of what is drawn for a pinned trace. */
export function pinKey(place: TracePlace): number {
  return place.pin * 4096 + place.k;
}

/** The way of a pinned trace, from the event back to where requests begin, drawn by where they come from. */
export function pinOf(layout: Layout, run: Run, place: TracePlace): Pin {
  const { plan, cells, noise } = layout;
  const { tick } = place;
  const cell = cells[place.pin - 1];
  const call = cell ? cell.call : place.pin - 1 - cells.length;
  const nodes = [cell ? cell.node : (plan.calls[call]?.from ?? 0)];
  const calls: number[] = [];
  for (let step = 0; step < LONGEST_WAY; step++) {
    const node = plan.nodes[nodes[0] as number];
    if (!node || node.service.kind === "worker") break;
    const into = plan.calls.filter((each) => each.to === node.group && each.spec.kind !== "consume");
    let all = 0;
    for (const each of into) all += run.call("attempts", each.index, tick);
    for (const entry of plan.entries) if (entry.group === node.group) all += run.user("offered", entry.index, tick);
    let left = noise.unit(pinKey(place), tick, WAY_DRAW + step) * all;
    const from = into.find((each) => {
      left -= run.call("attempts", each.index, tick);
      return left < 0;
    });
    if (!from) break;
    nodes.unshift(from.from);
    calls.unshift(from.index);
  }
  return { nodes, calls, ...(cell ? { cell } : {}), k: place.k, call };
}
