import { describe, expect, it } from "vitest";
import { capped, type GradePart, leaf, product, weighted } from "../../../src/core/rubric";
import { startRun } from "../../../src/core/runs";
import { debriefState, readDebrief } from "../../../src/editor/debrief/debrief-state";
import { lostPoints } from "../../../src/editor/debrief/lost-points";
import { MemoryRecordStore } from "../../../src/storage/memory-store";
import { loadWorld } from "../../../src/worlds/catalogue";

describe("lost points", () => {
  it("are what the grade would have gained by the part, where parts do not depend on each other", () => {
    const tree = weighted(
      "grade",
      [
        [0.5, leaf("team", 0.5, "the wrong team for one of two", ["i1"])],
        [0.3, leaf("severity", 0, "two levels off")],
        [0.2, leaf("noise", 1, "all noise was muted")],
      ],
      "",
    );
    const [severity, team, ...none] = lostPoints(tree);
    expect(severity).toMatchObject({ path: "grade / severity", reason: "two levels off", evidence: [] });
    expect(severity?.lost).toBeCloseTo(0.3);
    expect(team).toMatchObject({ path: "grade / team", evidence: ["i1"] });
    expect(team?.lost).toBeCloseTo(0.25);
    expect(none).toEqual([]);
  });

  it("are shared out fairly where products and caps let parts depend on each other, and add up", () => {
    const inner = product("outcome", [leaf("cause", 0.5, "half"), leaf("claim", 0.8, "late")], "");
    const tree = capped("grade", inner, [{ name: "unverified", limit: 0.3, holds: true, reason: "no verifying read" }]);
    // 0.5 · 0.8 = 0.4, held at 0.3. Over the six orders of putting them right the cap gains .1, .1, .5, .2, .7, .7,
    // the cause 0, 0, 0, .4, .5, .5 and the claim 0, 0, 0, .1, .2, .2: means 2.3 ÷ 6, 1.4 ÷ 6 and .5 ÷ 6.
    const lost = new Map(lostPoints(tree).map((point) => [point.path, point.lost]));
    expect(lost.get("grade / unverified")).toBeCloseTo(2.3 / 6, 1);
    expect(lost.get("grade / outcome / cause")).toBeCloseTo(1.4 / 6, 1);
    expect(lost.get("grade / outcome / claim")).toBeCloseTo(0.5 / 6, 1);
    expect([...lost.values()].reduce((sum, each) => sum + each, 0)).toBeCloseTo(1 - 0.3, 10);
  });

  it("are shared by parts of which no single one would have helped", () => {
    const tree = product("grade", [leaf("a", 0, "wrong"), leaf("b", 0, "wrong too"), leaf("c", 1, "right")], "");
    expect(lostPoints(tree).map(({ path, lost }) => [path, lost])).toEqual([
      ["grade / a", 0.5],
      ["grade / b", 0.5],
    ]);
  });

  it("are none for a perfect grade", () => {
    expect(lostPoints(weighted("grade", [[1, leaf("all", 1, "right")]], ""))).toEqual([]);
  });

  it("take an affine scale's slope from the recorded point", () => {
    // 0.6 + 0.4 · 0.5 = 0.8.
    const scale: GradePart = { ...leaf("process", 0.8, ""), kind: "scale", parts: [leaf("p", 0.5, "half")] };
    expect(lostPoints(scale)[0]?.lost).toBeCloseTo(0.2);
  });
});

async function played(end: boolean): Promise<{ text: string; name: string }> {
  const store = new MemoryRecordStore();
  const context = { store, openedBy: "human", now: "2026-01-02T03:04:05.000Z", id: "x1" };
  const { session, name } = await startRun(await loadWorld("alerts"), "task_easy", 1, context);
  await session.act({ name: "triage", args: { severity: "P9", team: "sre", root_cause: "x" } }, "human");
  await session.act({ name: "triage", args: { severity: "P3", team: "sre", root_cause: "disk" } }, "human");
  await session.note("I am not sure.");
  if (end) await session.act({ name: "give_up", args: {} }, "human");
  return { text: await store.read(name ?? ""), name: name ?? "" };
}

describe("the debrief of a recording", () => {
  it("lists steps with what came of them, refused ones with their reason, and notes at their step", async () => {
    const { text, name } = await played(true);
    const source = { file: name, text };
    const { trajectory, torn } = readDebrief(source);
    const state = debriefState(source, trajectory, torn, (await loadWorld("alerts")).actions.forms());
    expect(state.steps.map(({ index, actor }) => [index, actor])).toEqual([
      [0, "human"],
      [1, "human"],
      [2, "human"],
    ]);
    expect(state.steps[0]?.problem).toContain("severity");
    expect(state.steps[0]?.result).toBeNull();
    expect(state.steps[1]?.problem).toBeNull();
    expect(state.notes).toEqual([{ step: 2, text: "I am not sure." }]);
    expect(state.status).toBe("graded");
    expect(state.torn).toBeNull();
  });

  it("shows arguments by the titles of their fields and names by their words, and what has none as it is", async () => {
    const { text, name } = await played(true);
    const source = { file: name, text };
    const { trajectory } = readDebrief(source);
    const [step] = trajectory.steps;
    if (!step) throw new Error("The run has no step.");
    const action = { name: "close_triage", args: { disposition: "self_recovered", extra: ["a", 1], odd: { x: null } } };
    const altered = { ...trajectory, steps: [{ ...step, action }, ...trajectory.steps.slice(1)] };
    const { steps, words } = debriefState(source, altered, null, (await loadWorld("alerts")).actions.forms());
    expect(steps[0]?.args).toEqual([
      { title: "Decision", text: "Recovered by itself" },
      { title: "extra", text: "a, 1" },
      { title: "odd", text: '{"x":null}' },
    ]);
    expect(words.disk_full).toBe("Full disk");
  });

  it("holds no grade, no truth and no reference players of a run that is not over", async () => {
    const { text, name } = await played(false);
    const source = { file: name, text };
    const { trajectory, torn } = readDebrief(source);
    const state = debriefState(source, trajectory, torn, []);
    expect(state).toMatchObject({ status: "unfinished", grade: null, truth: [], lost: [], references: [] });
  });

  it("says that the last line was cut off and shows the rest", async () => {
    const { text, name } = await played(false);
    const source = { file: name, text: `${text}{"schema":"fire` };
    const { trajectory, torn } = readDebrief(source);
    expect(trajectory.steps).toHaveLength(2);
    expect(torn).toContain("15 characters");
  });

  it.each([
    ["an empty file", "", /no complete line/],
    ["a newer schema", '{"schema":"firedrill/9","type":"episode"}\n', /Update Firedrill/],
    ["another kind of file", '{"a":1}\n', /not valid/],
  ])("refuses %s in a sentence", (_, text, message) => {
    expect(() => readDebrief({ file: "x", text })).toThrow(message);
  });
});
