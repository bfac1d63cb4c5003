import { describe, expect, it } from "vitest";
import type { Uri } from "vscode";
import { parseSeed } from "../../../src/editor/commands/scenario-commands";
import type { Editor } from "../../../src/editor/editor";
import { linkArguments } from "../../../src/editor/links";
import { FRESH_UI, mergeUi } from "../../../src/editor/panel-state";
import { panelPage } from "../../../src/editor/panels/html";
import { familyText } from "../../../src/editor/panels/proof-panel";
import { randomPorts } from "../../../src/editor/ports/ports";
import { clampPace, readSettings } from "../../../src/editor/settings";
import { inSlices } from "../../../src/editor/slices";
import { DrillTimer, statusText } from "../../../src/editor/status-bar";
import { actorsIn, type ListedRun } from "../../../src/editor/views/listed-run";
import { describe as describeRun, matchesFilter } from "../../../src/editor/views/runs-view";
import { bestGrades } from "../../../src/editor/views/scenarios-view";

describe("the status bar text", () => {
  const observation = { clock: "14:03:20", step: 28, maxSteps: 40 };
  it("names the world, the simulated clock and the steps left", () => {
    const text = statusText(observation, { world: "Alerts", error: null, over: false }, "");
    expect(text).toBe("$(record) Alerts 14:03:20 · 12 steps left");
  });
  it("says that steps are not recorded, and that the episode is over", () => {
    expect(statusText(observation, { world: "Alerts", error: "full", over: false }, "")).toContain("not recorded");
    expect(statusText(observation, { world: "Alerts", error: null, over: true }, "1:00")).toBe(
      "$(check) Alerts 14:03:20 · over · $(watch) 1:00",
    );
  });
});

describe("the drill timer", () => {
  it("counts wall time without the pauses", () => {
    const timer = new DrillTimer();
    timer.start(1000);
    expect(timer.text(248_000)).toBe("4:07");
    timer.toggle(248_000);
    expect(timer.text(900_000)).toBe("4:07 (paused)");
    timer.toggle(900_000);
    expect(timer.text(903_000)).toBe("4:10");
  });
});

describe("work in slices", () => {
  it("lets others run whenever a slice is used up, and gives the result", async () => {
    let now = 0;
    function* work() {
      for (let i = 0; i < 10; i++) {
        now += 5;
        yield i;
      }
      return "done";
    }
    let pauses = 0;
    const result = await inSlices(work(), { milliseconds: () => now, onProgress: () => pauses++ });
    // 12 ms a slice at 5 ms a piece: three pieces a slice, so a pause after pieces 3, 6 and 9.
    expect([result, pauses]).toEqual(["done", 3]);
  });
  it("stops between slices when it is cancelled", async () => {
    let now = 0;
    let pieces = 0;
    function* work() {
      for (;;) {
        now += 20;
        pieces++;
        yield;
      }
    }
    const isCancelled = () => pieces >= 4;
    expect(await inSlices(work(), { milliseconds: () => now, isCancelled })).toBeUndefined();
    expect(pieces).toBe(4);
  });
});

describe("a panel's page", () => {
  const page = panelPage({
    kind: "alerts",
    title: '<b>"x"</b>',
    nonce: "abc",
    cspSource: "https://c.example",
    script: "https://c.example/alerts.js",
    style: "https://c.example/alerts.css",
    icons: "https://c.example/codicon.css",
  });
  it("allows scripts by nonce alone and nothing inline or remote", () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.replaceAll("&#39;", "'") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'nonce-abc';");
    expect(policy).not.toContain("unsafe");
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/\son\w+=/);
  });
  it("shows a title as text", () => {
    expect(page).not.toContain("<b>");
  });
});

describe("the view state a panel reports", () => {
  it("is taken over where it has the right shape and dropped elsewhere", () => {
    const ui = mergeUi(FRESH_UI, { filter: "cart", selected: ["a", 5], scroll: Number.NaN, drafts: [], cursor: 7 });
    expect(ui).toEqual({ ...FRESH_UI, filter: "cart", selected: ["a"] });
  });
});

describe("the length of what a panel reports", () => {
  it("is bounded, since it is kept over reloads", () => {
    const long = "x".repeat(100_000);
    const ui = mergeUi(FRESH_UI, { cursor: long, openAction: long, filter: long, groupBy: long, sortBy: long });
    for (const text of [ui.cursor, ui.openAction, ui.filter, ui.groupBy, ui.sortBy]) expect(text).toHaveLength(1000);
  });
});

describe("the half-filled forms that a panel reports", () => {
  it("are kept as they are: texts, numbers, yes or no, and lists of them", () => {
    const drafts = { silence: { reason: "noise", minutes: 5, sure: true, matchers: ['service="x"'] } };
    expect(mergeUi(FRESH_UI, { drafts }).drafts).toEqual(drafts);
  });
  it("are the latest 32, and every field of them is bounded", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`action${i}`, { reason: `${i}` }]));
    const big = { text: "x".repeat(50_000), list: Array.from({ length: 5000 }, (_, i) => `a${i}`), deep: { a: 1 } };
    const { drafts } = mergeUi(FRESH_UI, { drafts: { ...many, big, odd: 7 } });
    expect(Object.keys(drafts)).toHaveLength(32);
    expect(Object.keys(drafts).slice(-2)).toEqual(["action99", "big"]);
    expect([drafts.big?.text, drafts.big?.list]).toEqual(["x".repeat(10_000), big.list.slice(0, 1000)]);
    expect(Object.keys(drafts.big ?? {})).toEqual(["text", "list"]);
  });
});

describe("the families of a proof", () => {
  it("are shown in words, and without underscores where there are none", () => {
    expect(familyText("disk_full", { disk_full: "Full disk" })).toBe("Full disk");
    expect(familyText("two_at_once", {})).toBe("two at once");
  });
});

describe("seeds and links", () => {
  it("take whole numbers from 0 up", () => {
    expect(parseSeed("0")).toBe(0);
    expect(parseSeed(" 17 ")).toBe(17);
    for (const wrong of ["", "-1", "1.5", "1e3", "x", "99999999999999999999"]) expect(parseSeed(wrong)).toBeUndefined();
  });
  it("are read from a link; a wrong seed is left for the command to refuse", () => {
    expect(linkArguments("world=alerts&scenario=s1&seed=4")).toEqual({ world: "alerts", scenario: "s1", seed: 4 });
    expect(linkArguments("world=alerts&scenario=s1")).toEqual({ world: "alerts", scenario: "s1" });
    expect(linkArguments("seed=-4").seed).toBe("-4");
  });
  it("are drawn below a million from four bytes", () => {
    const ports = randomPorts((n) => new Uint8Array(n).fill(255));
    // 2^32 − 1 = 4,294,967,295; modulo 1,000,000.
    expect(ports.randomSeed()).toBe(967_295);
    expect(ports.randomId()).toBe("ffffffff");
  });
});

describe("settings", () => {
  const uri = (scheme: string, path: string) =>
    ({ scheme, path, toString: () => `${scheme}:${path}` }) as unknown as Uri;
  const withFolder = (folder: string) => {
    const editor = {
      workspace: { getConfiguration: () => ({ get: (key: string) => (key === "runs.folder" ? folder : undefined) }) },
      Uri: {
        file: (path: string) => uri("file", path),
        parse: (text: string) => uri(text.slice(0, text.indexOf(":")), text.slice(text.indexOf("/"))),
        joinPath: (base: Uri, name: string) => uri(base.scheme, `${base.path}/${name}`),
      },
    } as unknown as Editor;
    return readSettings(editor, uri("vscode-userdata", "/global")).runsFolder().toString();
  };
  it("keep runs in the extension's storage unless a folder is named", () => {
    expect(withFolder("  ")).toBe("vscode-userdata:/global/runs");
    expect(withFolder("/data/runs")).toBe("file:/data/runs");
    expect(withFolder("C:\\runs")).toBe("file:C:\\runs");
    expect(withFolder("memfs://x/runs")).toBe("memfs://x/runs");
    expect(withFolder("~/runs")).toBe(`file:${process.env.HOME}/runs`);
  });
  it("hold the pace between its bounds", () => {
    expect([clampPace(-5), clampPace(250.4), clampPace(1e9), clampPace(Number.NaN)]).toEqual([0, 250, 60_000, 1000]);
  });
});

const run = (more: Partial<ListedRun>): ListedRun => ({
  name: "2026-01-02-alerts-x.firedrill.jsonl",
  location: "/runs/x",
  bytes: 1,
  modified: 1,
  status: "graded",
  world: "alerts",
  scenario: "s1",
  title: "Night page",
  seed: 7,
  players: ["human"],
  openedAt: "2026-01-02T03:04:05Z",
  grade: 0.84,
  hindsight: false,
  problem: null,
  ...more,
});

describe("listed runs", () => {
  it("know who took the steps from how step lines begin, whatever stands behind", () => {
    const step = (index: number, actor: string) =>
      `${JSON.stringify({ schema: "firedrill/1", type: "step", index, actor, note: '"actor":"policy:fake"' })}\n`;
    expect(actorsIn(step(0, "human") + step(1, "policy:rules") + step(2, "human"))).toEqual(["human", "policy:rules"]);
  });
  it("say grade, player, seed and day", () => {
    expect(describeRun(run({}), false)).toBe("0.84 · you · seed 7 · 2026-01-02");
    expect(describeRun(run({ players: ["human", "policy:rules"], hindsight: true }), false)).toContain(
      "0.84 (hindsight) · you + rules",
    );
    expect(describeRun(run({ status: "unfinished", grade: null }), true)).toContain("running");
  });
  it("match a filter when all its words stand somewhere", () => {
    expect(matchesFilter(run({}), "night you")).toBe(true);
    expect(matchesFilter(run({}), "night rules")).toBe(false);
    expect(matchesFilter(run({}), "")).toBe(true);
  });
  it("give the best of one's own honest grades by scenario", () => {
    const best = bestGrades([
      run({ grade: 0.4 }),
      run({ grade: 0.7 }),
      run({ grade: 0.99, hindsight: true }),
      run({ grade: 1, players: ["human", "policy:oracle"] }),
      run({ scenario: "s2", grade: null, status: "unfinished" }),
    ]);
    expect([...best]).toEqual([
      ["alerts/s1", 0.7],
      ["alerts/s2", null],
    ]);
  });
});
