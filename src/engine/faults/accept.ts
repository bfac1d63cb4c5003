/**
 * Whether a draw is worth playing. Judged by the runs themselves: nobody doing anything, both right scripts, every tempting wrong one, all from
 * the page to an hour later and through a soak.
 */
import type { Simulation } from "../simulation";
import { TICKS_PER_MINUTE } from "../spec";
import type { Script } from "./family";
import { errorRate, type Impact, impactOf, total } from "./impact";
import { type Incident, runToPage, SOONEST_PAGE } from "./incident";
import { playScript } from "./play-script";

/** From the page, in which a responder acts, and after it, in which the fix must hold. */
export const HORIZON_TICKS = 60 * TICKS_PER_MINUTE;
export const SOAK_TICKS = 30 * TICKS_PER_MINUTE;
const LAST_TICKS = 15 * TICKS_PER_MINUTE;

/** What the rules below compare with. */
const LEAST_ERRORS = 0.08;
const MOST_ERRORS = 0.6;
const IDLE_OVER_RIGHT = 3;
const WRONG_OVER_RIGHT = 1.5;
const HEALTHY_ERRORS = 0.01;
const ALTERNATION = 0.01;

export interface Judged {
  readonly accepted: boolean;
  /** Why not, as a few words that can be counted; "accepted" otherwise. */
  readonly reason: string;
  readonly pageAt: number | null;
  readonly idle?: Impact;
  readonly right?: readonly Impact[];
  readonly wrong?: readonly { readonly name: string; readonly impact: Impact }[];
}

export function judge(incident: Incident): Judged {
  const page = runToPage(incident);
  if (!page) return { accepted: false, reason: "no page in time", pageAt: null };
  const { drawn } = incident;
  const from = page.tick;
  const verdict = (reason: string, more: Partial<Judged> = {}): Judged => ({
    accepted: reason === "accepted",
    reason,
    pageAt: from,
    ...more,
  });
  if (from - drawn.onset < SOONEST_PAGE && !drawn.exempt) return verdict("page too soon");
  if (isIllBefore(page, drawn.onset)) return verdict("ill before the onset");
  const until = from + HORIZON_TICKS + SOAK_TICKS;
  const idleRun = page.fork();
  idleRun.advance(until - from);
  const idle = impactOf(idleRun, from, until);
  if (alternates(idleRun, until - LAST_TICKS, until)) return verdict("alternates", { idle });
  if (drawn.exempt) return verdict("accepted", { idle });
  const share = hurtAt(page, from - 1);
  if (share < LEAST_ERRORS || share > MOST_ERRORS)
    return verdict(share < LEAST_ERRORS ? "too mild" : "too severe", { idle });
  const right = drawn.right.map((script) => play(page, script, from, until));
  const refused = right.find((each) => each.refused);
  if (refused?.refused) return verdict(`right script refused: ${refused.refused}`, { idle });
  const impacts = right.map((each) => each.impact);
  const unhealed = right.find((each) => !each.healthy);
  if (unhealed) return verdict(`not healed by: ${unhealed.name}`, { idle, right: impacts });
  const par = Math.max(...impacts.map(total));
  if (total(idle) < IDLE_OVER_RIGHT * par) return verdict("idle hardly worse than right", { idle, right: impacts });
  const wrong = drawn.wrong.map((script) => play(page, script, from, until));
  const mostLost = Math.max(...impacts.map(({ lost }) => lost));
  const good = wrong.find(
    (each) =>
      !each.refused &&
      each.healthy &&
      total(each.impact) < WRONG_OVER_RIGHT * par &&
      each.impact.lost <= mostLost * 1.1 + 100,
  );
  const all = { idle, right: impacts, wrong: wrong.map(({ name, impact }) => ({ name, impact })) };
  return good ? verdict(`wrong script does as well: ${good.name}`, all) : verdict("accepted", all);
}

function play(page: Simulation, script: Script, from: number, until: number) {
  const { sim, refused } = playScript(page, script, until);
  return {
    name: script.name,
    impact: impactOf(sim, from, until),
    healthy: healthy(sim, until),
    refused: refused[0],
  };
}

/** Whether users were hurt in the quarter of an hour before the onset. */
function isIllBefore(sim: Simulation, onset: number): boolean {
  let sum = 0;
  const from = Math.max(0, onset - LAST_TICKS);
  for (let tick = from; tick < onset; tick++) sum += hurtAt(sim, tick);
  return sum > HEALTHY_ERRORS * (onset - from);
}

/** In the last quarter of an hour users are well, messages in time, and no replica was killed. */
function healthy(sim: Simulation, until: number): boolean {
  const from = until - LAST_TICKS;
  const { failed, slow, late } = impactOf(sim, from, until);
  let offered = 0;
  for (let tick = from; tick < until; tick++)
    for (const { index } of sim.plan.entries) offered += sim.user("offered", index, tick) * 15;
  const killed = sim.journal.some((event) => event.kind === "oom_killed" && event.tick >= from);
  return failed + slow < HEALTHY_ERRORS * offered && late < HEALTHY_ERRORS * offered && !killed;
}

/**
 * Share of users who are hurt in a tick: those whose requests fail or are slow, or those who wait for messages that are late; the larger,
 * as most who are both are the same.
 */
function hurtAt(sim: Simulation, tick: number): number {
  const { slow, late } = impactOf(sim, tick, tick + 1);
  let offered = 0;
  for (const { index } of sim.plan.entries) offered += sim.user("offered", index, tick) * 15;
  return offered > 0 ? Math.max(errorRate(sim, tick) + slow / offered, late / offered) : 0;
}

/** Whether the error rate swings from tick to tick by more than 1 % (mean alternating part). */
export function alternates(sim: Simulation, from: number, to: number): boolean {
  let swing = 0;
  for (let tick = from; tick < to; tick++) swing += (tick & 1 ? 1 : -1) * errorRate(sim, tick);
  return Math.abs(swing) / (to - from) > ALTERNATION;
}
