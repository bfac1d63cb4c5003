/** Putting a version of a deployable in force: code with its restarts, the rest as fast as its kind is taken over. */
import type { Happening, SystemEvent } from "../events";
import { groupsOf } from "../plan";
import type { Deployable } from "../spec";
import { count, lengthOfTicks, list } from "../words";
import { deployableOf } from "./choices";
import type { Controls, Situation } from "./controls";
import { type Luck, STICKS } from "./luck";
import { happensAt, type Order } from "./order";
import { lateIn, lateText } from "./restart";
import { rollOut } from "./roll-out";
import type { Remedy, RemedyOf } from "./verbs";

/** Puts the named version in force, else the one before the present one. @throws RangeError when there is none. */
export function orderRollback(run: Controls, remedy: RemedyOf<"rollback_deploy">, luck: Luck): Order {
  const deployable = found(run, remedy.deployable);
  const version = remedy.version ?? previousVersion(run, deployable);
  if (version === null) throw new RangeError(`${deployable.id} has no earlier version.`);
  return orderVersion(run, deployable, version, luck);
}

/** Switches a flag; its clients fetch it, some of them late. @throws RangeError when there is no such flag. */
export function orderFlag(run: Controls, name: string, state: "on" | "off", luck: Luck): Order {
  return orderVersion(run, found(run, name, "flag"), state, luck);
}

/** Stops a job; some react only when their grace is over. @throws RangeError when there is no such job. */
export function orderStop(run: Controls, remedy: RemedyOf<"stop_job">, luck: Luck): Order {
  return orderVersion(run, found(run, remedy.job, "job"), STOPPED, luck);
}

export const STOPPED = "stopped";

/** Version last in force for most requests. */
export function versionNow(run: Situation, id: string): string {
  return run.versionAt(id, Math.max(0, run.tick - 1));
}

/** Whether all of a deployable runs one version: no roll-out stopped at a share or a zone. */
export function isWhole(run: Situation, { id, service }: Deployable): boolean {
  const now = versionNow(run, id);
  return groupsOf(run.plan, service).every(({ zone, count: cohorts }) =>
    ([0, 1] as const)
      .slice(0, cohorts)
      .every((cohort) => run.versionAt(id, Math.max(0, run.tick - 1), cohort, zone) === now),
  );
}

/** The version in force before the present one: by what happened, else by the order of the versions; null where there is none. */
export function previousVersion(run: Situation, deployable: Deployable): string | null {
  const now = versionNow(run, deployable.id);
  const past = [deployable.current];
  for (const event of run.journal)
    if (event.kind === "deployed" && event.deployable === deployable.id) past.push(event.version);
  for (let i = past.length - 1; i >= 0; i--) if (past[i] !== now) return past[i] as string;
  const place = deployable.versions.findIndex(({ version }) => version === now);
  return deployable.versions[place - 1]?.version ?? null;
}

function orderVersion(run: Controls, deployable: Deployable, version: string, luck: Luck): Order {
  const before = versionNow(run, deployable.id);
  const undo = undoOf(deployable, before, version);
  const deploy = (zone?: string): Happening => ({
    kind: "deployed",
    deployable: deployable.id,
    version,
    share: 1,
    ...(zone === undefined ? {} : { zone }),
  });
  const change = `${deployable.id} ${before === version ? `is ${version} everywhere` : `went from ${before} to ${version}`}`;
  if (deployable.kind === "code") return { ...codeOrder(run, deployable, deploy, change, luck), undo };
  if (deployable.kind === "config") return { ...configOrder(run, deployable, deploy, change, luck), undo };
  const { ticks, because } = takeover(deployable, version, luck);
  return {
    events: [happensAt(run.tick + ticks, deploy())],
    until: run.tick + ticks + 1,
    text: `${change} after ${lengthOfTicks(ticks)}${because}.`,
    undo,
  };
}

type Parts = Omit<Order, "undo">;
type Deploy = (zone?: string) => Happening;

function codeOrder(run: Controls, { service }: Deployable, deploy: Deploy, change: string, luck: Luck): Parts {
  const groups = groupsOf(run.plan, service);
  const rolled = rollOut(run, {
    groups,
    from: run.tick + luck.integer("start", 1, 2),
    takesEffect: deploy,
    late: (zone, waves) => lateIn(zone, waves, luck),
  });
  return {
    events: rolled.events,
    until: rolled.until,
    text:
      `${change}: ${count(rolled.replicas, "replica")} in ${list(groups.map((group) => group.zone))} restarted ` +
      `in ${count(rolled.waves, "wave")} within ${lengthOfTicks(rolled.until - run.tick)}.${lateText(rolled.late)}`,
  };
}

/** Configuration goes to one zone after another, a tick apart; running processes read it again, nothing restarts. */
function configOrder(run: Controls, { service }: Deployable, deploy: Deploy, change: string, luck: Luck): Parts {
  const zones = groupsOf(run.plan, service).map((group) => group.zone);
  const from = run.tick + luck.integer("start", 1, 2);
  const events: SystemEvent[] = zones.map((zone, i) =>
    happensAt(from + i, deploy(i === zones.length - 1 ? undefined : zone)),
  );
  const last = from + zones.length - 1;
  return {
    events,
    until: last + 1,
    text: `${change}, zone by zone, within ${lengthOfTicks(last - run.tick)}.`,
  };
}

/** Ticks until a version of what is not rolled out is in force. */
function takeover({ kind }: Deployable, version: string, luck: Luck): { ticks: number; because: string } {
  if (kind === "flag")
    return luck.chance("late flag", STICKS.lateFlag)
      ? { ticks: luck.integer("flag", 4, 8), because: ", when the last client had fetched it" }
      : { ticks: luck.integer("flag", 1, 2), because: "" };
  if (kind === "job")
    return version === STOPPED && luck.chance("stubborn", STICKS.stubbornJob)
      ? { ticks: luck.integer("job", 5, 8), because: ": it did not react and was killed when its grace was over" }
      : { ticks: luck.integer("job", 1, 2), because: "" };
  if (kind === "certificate") return { ticks: luck.integer("certificate", 2, 4), because: "" };
  if (kind === "dns_zone")
    return { ticks: luck.integer("zone", 1, 2), because: "; resolvers keep what they have for its time to live" };
  return { ticks: luck.integer("limit", 1, 3), because: "" };
}

function undoOf(deployable: Deployable, before: string, version: string): Remedy | null {
  if (before === version) return null;
  if (deployable.kind === "flag" && (before === "on" || before === "off"))
    return { verb: "set_flag", flag: deployable.id, state: before };
  if (deployable.kind === "job" && before === STOPPED) return { verb: "stop_job", job: deployable.id };
  return { verb: "rollback_deploy", deployable: deployable.id, version: before };
}

function found(run: Situation, name: string, kind?: Deployable["kind"]): Deployable {
  const deployable = deployableOf(run.plan, name, kind);
  if (!deployable) throw new RangeError(`There is no ${kind ?? "deployable"} ${name}.`);
  return deployable;
}
