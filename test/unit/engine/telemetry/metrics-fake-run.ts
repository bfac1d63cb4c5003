/** A run whose record is functions written by hand, so that what telemetry should show can be worked out by hand too. */
import type { SystemEvent } from "../../../../src/engine/events";
import { compile, type Plan } from "../../../../src/engine/plan";
import {
  type CallColumn,
  COMMON,
  type NodeColumn,
  OF_ALL,
  OF_STORES,
  RARE,
  type UserColumn,
} from "../../../../src/engine/record";
import type { Run } from "../../../../src/engine/run";
import type { SystemSpec } from "../../../../src/engine/spec";

type Place = { readonly service: string; readonly zone: string; readonly cohort: number; readonly tick: number };
type Columns<C extends string> = Partial<Record<C, number | ((place: Place) => number)>>;

export interface FakeColumns {
  /** By service; a number, or a function of zone, cohort and tick. What is not given is 0, `ready` is 1. */
  readonly nodes?: Readonly<Record<string, Columns<NodeColumn>>>;
  /** By call, "from>to". */
  readonly calls?: Readonly<Record<string, Columns<CallColumn>>>;
  /** By service. */
  readonly users?: Readonly<Record<string, Columns<UserColumn>>>;
}

export const shop: SystemSpec = {
  id: "shop",
  zones: ["a", "b"],
  services: [
    { name: "front", kind: "edge", team: "web", zones: ["a", "b"], parameters: { load: 200 } },
    { name: "orders", kind: "api", team: "orders", zones: ["a", "b"], cohorts: { kind: "canary" } },
    { name: "worker", kind: "worker", team: "orders", zones: ["a"] },
    { name: "db", kind: "database", team: "data", zones: ["a"], cohorts: { kind: "shard", shards: 4, share: 0.4 } },
    { name: "cache", kind: "cache", team: "data", zones: ["a"] },
    { name: "jobs", kind: "queue", team: "data", zones: ["a"] },
    { name: "vendor", kind: "third_party", team: "vendor", zones: ["a"] },
  ],
  calls: [
    { from: "front", to: "orders", kind: "call", parameters: { timeout: 2 } },
    { from: "orders", to: "db", kind: "call", behind: "cache", parameters: { timeout: 0.5, pool: 10 } },
    { from: "orders", to: "cache", kind: "call", parameters: { timeout: 0.2 } },
    { from: "orders", to: "jobs", kind: "publish" },
    { from: "orders", to: "vendor", kind: "call", parameters: { timeout: 3, pool: 20 } },
    { from: "worker", to: "jobs", kind: "consume" },
    { from: "worker", to: "db", kind: "call" },
  ],
  deployables: [
    {
      id: "orders",
      kind: "code",
      service: "orders",
      versions: [
        { version: "v1", changes: [] },
        { version: "v2", changes: [] },
      ],
      current: "v1",
    },
    {
      id: "orders/db-pool",
      kind: "limit",
      service: "orders",
      versions: [
        { version: "r1", changes: [{ call: "orders>db", parameter: "pool", op: "set", value: 10 }] },
        { version: "r2", changes: [{ call: "orders>db", parameter: "pool", op: "set", value: 30 }] },
      ],
      current: "r1",
    },
    {
      id: "cert/db",
      kind: "certificate",
      service: "db",
      versions: [
        { version: "2025", changes: [], expiresAt: 36000 },
        { version: "2026", changes: [], expiresAt: 36000 + 86400 * 365 },
      ],
      current: "2025",
    },
  ],
};

export function fakeRun(
  columns: FakeColumns,
  options: { seed?: number; ticks?: number; journal?: readonly SystemEvent[]; spec?: SystemSpec } = {},
): Run {
  const plan: Plan = compile(options.spec ?? shop);
  const read = (given: number | ((place: Place) => number) | undefined, place: Place, otherwise: number) =>
    given === undefined ? otherwise : typeof given === "number" ? given : given(place);
  const at = (node: number, tick: number): Place => {
    const found = plan.nodes[node];
    if (!found) throw new Error(`no node ${node}`);
    return { service: found.service.name, zone: found.zone, cohort: found.cohort, tick };
  };
  return {
    plan,
    seed: options.seed ?? 1,
    tick: options.ticks ?? 100,
    journal: options.journal ?? [],
    node(column, node, tick) {
      const place = at(node, tick);
      return read(columns.nodes?.[place.service]?.[column], place, column === "ready" ? 1 : 0);
    },
    nodeRow(node, tick, row) {
      row.values = Float32Array.from([...OF_ALL, ...OF_STORES], (column) =>
        tick < 0 ? 0 : this.node(column, node, tick),
      );
      row.at = 0;
    },
    callRow(call, tick, common, rare) {
      common.values = Float32Array.from(COMMON, (column) => this.call(column, call, tick));
      rare.values = Float32Array.from(RARE, (column) => this.call(column, call, tick));
      common.at = 0;
      rare.at = 0;
      return true;
    },
    call(column, call, tick) {
      const found = plan.calls[call];
      return found ? read(columns.calls?.[found.name]?.[column], at(found.from, tick), 0) : 0;
    },
    user(column, entry, tick) {
      const found = plan.entries[entry];
      if (!found) return 0;
      const place = { service: found.service.name, zone: found.zone, cohort: 0, tick };
      return read(columns.users?.[place.service]?.[column], place, 0);
    },
    versionAt: (deployable) => plan.deployables.find((each) => each.id === deployable)?.current ?? "",
  };
}

/** A change of the scrape loss of a service at the start, so that no reading goes missing, or more do. */
export function scrapeLoss(service: string, value: number): SystemEvent {
  return {
    kind: "changed",
    id: `scrape loss of ${service}`,
    changes: [{ service, parameter: "scrapeLoss", op: "set", value }],
    tick: 0,
    origin: "routine",
  };
}
