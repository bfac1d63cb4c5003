/**
 * The parameters that were in force at a tick, as lines and traces need them: they name them (a time-out, the size of a pool), and some
 * events follow from them (a lock wait needs a knee). All of a tick at once, kept per stretch between two changes and worked out when the
 * stretch is first read.
 */
import type { SystemEvent } from "../../events";
import type { CallParameter, ServiceParameter } from "../../parameters";
import type { Run } from "../../run";
import { Settings } from "../settings";
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
export type SettingsOfTick = Readonly<Record<(typeof SERVICE)[number] | (typeof CALL)[number], Float64Array>> & {
  /** Share of a database's requests that wait behind the locks of a running job, by node. */
  readonly locked: Float64Array;
  /** Zone a group answers from. */
  readonly zones: readonly string[];
  /** Version of the code that a node runs; empty where none is deployed on its service. */
  readonly versions: readonly string[];
};

export class SettingsByTick {
  private readonly settings: Settings;
  /** First ticks of the stretches, ascending, and what held in each of those that have been read. */
  private readonly since: number[] = [0];
  private readonly stretches: (SettingsOfTick | undefined)[] = [];
  /** Events of the journal taken in. */
  private seen = 0;
  private last = 0;
  /** Versions as they may stand in any format. */
  private readonly versions = new Map<string, string>();

  constructor(private readonly run: Run) {
    this.settings = new Settings(run);
  }

  at(tick: number): SettingsOfTick {
    if (this.seen < this.run.journal.length) this.catchUp();
    const { since } = this;
    let i = this.last;
    while (i > 0 && (since[i] as number) > tick) i--;
    while (i + 1 < since.length && (since[i + 1] as number) <= tick) i++;
    this.last = i;
    const known = this.stretches[i] ?? this.workOut(since[i] as number);
    this.stretches[i] = known;
    return known;
  }

  private catchUp(): void {
    const { journal } = this.run;
    for (; this.seen < journal.length; this.seen++) {
      const event = journal[this.seen] as SystemEvent;
      if (!changesSettings(event)) continue;
      const last = this.since.length - 1;
      if (this.since[last] === event.tick) this.stretches[last] = undefined;
      else this.since.push(event.tick);
    }
    this.settings.refresh();
  }

  private workOut(tick: number): SettingsOfTick {
    const { plan } = this.run;
    const { settings } = this;
    const values: Record<string, Float64Array> = {};
    for (const name of SERVICE) values[name] = settings.ofNodes(name).all(tick);
    for (const name of CALL) values[name] = settings.ofCalls(name).all(tick);
    values.locked = lockedShares(this.run, tick);
    const [zones, versions] = [settings.ofZones(), settings.ofVersions("code")];
    return {
      ...(values as Readonly<Record<keyof SettingsOfTick, Float64Array>>),
      zones: plan.groups.map((group) => zones[group.first]?.at(tick) ?? group.zone),
      versions: versions.map((version) => this.written(version.at(tick) ?? "")),
    };
  }

  private written(version: string): string {
    const known = this.versions.get(version) ?? safe(version);
    this.versions.set(version, known);
    return known;
  }
}

function changesSettings({ kind }: SystemEvent): boolean {
  return kind === "changed" || kind === "reverted" || kind === "deployed" || kind === "promoted";
}

/** Of databases: 1 − 1/f where a running job makes requests hold on f times as long; 0 elsewhere. */
function lockedShares(run: Run, tick: number): Float64Array {
  const { plan } = run;
  const shares = new Float64Array(plan.nodes.length);
  for (const job of plan.deployables) {
    if (job.kind !== "job") continue;
    const version = run.versionAt(job.id, tick);
    for (const change of job.versions.find((each) => each.version === version)?.changes ?? []) {
      if (!("service" in change && change.parameter === "ownTime" && change.op === "times" && change.value > 1))
        continue;
      for (const node of plan.nodes)
        if (node.service.kind === "database" && node.service.name === change.service)
          shares[node.index] = Math.max(shares[node.index] as number, 1 - 1 / change.value);
    }
  }
  return shares;
}
