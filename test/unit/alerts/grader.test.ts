/**
 * Grades worked out by hand on the fixture. The flawless run takes nine steps:
 *
 *     step  1 h1 lock wait   2 h2 cpu   3 y3 impact   4 group   5 declare   6 route   7 snooze   8 y4 impact   9 close
 *     minute  1              2          3             3         4           5         6          7             8
 *
 * O: team 1 × severity 1 × cause 1; noise listed by minute 8 is {a01, a02} and exactly that is muted: F1 = 1; routed is true.
 * P: evidence 1 (h1 supports, h2 excludes, both cited); diagnosis .8 + .2 · (1 − .1²) = .998; verified 1; told at minute 5,
 *    par = 3 + 4 + 2 = 9 and 5 ≤ 1.25 · 9, all three listed alerts handed over: 1; nine steps ≤ 11.25: 1.
 *    P = .30 + .25 · .998 + .20 + .15 + .10 = .9995, so G = .6 + .4 · .9995 = .9998.
 */
import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/core/action";
import { flatten } from "../../../src/core/rubric";
import type { AlertsTruth } from "../../../src/worlds/alerts/truth";
import { act, INCIDENT, openFixture, play, TRUTH } from "./fixture";

const lockWait = act("query_history", { service: "orders-db", metric: "db.lock.wait" });
const cpu = act("query_history", { service: "orders-db", metric: "db.cpu" });
const impact = act("impact", { service: "checkout" });
const group = act("group", { alerts: ["a03", "a04", "a05"] });
const declare = act("declare_cause", {
  group: "g1",
  component: "orders-db",
  mechanism: "lock_contention",
  confidence: 0.9,
  evidence: ["h1", "h2"],
});
const route = act("route", { group: "g1", severity: "P1", team: "database" });
const snooze = act("snooze", { alerts: ["a01", "a02"], minutes: 120 });
const close = act("close_triage", { disposition: "routed" });
const FLAWLESS = [lockWait, cpu, impact, group, declare, route, snooze, impact, close];

function gradeOf(actions: readonly Action[], truth: AlertsTruth = TRUTH, info = {}) {
  const episode = openFixture(truth, info);
  const seen = play(episode, actions);
  if (!seen.done) throw new Error("The run is not over.");
  const grade = episode.grade();
  const parts = new Map(grade.strictTree ? flatten(grade.strictTree).map(({ path, part }) => [path, part]) : []);
  const part = (end: string) => [...parts].find(([path]) => path.endsWith(end))?.[1];
  return { strict: grade.strict ?? Number.NaN, value: (end: string) => part(end)?.value, part };
}

/** The flawless run with some of its actions replaced (by null: left out). */
function but(changes: ReadonlyMap<Action, Action | readonly Action[] | null>): Action[] {
  return FLAWLESS.flatMap((action) => {
    const change = changes.get(action);
    return change === undefined ? [action] : change === null ? [] : change;
  });
}

describe("the flawless run", () => {
  it("earns .9998 by the arithmetic above", () => {
    const { strict, value } = gradeOf(FLAWLESS);
    expect(value("grade / outcome × process / outcome")).toBe(1);
    expect(value("process share / process")).toBeCloseTo(0.9995, 10);
    expect(strict).toBeCloseTo(0.9998, 10);
  });

  it("counts when its last step is the last there is", () => {
    expect(gradeOf(FLAWLESS, TRUTH, { maxSteps: 9 }).strict).toBeCloseTo(0.9998, 10);
    expect(gradeOf(FLAWLESS, TRUTH, { maxMinutes: 8 }).strict).toBeCloseTo(0.9998, 10);
  });

  it("earns the same with neighbouring reads exchanged", () => {
    const cited = act("declare_cause", { ...declare.args, evidence: ["h2", "h3"] });
    const exchanged = [impact, cpu, lockWait, group, cited, route, snooze, impact, close];
    expect(gradeOf(exchanged).strict).toBe(gradeOf(FLAWLESS).strict);
  });

  it("is graded the same every time", () => {
    const episode = openFixture();
    play(episode, FLAWLESS);
    expect(episode.grade()).toBe(episode.grade());
    expect(JSON.stringify(gradeOf(FLAWLESS).part("grade"))).toBe(JSON.stringify(episode.grade().strictTree));
  });
});

describe("the outcome", () => {
  it("halves for a severity one level off and ends for one further off", () => {
    const p2 = act("route", { group: "g1", severity: "P2", team: "database" });
    const p3 = act("route", { group: "g1", severity: "P3", team: "database" });
    expect(gradeOf(but(new Map([[route, p2]]))).strict).toBeCloseTo(0.9998 / 2, 10);
    expect(gradeOf(but(new Map([[route, p3]]))).strict).toBe(0);
  });

  it("is nothing for the wrong team", () => {
    expect(gradeOf(but(new Map([[route, act("route", { ...route.args, team: "app" })]]))).strict).toBe(0);
  });

  it("is half for the right place with the wrong mechanism, and then held at .30", () => {
    const wrong = act("declare_cause", { ...declare.args, mechanism: "cpu_throttling" });
    const { strict, value } = gradeOf(but(new Map([[declare, wrong]])));
    expect(value("/ cause")).toBe(0.5);
    // Answer .5; wrong at .9 sure: 1 − .9² = .19. Diagnosis .8 · .5 + .2 · .19 = .438.
    expect(value("diagnosis / i1")).toBeCloseTo(0.438, 10);
    // O = .5, P = .75 + .25 · .438 = .8595, so O · (.6 + .4 · P) = .4719: above the wall.
    expect(strict).toBe(0.3);
  });

  it("takes the F1 of what is muted at the close", () => {
    const more = act("snooze", { alerts: ["a01", "a02", "a03"], minutes: 120 });
    // Three muted, two wanted, both hit: 2 · 2 ÷ 5 = .8. The page had been handed over, so nothing is hidden.
    const { strict, value } = gradeOf(but(new Map([[snooze, more]])));
    expect(value("outcome / noise")).toBeCloseTo(0.8, 10);
    expect(strict).toBeCloseTo(0.8 * 0.9998, 10);
    expect(gradeOf(but(new Map([[snooze, null]]))).strict).toBe(0);
  });

  it("does not count noise that a snooze no longer mutes at the close", () => {
    const late = [
      ...FLAWLESS.slice(0, 6),
      act("snooze", { alerts: ["a01", "a02"], minutes: 5 }),
      act("wait", { minutes: 5 }),
      impact,
      close,
    ];
    expect(gradeOf(late).value("outcome / noise")).toBe(0);
  });

  it("counts an invented incident as a zero beside the true one", () => {
    const second = [act("group", { alerts: ["a02"] }), act("route", { group: "g2", severity: "P4", team: "sre" })];
    const { value } = gradeOf(but(new Map([[close, [...second, close]]])));
    expect(value("outcome / incidents")).toBe(0.5);
  });

  it("does not take a group for the incident when less than half of it belongs there", () => {
    const mixed = act("group", { alerts: ["a01", "a02", "a03"] });
    expect(gradeOf(but(new Map([[group, mixed]]))).strict).toBe(0);
  });

  it("leaves groups without a claim out of account", () => {
    const notes = act("group", { alerts: ["a01", "a02"] });
    expect(gradeOf(but(new Map([[close, [notes, close]]]))).value("outcome / incidents")).toBe(1);
  });

  it("is nothing when the closing decision is false, missing or given up", () => {
    const said = act("close_triage", { disposition: "self_recovered" });
    expect(gradeOf(but(new Map([[close, said]]))).strict).toBe(0);
    expect(gradeOf(but(new Map([[close, act("give_up")]]))).strict).toBe(0);
    expect(gradeOf(but(new Map([[close, act("wait", { minutes: 1 })]])), TRUTH, { maxSteps: 9 }).strict).toBe(0);
  });

  it("is nothing when routed is said and nothing was routed", () => {
    expect(gradeOf([lockWait, cpu, group, declare, snooze, close]).strict).toBe(0);
  });
});

describe("the process", () => {
  it("loses a fifth without another look after the hand-over", () => {
    // The last impact read is left out: P = .9995 − .2 and G = .6 + .4 · .7995 = .9198.
    const actions = [lockWait, cpu, impact, group, declare, route, snooze, close];
    expect(gradeOf(actions).strict).toBeCloseTo(0.9198, 10);
  });

  it("pays citations by how many of them tell something", () => {
    const loose = act("declare_cause", { ...declare.args, evidence: ["h1", "y3"] });
    // One of two: evidence .4 + .3 + .3 · .5 = .85.
    expect(gradeOf(but(new Map([[declare, loose]]))).value("process / evidence")).toBeCloseTo(0.85, 10);
    const none = act("declare_cause", { ...declare.args, evidence: [] });
    expect(gradeOf(but(new Map([[declare, none]]))).value("process / evidence")).toBeCloseTo(0.7, 10);
  });

  it("fades with steps and with lateness beyond par", () => {
    const slow = [act("wait", { minutes: 14 }), ...FLAWLESS];
    const { value } = gradeOf(slow);
    // Ten steps are within 11.25. Told at minute 19: (27 − 19) ÷ (27 − 11.25); a07 fired at 12, so 3 of 4 were handed over.
    expect(value("process / efficiency")).toBe(1);
    expect(value("communication / i1")).toBeCloseTo((8 / 15.75) * 0.75, 10);
  });
});

describe("the caps", () => {
  it("hold a hidden page at .15", () => {
    const hide = act("silence", { matchers: ["service=checkout"], minutes: 5, reason: "loud" });
    const { strict, part } = gradeOf([hide, ...FLAWLESS]);
    expect(part("/ catastrophe")?.value).toBe(0.15);
    expect(part("/ catastrophe")?.reason).toContain("a04");
    expect(strict).toBe(0.15);
  });

  it("do not call it hidden when only a warning is muted and others still fire", () => {
    const some = act("snooze", { alerts: ["a05"], minutes: 5 });
    expect(gradeOf([some, ...FLAWLESS]).value("/ catastrophe")).toBe(1);
  });

  it("call it hidden when one mute after the other takes all that fire", () => {
    const warnings = {
      ...TRUTH,
      incidents: [{ ...INCIDENT, alerts: ["a03", "a05"] }],
      noise: ["a01", "a02", "a04", "a06"],
    };
    const one = (id: string) => act("snooze", { alerts: [id], minutes: 5 });
    expect(gradeOf([one("a03"), close], warnings).value("/ catastrophe")).toBe(1);
    expect(gradeOf([one("a03"), one("a05"), close], warnings).value("/ catastrophe")).toBe(0.15);
  });

  it("do not call it hidden once the incident is handed over", () => {
    const later = act("silence", { matchers: ["service=checkout"], minutes: 5, reason: "handed over" });
    expect(gradeOf(but(new Map([[close, [later, act("wait", { minutes: 10 }), close]]]))).value("/ catastrophe")).toBe(
      1,
    );
  });

  it("do not take a call for help that names no group for a hand-over", () => {
    const call = act("escalate", { team: "database", reason: "many alerts" });
    const hide = act("silence", { matchers: ["service=checkout"], minutes: 5, reason: "loud" });
    expect(gradeOf([call, hide, ...FLAWLESS]).value("/ catastrophe")).toBe(0.15);
  });

  it("hold a right guess at .50: the evidence has to come first", () => {
    const guess = act("declare_cause", { ...declare.args, evidence: [] });
    expect(gradeOf([group, guess, route, snooze, lockWait, cpu, impact, close]).strict).toBe(0.5);
    // What supports alone does not tell it from another cause.
    const half = act("declare_cause", { ...declare.args, evidence: ["h1"] });
    expect(gradeOf([lockWait, group, half, route, snooze, cpu, impact, close]).strict).toBe(0.5);
  });

  it("hold a false claim after nothing useful at .05", () => {
    expect(gradeOf([close]).part("/ false claim")).toMatchObject({ value: 0.05 });
    expect(gradeOf([close]).strict).toBe(0);
  });

  it("say that an episode ended without a decision", () => {
    expect(gradeOf([act("give_up")]).part("/ unresolved")).toMatchObject({ value: 0.35 });
  });
});

describe("episodes without a fault", () => {
  const quiet: AlertsTruth = {
    ...TRUTH,
    incidents: [],
    noise: ["a01", "a02", "a03", "a04", "a05", "a06", "a07"],
    disposition: "no_fault",
  };
  const muteAll = act("snooze", { alerts: ["a01", "a02", "a03", "a04", "a05"], minutes: 120 });
  const nothing = act("close_triage", { disposition: "no_fault" });

  it("pay saying so after looking, with the noise muted", () => {
    // O = 1. Evidence, verification and efficiency are whole: par = 3 + 2 = 5 and five steps.
    expect(gradeOf([lockWait, impact, muteAll, impact, nothing], quiet).strict).toBeCloseTo(1, 10);
  });

  it("pay nothing for saying so unseen", () => {
    expect(gradeOf([muteAll, nothing], quiet).strict).toBe(0);
    expect(gradeOf([impact, impact, muteAll, nothing], quiet).strict).toBe(0);
  });

  it("pay nothing for an invented incident", () => {
    expect(gradeOf([lockWait, impact, muteAll, group, route, nothing], quiet).strict).toBe(0);
  });
});

describe("incidents that cannot be determined", () => {
  const open: AlertsTruth = {
    ...TRUTH,
    // Here the lock wait is what cannot be read; seeing that supports leaving it open.
    incidents: [{ ...INCIDENT, determined: false, excludes: () => [] }],
    disposition: "escalated",
    alsoTrue: ["inconclusive"],
  };
  const undetermined = act("declare_cause", {
    ...declare.args,
    mechanism: "undetermined",
    confidence: 1,
    evidence: [],
  });
  const escalate = act("escalate", { group: "g1", team: "database", reason: "cannot tell" });
  const inconclusive = act("close_triage", { disposition: "inconclusive" });

  it("pay saying so after two kinds of sources", () => {
    const actions = [lockWait, impact, group, undetermined, route, snooze, impact, inconclusive];
    expect(gradeOf(actions, open).strict).toBeCloseTo(1, 10);
  });

  it("pay escalating without a cause as well", () => {
    const escalated = act("close_triage", { disposition: "escalated" });
    expect(gradeOf([lockWait, impact, group, route, escalate, snooze, impact, escalated], open).strict).toBeCloseTo(
      1,
      10,
    );
    // The word alone is not the act.
    expect(gradeOf([lockWait, impact, group, undetermined, route, snooze, impact, escalated], open).strict).toBe(0);
  });

  it("pay nothing for a cause that cannot be known", () => {
    expect(gradeOf([lockWait, cpu, impact, group, declare, route, snooze, impact, inconclusive], open).strict).toBe(0);
  });

  it("hold leaving it open at .50 when what is missing was not looked at", () => {
    expect(gradeOf([cpu, impact, group, undetermined, route, snooze, impact, inconclusive], open).strict).toBe(0.5);
  });

  it("pay nothing without looking", () => {
    expect(gradeOf([group, undetermined, route, snooze, inconclusive], open).strict).toBe(0);
  });
});
