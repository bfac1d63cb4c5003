/**
 * What a slot's line speaks of: which replica, how long it took, which attempt it was. Drawn by counter from the slot, so that the line
 * and its trace say the same.
 */
import { seriesKey } from "../../../core/rng";
import type { Call, Node } from "../../plan";
import type { Run } from "../../run";
import { TICK_SECONDS } from "../../spec";
import { gammaAt } from "../percentiles";
import { failureShare, LOCK_WAIT, SLOW_QUERY, SLOW_REQUEST } from "./expected";
import type { LogKindName } from "./grammar";
import { Facts } from "./grammar/facts";
import { drawNames } from "./grammar/slots";
import type { ServiceStyle } from "./grammar/style";
import { Draw } from "./grammar/template";
import type { Cell, Layout } from "./layout";
import type { SettingsOfTick } from "./settings";

/** Draws of a slot, by number. */
export const TIME_DRAW = 8;
const REPLICA_DRAW = 9;
const LENGTH_DRAW = 10;
const ATTEMPT_DRAW = 11;
export const TEXT_DRAW = 12;
export const TRACE_DRAW = 13;
const STATUS_DRAW = 14;

/** How much later than its time-out a caller says that it gave up: up to this share, and at least so many seconds. */
export const OVERRUN = 0.012;
export const NOTICED = 0.0005;

/** Lines about what took longer than so many seconds. */
const LEAST_LENGTH: Readonly<Partial<Record<LogKindName, number>>> = {
  request_slow: SLOW_REQUEST,
  slow_query: SLOW_QUERY,
  lock_wait: LOCK_WAIT,
};

/** Replicas of a node whose names are kept: a node has no more than 16, and as many may be starting. */
const PODS = 32;

interface Row {
  readonly tick: number;
  readonly replicas: number;
  readonly inFlight: number;
  readonly mean: number;
  readonly spread: number;
  readonly memory: number;
}

export class FactsOf {
  readonly facts = new Facts();
  /** Draws the text of the line that `of` was last asked for. */
  readonly draw = new Draw();
  private readonly rows: Row[] = [];
  private readonly pods: ({ version: string; name: string } | null)[];

  constructor(
    private readonly layout: Layout,
    private readonly run: Run,
  ) {
    this.pods = layout.plan.nodes.flatMap(() => new Array<null>(PODS).fill(null));
  }

  /** The facts of slot (cell, k) at a tick; the same object each time. */
  of(cell: Cell, k: number, tick: number, settings: SettingsOfTick): Facts {
    const { layout, facts } = this;
    const { noise, plan } = layout;
    const key = slotKey(cell, k);
    const n = cell.node;
    const node = plan.nodes[n] as Node;
    const call = plan.calls[cell.call];
    this.writer(n, tick, noise.unit(key, tick, REPLICA_DRAW), settings);
    const { style } = facts;
    facts.peer = call ? this.peerOf(call) : style;
    facts.status = cell.kind.status;
    facts.attempt = 1;
    facts.attempts = 1;
    facts.limit = 0;
    facts.seconds = 0;
    const unit = noise.unit(key, tick, LENGTH_DRAW);
    if (call) this.ofAttempt(cell, call, key, tick, unit, settings);
    else this.ofNode(cell, node, key, tick, unit, settings);
    if (facts.status >= 500) this.status(cell, noise.unit(key, tick, STATUS_DRAW));
    facts.waiting = Math.floor(this.row(n, tick).inFlight + 0.5);
    this.draw.start(noise.unit(key, tick, TEXT_DRAW));
    drawNames(facts, this.draw);
    return facts;
  }

  /** Who writes: replica, version, zone. Clears what speaks of other things. */
  writer(n: number, tick: number, unit: number, settings: SettingsOfTick): Facts {
    const { layout, facts } = this;
    const node = layout.plan.nodes[n] as Node;
    facts.style = layout.styles[layout.serviceOf[n] as number] as ServiceStyle;
    facts.peer = facts.style;
    facts.zone = settings.zones[node.group] as string;
    facts.version = settings.versions[n] as string;
    facts.pod = this.pod(node, Math.floor(unit * this.row(n, tick).replicas), facts.version);
    facts.after = "";
    facts.waiting = 0;
    facts.used = 0;
    facts.capacity = 0;
    facts.count = 0;
    return facts;
  }

  /** What most lines of a node and tick need, read once for all of them. */
  private row(n: number, tick: number): Row {
    const known = this.rows[n];
    if (known?.tick === tick) return known;
    const { run } = this;
    const row = {
      tick,
      replicas: Math.max(1, Math.floor(run.node("ready", n, tick) + run.node("starting", n, tick) + 0.5)),
      inFlight: run.node("inFlight", n, tick),
      mean: run.node("latencyMean", n, tick),
      spread: run.node("latencySd", n, tick),
      memory: run.node("memory", n, tick),
    };
    this.rows[n] = row;
    return row;
  }

  private ofAttempt(cell: Cell, call: Call, key: number, tick: number, unit: number, settings: SettingsOfTick): void {
    const { facts, run, layout } = this;
    const c = call.index;
    const limit = settings.timeout[c] as number;
    const patience = settings.acquireTimeout[c] as number;
    facts.attempts = 1 + Math.floor(settings.retries[c] as number);
    facts.attempt = 1 + Math.floor(layout.noise.unit(key, tick, ATTEMPT_DRAW) * facts.attempts);
    facts.limit = cell.name === "unacquired" ? patience : limit;
    if (cell.name === "unacquired" || cell.name === "session_leak") {
      const replicas = Math.max(1, run.node("ready", cell.node, tick));
      facts.capacity = settings.pool[c] as number;
      facts.used = Math.min(facts.capacity, (run.call("inUse", c, tick) + run.call("stale", c, tick)) / replicas);
      facts.count = Math.max(1, run.call("stale", c, tick) / replicas);
    }
    if (cell.name === "timed_out" || cell.name === "unreached") facts.seconds = limit * (1 + OVERRUN * unit) + NOTICED;
    else if (cell.name === "unacquired") facts.seconds = patience * (1 + 0.008 * unit) + 0.0002;
    else if (cell.name === "errored")
      facts.seconds = Math.min(limit, run.call("attemptTime", c, tick) * (0.3 + 1.4 * unit));
    else if (cell.name === "handshake_failed" || cell.name === "name_failed")
      facts.seconds = 0.004 + 0.04 * unit * unit;
    else facts.seconds = 0.0002 + 0.003 * unit;
  }

  private ofNode(cell: Cell, node: Node, key: number, tick: number, unit: number, settings: SettingsOfTick): void {
    const { facts, layout } = this;
    const { name } = cell;
    this.lengthOf(cell, key, tick, unit, settings);
    this.resourceOf(cell, node, tick, settings);
    const drawn = () => layout.noise.unit(key, tick, ATTEMPT_DRAW);
    if (name === "redelivered" || name === "message_failed" || name === "dead_letter") {
      facts.attempts = Math.max(2, this.deliveryLimit(cell.node, settings));
      facts.attempt = 1 + Math.floor(drawn() * facts.attempts);
      if (name === "redelivered" && facts.attempt < 2) facts.attempt = 2;
    } else facts.attempt = 1 + Math.floor(unit * 3);
    const cause = name === "request_failed" ? this.failingCall(cell.node, tick, settings, drawn()) : undefined;
    if (!cause) return;
    facts.peer = this.peerOf(cause);
    facts.attempts = 1 + Math.floor(settings.retries[cause.index] as number);
  }

  /** How long what a node's line speaks of took. */
  private lengthOf(cell: Cell, key: number, tick: number, unit: number, settings: SettingsOfTick): void {
    const { facts } = this;
    const { name } = cell;
    const { mean, spread, memory } = this.row(cell.node, tick);
    const least = LEAST_LENGTH[name];
    if (least !== undefined) {
      facts.limit = least;
      facts.seconds = Math.max(least, mean - spread) + spread * exponential(unit);
    } else if (name === "gc_pause") facts.seconds = 0.1 + 0.9 * unit * Math.min(1, memory);
    else if (cell.kind.errorType === "overloaded" || name === "connections_full") facts.seconds = 0.0003 * (1 + unit);
    else if (name === "replica_ready")
      facts.seconds = (settings.startSeconds[cell.node] as number) * (0.92 + 0.12 * unit);
    else facts.seconds = Math.max(0.0001, gammaAt(mean, spread, this.layout.noise.normal(key, tick)));
  }

  /** What there is of what a node's line speaks of, and how much of it is taken. */
  private resourceOf({ name, node: n }: Cell, node: Node, tick: number, settings: SettingsOfTick): void {
    const { facts, run } = this;
    const { kind } = node.service;
    const { memory } = this.row(n, tick);
    facts.memory = memory * (settings.memoryLimit[n] as number);
    if (name === "gc_pause" || name === "memory_pressure") {
      facts.capacity = settings.memoryLimit[n] as number;
      facts.share = memory;
    } else if (name === "throttled") facts.share = run.node("throttled", n, tick);
    else if (name === "disk_low" || name === "write_failed") facts.share = run.node("disk", n, tick);
    else if (name === "cache_routine") facts.share = run.node("level", n, tick);
    else if (kind === "queue") {
      facts.count = run.node("level", n, tick) + run.node("poison", n, tick);
      facts.capacity = settings.highWater[n] as number;
      if (name === "queue_routine") facts.seconds = run.node("delay", n, tick);
    } else if (kind === "database") {
      facts.used = run.node("level", n, tick);
      facts.capacity = settings.maxConnections[n] as number;
    } else {
      const ready = Math.max(1, run.node("ready", n, tick));
      facts.capacity = settings.slots[n] as number;
      facts.used = run.node("inFlight", n, tick) / ready;
      if (kind === "worker") facts.count = (run.node("served", n, tick) * TICK_SECONDS) / ready;
    }
  }

  /** The dependency that a failed request is put down to: one of those that fail, in proportion. */
  causeOf(cell: Cell, k: number, tick: number, settings: SettingsOfTick): Call | undefined {
    const unit = this.layout.noise.unit(slotKey(cell, k), tick, ATTEMPT_DRAW);
    return this.failingCall(cell.node, tick, settings, unit);
  }

  /** A call of a node that fails, drawn by `unit` in proportion to how often they do; undefined when none fails. */
  failingCall(n: number, tick: number, settings: SettingsOfTick, unit: number): Call | undefined {
    const { layout, run } = this;
    const calls = layout.callsOf[n] as readonly number[];
    const weightOf = (c: number) =>
      failureShare(run, c, tick) * run.call("attempts", c, tick) * (settings.critical[c] as number);
    let total = 0;
    for (const c of calls) total += weightOf(c);
    let left = unit * total;
    for (const c of calls) {
      left -= weightOf(c);
      if (left < 0) return layout.plan.calls[c];
    }
    return undefined;
  }

  private deliveryLimit(n: number, settings: SettingsOfTick): number {
    const { plan, callsOf } = this.layout;
    if (plan.nodes[n]?.service.kind === "queue") return settings.deliveryLimit[n] as number;
    for (const c of callsOf[n] as readonly number[]) {
      const call = plan.calls[c];
      if (call?.spec.kind === "consume") return settings.deliveryLimit[plan.groups[call.to]?.first ?? 0] as number;
    }
    return 0;
  }

  /** The status a failure ended with. */
  private status(cell: Cell, unit: number): void {
    const { facts } = this;
    if (cell.name === "request_failed") facts.status = unit < 0.4 ? 503 : unit < 0.7 ? 502 : 504;
    else if (cell.name === "errored") facts.status = unit < 0.6 ? 500 : unit < 0.85 ? 503 : 502;
    else if (cell.name === "refused" || cell.name === "rejected") facts.status = unit < 0.75 ? 503 : 429;
  }

  /** Style of the service at the other end. */
  peerOf(call: Call): ServiceStyle {
    const { plan, styles } = this.layout;
    const to = plan.groups[call.to]?.service;
    return styles[to ? plan.services.indexOf(to) : 0] as ServiceStyle;
  }

  /** A replica's name: in the manner of Kubernetes, with the version's hash for code that is rolled out, an ordinal for stores. */
  private pod(node: Node, replica: number, version: string): string {
    const at = node.index * PODS + (replica % PODS);
    const known = this.pods[at];
    if (known && known.version === version) return known.name;
    const { kind, name: service } = node.service;
    const zone = this.layout.plan.zones.indexOf(node.zone);
    let name = `${service}-${zone}-${replica}`;
    if (kind === "edge" || kind === "api" || kind === "worker") {
      const set = letters(this.layout.noise.unit(seriesKey(`${service}|${version}|${node.cohort}`), 1), 6);
      const own = letters(
        this.layout.noise.unit(seriesKey(`${service}|${node.zone}|${version}|${node.cohort}`), replica, 2),
        5,
      );
      name = `${service}-${set}-${own}`;
    }
    this.pods[at] = { version, name };
    return name;
  }
}

/** The noise series of a slot. */
export function slotKey(cell: Cell, k: number): number {
  return cell.series ^ Math.imul(k + 1, 0x9e3779b1);
}

/** −ln(1 − u) to within 2 % up to 4, as 256 (v^(−1/256) − 1) with v = 1 − u: the inverse of `decay`. */
export function exponential(unit: number): number {
  let root = 1 - unit;
  for (let i = 0; i < 8; i++) root = Math.sqrt(root);
  return 256 * (1 / root - 1);
}

const LETTERS = "bcdfghjklmnpqrstvwxz2456789";

function letters(unit: number, length: number): string {
  let text = "";
  let rest = unit;
  for (let i = 0; i < length; i++) {
    rest *= LETTERS.length;
    const at = Math.floor(rest);
    text += LETTERS[at] as string;
    rest -= at;
  }
  return text;
}
