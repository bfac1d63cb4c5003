/**
 * The parameters that were in force at a tick, worked out from the system's data and the journal. Lines and traces name them (a
 * time-out, the size of a pool), and some events follow from them (a lock wait needs a knee). Kept per stretch between two changes.
 */

import type { CallParameter, ServiceParameter } from "../parameters";
import type { Plan } from "../plan";
import type { Run } from "../run";
import { InForce } from "../solver/in-force";
import { State } from "../solver/state";
import { wiringOf } from "../solver/wiring";
import { safe } from "./grammar/style";

const SERVICE = [
  "errorShare",
  "knee",
  "maxConnections",
  "memoryLimit",
  "probeFailure",
  "deliveryLimit",
  "highWater",
  "slots",
  "startSeconds",
] as const satisfies readonly ServiceParameter[];
const CALL = [
  "timeout",
  "retries",
  "backoff",
  "critical",
  "pool",
  "acquireTimeout",
] as const satisfies readonly CallParameter[];

/** Values by node or call index. */
export type Settings = Readonly<Record<(typeof SERVICE)[number] | (typeof CALL)[number], Float64Array>> & {
  /** Share of a database's requests that wait behind the locks of a running job, by node. */
  readonly locked: Float64Array;
  /** Zone a group answers from. */
  readonly zones: readonly string[];
  /** Version of the code that a node runs; empty where none is deployed on its service. */
  readonly versions: readonly string[];
};

export class SettingsInForce {
  /** First ticks of the stretches, ascending, and what held in each. */
  private readonly since: number[] = [];
  private readonly stretches: Settings[] = [];
  private readonly inForce: InForce;
  private readonly state: State;
  private readonly zones: string[];
  private read = 0;
  private last = 0;

  constructor(private readonly run: Run) {
    const { plan } = run;
    this.state = new State(plan);
    this.inForce = new InForce(plan, { wiring: wiringOf(plan, "") }, this.state);
    this.zones = plan.groups.map((group) => group.zone);
    this.keep(0);
  }

  at(tick: number): Settings {
    if (this.read < this.run.journal.length) this.catchUp();
    const { since, stretches } = this;
    let i = this.last < since.length ? this.last : 0;
    while (i > 0 && (since[i] as number) > tick) i--;
    while (i + 1 < since.length && (since[i + 1] as number) <= tick) i++;
    this.last = i;
    return stretches[i] as Settings;
  }

  private catchUp(): void {
    const { journal } = this.run;
    let changed = -1;
    for (; this.read < journal.length; this.read++) {
      const event = journal[this.read] as Run["journal"][number];
      if (changed >= 0 && event.tick !== changed) {
        this.keep(changed);
        changed = -1;
      }
      if (event.kind === "changed") this.inForce.put(event.id, event.changes);
      else if (event.kind === "reverted") this.inForce.take(event.id);
      else if (event.kind === "deployed") this.inForce.deploy(event.deployable, event.version, event.zone, event.share);
      else if (event.kind === "promoted") {
        for (const group of this.run.plan.groups)
          if (group.service.name === event.service) this.zones[group.index] = event.zone;
      } else continue;
      changed = event.tick;
    }
    if (changed >= 0) this.keep(changed);
  }

  private versions(): string[] {
    const { plan } = this.run;
    return plan.nodes.map((node) => {
      const code = plan.deployables.find((each) => each.kind === "code" && each.service === node.service.name);
      return safe((code && this.inForce.versionOf(code.id, node.zone, node.cohort)) ?? "");
    });
  }

  private keep(tick: number): void {
    const { state, inForce, run } = this;
    inForce.apply();
    const values: Record<string, Float64Array> = {};
    for (const name of SERVICE) values[name] = state.node(name).values();
    for (const name of CALL) values[name] = state.call(name).values();
    values.locked = lockedShares(run.plan, inForce);
    const settings = { ...values, zones: this.zones.slice(), versions: this.versions() } as unknown as Settings;
    if (this.since[this.since.length - 1] === tick) this.stretches[this.stretches.length - 1] = settings;
    else {
      this.since.push(tick);
      this.stretches.push(settings);
    }
  }
}

/** Of databases: 1 − 1/f where a running job makes requests hold on f times as long; 0 elsewhere. */
function lockedShares(plan: Plan, inForce: InForce): Float64Array {
  const shares = new Float64Array(plan.nodes.length);
  for (const job of plan.deployables) {
    if (job.kind !== "job") continue;
    for (const node of plan.nodes) {
      if (node.service.kind !== "database") continue;
      const owner = plan.nodes.find((each) => each.service.name === job.service);
      const version = owner && inForce.versionOf(job.id, owner.zone, 0);
      for (const change of job.versions.find((each) => each.version === version)?.changes ?? [])
        if (
          "service" in change &&
          change.service === node.service.name &&
          change.parameter === "ownTime" &&
          change.op === "times"
        )
          if (change.value > 1) shares[node.index] = Math.max(shares[node.index] as number, 1 - 1 / change.value);
    }
  }
  return shares;
}
