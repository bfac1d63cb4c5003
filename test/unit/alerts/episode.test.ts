import { describe, expect, it } from "vitest";
import { randomAction } from "../../../src/core/random-action";
import { Stream } from "../../../src/core/rng";
import { ALERT_ACTIONS } from "../../../src/worlds/alerts/actions";
import { renderObservation } from "../../../src/worlds/alerts/render";
import { act, openFixture, play } from "./fixture";

const stateOf = (episode: ReturnType<typeof openFixture>) =>
  Object.fromEntries(episode.observe().alerts.map((row) => [row.id, row.state]));
const handlingOf = (episode: ReturnType<typeof openFixture>) =>
  Object.fromEntries(episode.observe().alerts.map((row) => [row.id, row.handling]));

describe("the life-cycle of alerts", () => {
  it("lists what has fired before the page, and nothing that fires later", () => {
    expect(stateOf(openFixture())).toEqual({
      a01: "flapping",
      a02: "resolved",
      a03: "firing",
      a04: "firing",
      a05: "firing",
    });
  });

  it("lets alerts fire, resolve and stop flapping as the clock moves", () => {
    const episode = openFixture();
    play(episode, [act("wait", { minutes: 4 })]);
    expect(stateOf(episode).a01).toBe("flapping");
    // The firing at −25 is 30 minutes old at minute 5: two recent firings are left.
    play(episode, [act("wait", { minutes: 1 })]);
    expect(stateOf(episode).a01).toBe("resolved");
    play(episode, [act("wait", { minutes: 5 })]);
    expect(stateOf(episode).a06).toBe("firing");
    play(episode, [act("wait", { minutes: 10 })]);
    expect(stateOf(episode)).toMatchObject({ a06: "resolved", a07: "firing" });
    expect(episode.observe().counts).toEqual({ firing: 4, flapping: 0, resolved: 3, quieted: 0 });
  });

  it("goes on for acknowledged alerts", () => {
    const episode = openFixture();
    play(episode, [
      act("wait", { minutes: 10 }),
      act("acknowledge", { alerts: ["a06"] }),
      act("wait", { minutes: 10 }),
    ]);
    const row = episode.observe().alerts.find(({ id }) => id === "a06");
    expect(row).toMatchObject({ state: "resolved", handling: "acknowledged" });
  });
});

describe("silences, snoozes and maintenance windows", () => {
  it("mute present and future alerts whose labels match, until they expire", () => {
    const episode = openFixture();
    play(episode, [act("silence", { matchers: ["service=checkout"], minutes: 20, reason: "known" })]);
    expect(handlingOf(episode)).toMatchObject({ a03: "none", a04: "silenced" });
    expect(episode.observe().silences[0]).toMatchObject({ createdAt: 1, expiresAt: 21, hits: 1 });
    play(episode, [act("wait", { minutes: 12 })]);
    expect(handlingOf(episode).a07).toBe("silenced");
    expect(episode.observe().silences[0]?.hits).toBe(2);
    play(episode, [act("wait", { minutes: 7 })]);
    expect(handlingOf(episode)).toMatchObject({ a04: "silenced", a07: "silenced" });
    play(episode, [act("wait", { minutes: 1 })]);
    expect(handlingOf(episode)).toMatchObject({ a04: "none", a07: "none" });
  });

  it("give their alerts back when they are ended early, with what else holds", () => {
    const episode = openFixture();
    play(episode, [
      act("acknowledge", { alerts: ["a04"] }),
      act("snooze", { alerts: ["a04"], minutes: 60 }),
      act("maintenance", { service: "checkout", minutes: 60, reason: "x" }),
    ]);
    expect(handlingOf(episode).a04).toBe("maintenance");
    play(episode, [act("expire_silence", { silence: "s2" })]);
    expect(handlingOf(episode).a04).toBe("snoozed");
    play(episode, [act("expire_silence", { silence: "s1" })]);
    expect(handlingOf(episode).a04).toBe("acknowledged");
    expect(episode.observe().silences.map((s) => s.expiresAt)).toEqual([5, 4]);
  });

  it("snooze exactly the alerts that were named", () => {
    const episode = openFixture();
    play(episode, [act("snooze", { alerts: ["a04"], minutes: 60 }), act("wait", { minutes: 15 })]);
    expect(handlingOf(episode)).toMatchObject({ a04: "snoozed", a07: "none" });
  });

  it("cover every alert of a service in maintenance, but of no other", () => {
    const episode = openFixture();
    play(episode, [act("maintenance", { service: "batch", minutes: 30, reason: "x" })]);
    expect(handlingOf(episode)).toMatchObject({ a01: "maintenance", a02: "maintenance", a03: "none" });
    expect(episode.observe().counts.quieted).toBe(2);
  });
});

describe("reads", () => {
  it("tell of an alert only after it was inspected", () => {
    const episode = openFixture();
    const before = episode.observe().alerts[3];
    expect(before).toEqual({
      id: "a04",
      name: "CheckoutErrors",
      service: "checkout",
      since: -4,
      state: "firing",
      handling: "none",
      group: null,
      known: null,
    });
    const seen = play(episode, [act("inspect_alert", { alert: "a04" })]);
    // The read takes a minute and shows that minute: 20 + 1.
    expect(seen.alerts[3]?.known).toMatchObject({ item: "i1", readAt: 1, value: 21, threshold: 10, team: "app" });
  });

  it("show the world as it is when they are repeated", () => {
    const episode = openFixture();
    const read = act("recent_changes", { minutes: 30 });
    const seen = play(episode, [read, act("wait", { minutes: 10 }), read]);
    const counts = seen.items.flatMap((item) => (item.kind === "changes" ? [item.events.length] : []));
    expect(counts).toEqual([1, 2]);
    expect(seen.items.map(({ id }) => id)).toEqual(["c1", "c2"]);
  });

  it("never show what lies ahead", () => {
    const seen = play(openFixture(), [act("recent_changes", { minutes: 60 }), act("service_graph")]);
    expect(JSON.stringify(seen)).not.toContain("version 9");
    expect(JSON.stringify(seen)).not.toContain("a07");
  });

  it("show both directions of the service graph", () => {
    const seen = play(openFixture(), [act("service_graph", { service: "checkout" })]);
    const [item] = seen.items;
    const names = item?.kind === "graph" ? item.services.map((service) => service.name) : [];
    expect(names).toEqual(["checkout", "orders-db", "web"]);
  });
});

describe("bad input", () => {
  it.each([
    ["an alert that does not exist", "inspect_alert", { alert: "a99" }, "alert", "a01 to a05"],
    ["an alert that has not fired yet", "acknowledge", { alerts: ["a07"] }, "alerts", "a07"],
    [
      "matchers that match nothing",
      "silence",
      { matchers: ["service=nope"], reason: "x" },
      "matchers",
      "none of the 5",
    ],
    [
      "matchers that match everything",
      "silence",
      { matchers: ['a=~".*"'], reason: "x" },
      "matchers",
      "without any label",
    ],
    ["a matcher that cannot be read", "silence", { matchers: ["service"], reason: "x" }, "matchers", "=, !=, =~ or !~"],
    ["a metric that does not exist", "query_history", { service: "orders-db", metric: "x" }, "metric", "db.lock.wait"],
    ["a service that does not exist", "impact", { service: "nope" }, "service", "orders-db"],
    [
      "a group that does not exist",
      "route",
      { group: "g1", severity: "P1", team: "app" },
      "group",
      "Group alerts first",
    ],
    ["a silence that does not exist", "expire_silence", { silence: "s1" }, "silence", "None is active"],
    ["a team that does not exist", "escalate", { team: "x", reason: "y" }, "team", "sre"],
    ["nothing to group", "group", {}, "alerts", "Name the alerts"],
    ["nothing to ungroup", "ungroup", { alerts: ["a01"] }, "alerts", "None of these"],
    ["an unknown argument", "wait", { hours: 1 }, "hours", "minutes"],
    ["minutes out of range", "wait", { minutes: 61 }, "minutes", "60"],
  ])("is a problem that costs nothing: %s", (_, name, args, field, says) => {
    const episode = openFixture();
    const before = episode.observe();
    const step = episode.step(act(name, args));
    expect(step.problem).toMatchObject({ code: "invalid_arguments", field });
    expect(step.problem?.message).toContain(says);
    expect(step.observation).toBe(before);
    expect(episode.observe()).toBe(before);
  });

  it("is a problem when evidence is cited that was never read", () => {
    const episode = openFixture();
    play(episode, [act("group", { alerts: ["a03"] })]);
    const cause = { group: "g1", component: "web", mechanism: "bad_deploy", confidence: 1, evidence: ["h7"] };
    expect(episode.step(act("declare_cause", cause)).problem).toMatchObject({ field: "evidence" });
  });
});

describe("groups", () => {
  it("hold an alert once; a group left empty is dropped", () => {
    const episode = openFixture();
    play(episode, [act("group", { alerts: ["a03", "a04"] }), act("group", { matchers: ['service=~"web|batch"'] })]);
    expect(episode.observe().groups.map(({ id, alerts }) => [id, alerts])).toEqual([
      ["g1", ["a03", "a04"]],
      ["g2", ["a01", "a02", "a05"]],
    ]);
    play(episode, [act("group", { alerts: ["a03", "a04"], group: "g2" })]);
    expect(episode.observe().groups.map(({ id, alerts }) => [id, alerts])).toEqual([
      ["g2", ["a01", "a02", "a05", "a03", "a04"]],
    ]);
    play(episode, [act("ungroup", { alerts: ["a01", "a02"] })]);
    expect(episode.observe().alerts.map((row) => row.group)).toEqual([null, null, "g2", "g2", "g2"]);
  });
});

describe("the end", () => {
  it("comes with the closing decision, after which nothing changes", () => {
    const episode = openFixture();
    const seen = play(episode, [act("close_triage", { disposition: "no_fault" })]);
    expect(seen.done).toBe(true);
    const after = episode.step(act("wait", { minutes: 5 }));
    expect(after.problem?.code).toBe("episode_over");
    expect(after.observation).toBe(seen);
    expect(episode.grade()).toBe(episode.grade());
  });

  it("comes when steps or minutes run out", () => {
    expect(play(openFixture(undefined, { maxSteps: 2 }), [act("group", { alerts: ["a01"] })]).done).toBe(false);
    expect(play(openFixture(undefined, { maxSteps: 1 }), [act("group", { alerts: ["a01"] })]).done).toBe(true);
    const late = play(openFixture(undefined, { maxMinutes: 7 }), [act("wait", { minutes: 60 })]);
    expect(late).toMatchObject({ done: true, minute: 7, clock: "02:07:00" });
  });

  it("is not graded before", () => {
    expect(() => openFixture().grade()).toThrow("not over");
  });
});

describe("previews", () => {
  it("count what a silence hits now and hit in the past, from the list alone", () => {
    const episode = openFixture();
    const preview = episode.preview(act("silence", { matchers: ['service=~"batch|checkout"'], reason: "x" }));
    // Now a01, a02, a04; a07 has not fired. Past 9 + 4 + 2, critical 0 + 1 + 2.
    expect(preview?.touches.map(({ label, count }) => [label, count])).toEqual([
      ["Would hit now", 3],
      ["Last 30 days", 15],
      ["Critical in the last 30 days", 3],
    ]);
    expect(preview?.dangerous).toBe(true);
    expect(preview?.unread.join()).toContain("a01, a02, a04");
  });

  it("say what was not looked at, and forget what was", () => {
    const episode = openFixture();
    play(episode, [act("inspect_alert", { alert: "a04" }), act("impact", { service: "checkout" })]);
    expect(episode.preview(act("snooze", { alerts: ["a04"] }))?.unread).toEqual([]);
    expect(episode.preview(act("snooze", { alerts: ["a03"] }))?.unread).toHaveLength(2);
  });

  it("explain matchers that cannot be used", () => {
    const preview = openFixture().preview(act("silence", { matchers: ["x=("], reason: "x" }));
    expect(preview).toMatchObject({ touches: [], dangerous: false });
  });

  it("cost nothing and exist for what ends or hides, not for reads", () => {
    const episode = openFixture();
    const before = episode.observe();
    expect(episode.preview(act("close_triage", { disposition: "routed" }))?.reversible).toBe(false);
    expect(episode.preview(act("impact", { service: "web" }))).toBeNull();
    expect(episode.observe()).toBe(before);
  });
});

describe("observations", () => {
  it("are never changed once handed out, and share what did not change", () => {
    const stream = Stream.of(7, "freeze");
    for (let run = 0; run < 20; run++) {
      const episode = openFixture();
      let before = freeze(episode.observe());
      while (!before.done) {
        const action = randomAction(ALERT_ACTIONS, (kind) => episode.choices(kind), stream);
        const step = episode.step(action);
        const now = freeze(step.observation);
        for (const [i, row] of now.alerts.entries()) {
          const old = before.alerts[i];
          if (old && JSON.stringify(old) === JSON.stringify(row)) expect(row).toBe(old);
        }
        const muted = now.alerts.filter(({ handling }) => handling !== "none" && handling !== "acknowledged").length;
        const tally = { firing: 0, flapping: 0, resolved: 0, quieted: muted };
        for (const { state } of now.alerts) tally[state]++;
        expect(now.counts).toEqual(tally);
        before = now;
      }
      freeze(episode.grade());
    }
  });

  it("read as text with everything the list holds", () => {
    const seen = play(openFixture(), [
      act("query_history", { service: "orders-db", metric: "db.lock.wait" }),
      act("group", { alerts: ["a03"] }),
      act("snooze", { alerts: ["a01"] }),
    ]);
    const text = renderObservation(seen);
    for (const piece of [
      "a05 | WebLatency | web | 01:57 | firing | none | - | not looked at",
      "g1: not routed",
      "s1: snooze",
      "h1",
    ])
      expect(text).toContain(piece);
  });
});

/** Freezes all the way down: a later write to anything handed out throws, since tests run in strict mode. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
