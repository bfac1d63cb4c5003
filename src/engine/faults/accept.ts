/**
 * Whether a draw is worth playing. Judged by the runs themselves: nobody doing anything, both right scripts, every tempting wrong one, all from
 * the page to an hour later and through a soak.
 */
import type { Simulation } from "../simulation";
import { TICKS_PER_MINUTE } from "../spec";
import type { Drawn, Script } from "./family";
import { errorRate, type Impact, impactOf, offeredIn, total } from "./impact";
import { type Incident, runToPage, SOONEST_PAGE } from "./incident";
import { playScript } from "./play-script";

/** From the page, in which a responder acts, and after it, in which the fix must hold. */
const HORIZON_TICKS = 60 * TICKS_PER_MINUTE;
const SOAK_TICKS = 30 * TICKS_PER_MINUTE;
/** What is looked at before the onset, and at the end of the soak. */
const QUARTER_TICKS = 15 * TICKS_PER_MINUTE;

/** Share of users who are hurt at the page: enough to be woken for, and enough left who are well to tell them apart. */
const LEAST_HURT = 0.08;
const MOST_HURT = 0.6;
/** Impact of doing nothing, and of a wrong script, over that of the worse of the right scripts. */
const IDLE_OVER_RIGHT = 3;
const WRONG_OVER_RIGHT = 1.5;
/** Messages and writes that a wrong script may lose beyond the right ones before it counts as worse for that alone. */
const LOST_OVER_RIGHT = 1.1;
const LOST_FEW = 100;
/** Share of users who may be hurt in a quarter of an hour that counts as healthy. */
const HEALTHY_HURT = 0.01;
/** Mean swing of the error rate from tick to tick: more is an artefact of the ticks, not behaviour. */
const MOST_SWING = 0.01;

/** What was simulated before the verdict. */
interface Seen {
  /** Impact from the page to the end of the soak when nobody does anything. */
  readonly idle?: Impact;
  readonly right?: readonly Impact[];
  readonly wrong?: readonly { readonly name: string; readonly impact: Impact }[];
}

export interface Judged extends Seen {
  readonly accepted: boolean;
  /** Why not, as a few words that can be counted, names behind a colon; "accepted" otherwise. */
  readonly reason: string;
  /** The tick at which the run stands when the page has fired. */
  readonly pageAt: number | null;
}

/** Simulates a draw in all the ways it is judged by; well over a thousand ticks. */
export function judge(incident: Incident): Judged {
  const page = runToPage(incident);
  if (!page) return { accepted: false, reason: "no page in time", pageAt: null };
  const { drawn } = incident;
  const pageAt = page.tick;
  const until = pageAt + HORIZON_TICKS + SOAK_TICKS;
  const turnedDown = (reason: string, seen: Seen = {}): Judged => ({ accepted: false, reason, pageAt, ...seen });
  const early = wrongBefore(page, drawn);
  if (early) return turnedDown(early);
  const idleRun = page.fork();
  idleRun.advance(until - pageAt);
  const idle = impactOf(idleRun, pageAt, until);
  if (alternates(idleRun, until - QUARTER_TICKS, until)) return turnedDown("alternates", { idle });
  if (drawn.exempt) {
    const problem = exemptProblem(drawn.exempt, page, idleRun, until);
    return problem ? turnedDown(problem, { idle }) : { accepted: true, reason: "accepted", pageAt, idle };
  }
  const hurt = hurtAt(page, pageAt - 1);
  if (hurt < LEAST_HURT) return turnedDown("too mild", { idle });
  if (hurt > MOST_HURT) return turnedDown("too severe", { idle });
  const rights = drawn.right.map((script) => play(page, script, until));
  const refused = rights.find((each) => each.refused);
  if (refused) return turnedDown(`right script refused: ${refused.refused}`, { idle });
  const right = rights.map((each) => each.impact);
  const unhealed = rights.find((each) => !each.healthy);
  if (unhealed) return turnedDown(`not healed by: ${unhealed.name}`, { idle, right });
  if (total(idle) < IDLE_OVER_RIGHT * Math.max(...right.map(total)))
    return turnedDown("idle hardly worse than right", { idle, right });
  const wrongs = drawn.wrong.map((script) => play(page, script, until));
  const wrong = wrongs.map(({ name, impact }) => ({ name, impact }));
  const good = wrongs.find((each) => doesAsWell(each, right));
  return good
    ? turnedDown(`wrong script does as well: ${good.name}`, { idle, right, wrong })
    : { accepted: true, reason: "accepted", pageAt, idle, right, wrong };
}

/** Why a run up to its page is of no use; null where it is. */
function wrongBefore(page: Simulation, { onset, exempt }: Drawn): string | null {
  if (page.tick - onset < SOONEST_PAGE && !exempt) return "page too soon";
  return isIllBefore(page, onset) ? "ill before the onset" : null;
}

/** Why a draw is not what it is exempt for, when nobody does anything; null when it is. */
function exemptProblem(
  exempt: NonNullable<Drawn["exempt"]>,
  page: Simulation,
  idle: Simulation,
  until: number,
): string | null {
  if (exempt === "healthy") return isHurtIn(idle, page.tick, until) ? "not healthy after all" : null;
  if (exempt === "self_healed") return isHealthy(idle, until) ? null : "does not heal by itself";
  const hurt = hurtAt(page, page.tick - 1);
  if (hurt < LEAST_HURT) return "too mild";
  if (hurt > MOST_HURT) return "too severe";
  return isHealthy(idle, until) ? "heals by itself" : null;
}

interface Performance {
  readonly name: string;
  readonly impact: Impact;
  readonly healthy: boolean;
  /** Why an order was refused; undefined where all were carried out. */
  readonly refused: string | undefined;
}

/** A script played from the page to the end of the soak. */
function play(page: Simulation, script: Script, until: number): Performance {
  const { sim, refused } = playScript(page, script, until);
  return {
    name: script.name,
    impact: impactOf(sim, page.tick, until),
    healthy: isHealthy(sim, until),
    refused: refused[0],
  };
}

/** Whether a tempting script heals, at hardly more impact than the worse of the right ones and without losing more. */
function doesAsWell({ impact, healthy, refused }: Performance, right: readonly Impact[]): boolean {
  const lost = Math.max(...right.map((each) => each.lost));
  return (
    !refused &&
    healthy &&
    total(impact) < WRONG_OVER_RIGHT * Math.max(...right.map(total)) &&
    impact.lost <= lost * LOST_OVER_RIGHT + LOST_FEW
  );
}

/** Whether users were hurt in the quarter of an hour before the onset. */
function isIllBefore(sim: Simulation, onset: number): boolean {
  return isHurtIn(sim, Math.max(0, onset - QUARTER_TICKS), onset);
}

/** Whether more users were hurt from one tick to another than count as healthy. */
function isHurtIn(sim: Simulation, from: number, to: number): boolean {
  let sum = 0;
  for (let tick = from; tick < to; tick++) sum += hurtAt(sim, tick);
  return sum > HEALTHY_HURT * (to - from);
}

/** In the last quarter of an hour users are well, messages in time, and no replica was killed. */
function isHealthy(sim: Simulation, until: number): boolean {
  const from = until - QUARTER_TICKS;
  const { failed, slow, late } = impactOf(sim, from, until);
  const few = HEALTHY_HURT * offeredIn(sim, from, until);
  const killed = sim.journal.some((event) => event.kind === "oom_killed" && event.tick >= from);
  return failed + slow < few && late < few && !killed;
}

/**
 * Share of users who are hurt in a tick: those whose requests fail or are slow, or those who wait for messages that are late; the larger,
 * as most who are both are the same.
 */
function hurtAt(sim: Simulation, tick: number): number {
  const { slow, late } = impactOf(sim, tick, tick + 1);
  const offered = offeredIn(sim, tick, tick + 1);
  return offered > 0 ? Math.max(errorRate(sim, tick) + slow / offered, late / offered) : 0;
}

/** Whether the error rate swings from tick to tick by more than it may (mean alternating part). */
function alternates(sim: Simulation, from: number, to: number): boolean {
  let swing = 0;
  for (let tick = from; tick < to; tick++) swing += (tick & 1 ? 1 : -1) * errorRate(sim, tick);
  return Math.abs(swing) / (to - from) > MOST_SWING;
}
