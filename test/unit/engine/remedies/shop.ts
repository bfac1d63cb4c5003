/** A small shop whose numbers are easy to work with by hand, and a desk that takes orders on it without simulating anything. */
import type { SystemEvent } from "../../../../src/engine/events";
import { builtWith, type ServiceParameter } from "../../../../src/engine/parameters";
import { compile, type Plan } from "../../../../src/engine/plan";
import type { CallColumn, NodeColumn, UserColumn } from "../../../../src/engine/record";
import type { Controls } from "../../../../src/engine/remedies/controls";
import type { Luck } from "../../../../src/engine/remedies/luck";
import type { Deployable, SystemSpec } from "../../../../src/engine/spec";

const versions = (...names: string[]): Deployable["versions"] => names.map((version) => ({ version, changes: [] }));

export const shop: SystemSpec = {
  id: "shop",
  zones: ["north", "south", "west"],
  services: [
    // Two replicas a zone, ready after 30 s (2 ticks).
    {
      name: "api",
      kind: "api",
      team: "web",
      zones: ["north", "south"],
      cohorts: { kind: "canary" },
      parameters: { load: 100 },
    },
    { name: "db", kind: "database", team: "data", zones: ["west"], standby: "north" },
    { name: "ledger", kind: "database", team: "data", zones: ["west"] },
    { name: "memo", kind: "cache", team: "data", zones: ["north", "south"], parameters: { replicas: 3 } },
    { name: "mail", kind: "queue", team: "data", zones: ["south"] },
    {
      name: "sender",
      kind: "worker",
      team: "web",
      zones: ["north", "south"],
      parameters: { replicas: 10, scaleMax: 12 },
    },
    { name: "bank", kind: "third_party", team: "bank", zones: ["west"] },
  ],
  calls: [
    { from: "api", to: "db", kind: "call", parameters: { pool: 8 } },
    { from: "api", to: "bank", kind: "call" },
    { from: "api", to: "memo", kind: "call" },
    { from: "api", to: "mail", kind: "publish" },
    { from: "sender", to: "mail", kind: "consume" },
    { from: "sender", to: "db", kind: "call", parameters: { pool: 2 } },
  ],
  deployables: [
    { id: "api", kind: "code", service: "api", versions: versions("v1", "v2", "v3"), current: "v2" },
    { id: "api/config", kind: "config", service: "api", versions: versions("c1", "c2"), current: "c2" },
    { id: "db", kind: "code", service: "db", versions: versions("14", "15"), current: "15" },
    { id: "cert/db", kind: "certificate", service: "db", versions: versions("old", "new"), current: "old" },
    { id: "flag/beta", kind: "flag", service: "api", versions: versions("off", "on"), current: "on" },
    { id: "job/reindex", kind: "job", service: "db", versions: versions("stopped", "running"), current: "running" },
  ],
};

export const shopPlan: Plan = compile(shop);

/** What a test says about the shop; everything else is as it was built, and every measurement is 0. */
export interface Facts {
  readonly tick?: number;
  readonly journal?: readonly SystemEvent[];
  readonly node?: Partial<Record<NodeColumn, Readonly<Record<string, number>>>>;
  readonly call?: Partial<Record<CallColumn, number>>;
  readonly user?: Partial<Record<UserColumn, number>>;
  readonly parameters?: Partial<Record<string, Partial<Record<ServiceParameter, number>>>>;
}

export class Desk implements Controls {
  readonly plan = shopPlan;
  readonly seed = 7;
  readonly tick: number;
  readonly journal: readonly SystemEvent[];
  readonly pending: SystemEvent[] = [];

  constructor(private readonly facts: Facts = {}) {
    this.tick = facts.tick ?? 100;
    this.journal = facts.journal ?? [];
  }

  schedule(event: SystemEvent): void {
    this.pending.push(event);
  }

  /** `facts.node` gives values by service, for each zone; canaries do nothing. */
  node(column: NodeColumn, node: number): number {
    const place = shopPlan.nodes[node];
    return place?.cohort === 0 ? (this.facts.node?.[column]?.[place.service.name] ?? 0) : 0;
  }

  nodeRow(): void {
    throw new Error("An order reads single numbers.");
  }

  callRow(): boolean {
    throw new Error("An order reads single numbers.");
  }

  call(column: CallColumn, call: number): number {
    const from = shopPlan.nodes[shopPlan.calls[call]?.from ?? -1];
    return from?.cohort === 0 ? (this.facts.call?.[column] ?? 0) : 0;
  }

  user(column: UserColumn): number {
    return this.facts.user?.[column] ?? 0;
  }

  versionAt(deployable: string, _tick: number, cohort: 0 | 1 = 0, zone?: string): string {
    let version = shop.deployables.find(({ id }) => id === deployable)?.current ?? "";
    for (const event of this.journal)
      if (event.kind === "deployed" && event.deployable === deployable)
        if ((event.share === 1 || cohort === 1) && (!event.zone || !zone || event.zone === zone))
          version = event.version;
    return version;
  }

  parameter(service: string, zone: string, _cohort: 0 | 1, name: ServiceParameter): number {
    const spec = shop.services.find((each) => each.name === service);
    if (!spec?.zones.includes(zone)) throw new RangeError(`${service} is not in ${zone}.`);
    const said = this.facts.parameters?.[service]?.[name];
    return said ?? builtWith(spec, name);
  }
}

/** Nothing sticks, and everything goes as fast as it can. */
export const steady: Luck = { chance: () => false, integer: (_what, low) => low, between: (_what, low) => low };

/** As `steady`, but what is named happens. */
export function unlucky(...whats: string[]): Luck {
  return { ...steady, chance: (what) => whats.includes(what) };
}
