import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOSTILE } from "./fixtures/episodes";
import { debrief, errorState, proof, tornRun, truthForm } from "./fixtures/reports";
import { PanelBrowser } from "./harness";

let browser: PanelBrowser;
beforeAll(async () => {
  browser = await PanelBrowser.open();
});
afterAll(() => browser.close());

const calls = { command: () => null };
const text = async (page: Page, selector: string) =>
  (await page.locator(selector).first().textContent())?.replace(/\s+/g, " ").trim();

test("the debrief shows the grade on the seed's scale and the three storeys", async () => {
  const state = debrief();
  const shown = await browser.show("debrief", state, { calls });
  const { page } = shown;
  expect(await text(page, ".gnum")).toBe(state.grade?.strict?.toFixed(2));
  expect(await page.locator(".scale").getAttribute("aria-label")).toContain("oracle 0.98");
  expect(await page.locator(".storey h2").allTextContents()).toEqual(["Gate", "Outcome", "Process"]);
  expect(await text(page, ".storey[aria-label=Process] .sv")).toBe("0.87");
  expect(await page.locator(".lost [role=option]").count()).toBe(
    state.lost.filter((point) => point.lost >= 0.005).length,
  );
  expect(shown.complaints).toEqual([]);
  await shown.close();
});

test("arrows scrub through the steps, and letters replay, fork and start anew", async () => {
  const shown = await browser.show("debrief", debrief(), { calls });
  const { page, host } = shown;
  await page.keyboard.press("ArrowRight");
  expect(await text(page, ".now h2")).toBe("Step 4");
  await page.keyboard.press("End");
  expect(await text(page, ".now h2")).toBe("Step 12");
  await page.keyboard.press("ArrowLeft");
  for (const key of ["f", "r", "n", "p"]) await page.keyboard.press(key);
  await expect
    .poll(() => host.called("command"))
    .toEqual([
      { command: "firedrill.forkFromStep", args: [10] },
      { command: "firedrill.replayRun" },
      { command: "firedrill.newSeed" },
      { command: "firedrill.showProof" },
    ]);
  await expect.poll(() => host.sent("ui").at(-1)?.ui.step).toBe(10);
  await shown.close();
});

test("Enter on a lost point goes to the step that read its evidence", async () => {
  const shown = await browser.show("debrief", debrief(), { calls });
  const { page } = shown;
  const first = await text(page, ".lost .cur");
  expect(first).toContain("looked at 02:43, step 7");
  await page.keyboard.press("Enter");
  expect(await text(page, ".now h2")).toBe("Step 7");
  await shown.close();
});

test("a run without an end shows its steps, no grade and no truth", async () => {
  const shown = await browser.show("debrief", tornRun(), { calls });
  const { page, host } = shown;
  expect(await text(page, ".gnum")).toBe("–");
  const body = await page.locator("#app").textContent();
  expect(body).toContain("has not ended");
  expect(body).toContain("last line was cut off");
  expect(body).toContain("The replay of this file differs");
  expect(body).not.toContain("What was true");
  expect(await page.locator(".steps li").count()).toBe(12);
  await page.keyboard.press("f");
  expect(await page.locator("[role=status]").last().textContent()).toContain("Scrub to a step first");
  expect(host.called("command")).toEqual([]);
  await shown.close();
});

test("abandoned and ungraded runs say so", async () => {
  const { grade } = debrief();
  const abandoned = await browser.show("debrief", debrief({ status: "abandoned", grade: null, lost: [], truth: [] }));
  expect(await abandoned.page.locator("#app").textContent()).toContain("was given up");
  await abandoned.close();
  const none = grade && {
    ...grade,
    strict: null,
    strictTree: null,
    ungraded: "the grader met a value that is not a number",
  };
  const ungraded = await browser.show("debrief", debrief({ status: "ungraded", grade: none, lost: [] }));
  expect(await ungraded.page.locator("#app").textContent()).toContain("not a number");
  await ungraded.close();
});

test("a file that cannot be shown gives a page that says what to do, and gives way to a run", async () => {
  const shown = await browser.show("debrief", errorState(), { calls });
  const { page, host } = shown;
  expect(await text(page, "[role=alert] h1")).toBe("This run cannot be shown");
  await host.send({ type: "snapshot", seq: 9, state: debrief() });
  await expect.poll(() => page.locator(".gnum").count()).toBe(1);
  await shown.close();
});

test("hostile texts in a recording are shown as texts", async () => {
  const base = debrief();
  const steps = base.steps.map((step) => ({
    ...step,
    result: HOSTILE.markup + HOSTILE.long,
    reasoning: HOSTILE.bidi,
    title: HOSTILE.markup,
    actor: HOSTILE.control,
  }));
  const shown = await browser.show(
    "debrief",
    debrief({
      steps,
      title: HOSTILE.markup,
      truth: [{ heading: HOSTILE.markup, text: HOSTILE.long }],
      notes: [{ step: 2, text: HOSTILE.markup }],
    }),
  );
  const { page } = shown;
  expect(await page.evaluate(() => "__pwned" in window)).toBe(false);
  expect(await page.locator("#app img").count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  expect(shown.complaints).toEqual([]);
  await shown.close();
});

test("the proof table fills as rows arrive and can be cut to the broken bounds", async () => {
  const state = proof();
  const shown = await browser.show("proof", { ...state, rows: [], done: 0 });
  const { page, host } = shown;
  expect(await page.locator("#app").textContent()).toContain("first episodes");
  await host.show(state);
  await expect.poll(() => page.locator("tbody tr").count()).toBe(7);
  await page.locator("input[type=checkbox]").check();
  expect(await page.locator("tbody tr th").allTextContents()).toEqual(["read-all-spray"]);
  expect(await text(page, "tbody tr")).toContain("breaks");
  expect(await page.locator("[role=progressbar]").getAttribute("aria-valuenow")).toBe("400");
  expect(shown.complaints).toEqual([]);
  await shown.close();
});

test("alerts are put into incidents, the fields are filled in and the truth is saved", async () => {
  const shown = await browser.show("truth-form", truthForm(), {
    calls: { saveTruth: () => ({ saved: "storm.firedrill.json" }) },
  });
  const { page, host } = shown;
  await page.locator("#filter").fill("TargetDown");
  await page.getByRole("button", { name: "Select 11" }).click();
  await page.keyboard.press("i");
  await page.keyboard.press("2");
  const draft = () => host.sent("ui").at(-1)?.ui.truth;
  await expect.poll(() => draft()?.incidents[1]?.alerts.length).toBe(11);
  await page.locator("vscode-dropdown[aria-label='Team of A']").focus();
  await page.keyboard.press("ArrowDown");
  await page.locator("vscode-text-area").click();
  await page.keyboard.type("Orders stop at noon.");
  await expect.poll(() => draft()?.brief).toBe("Orders stop at noon.");
  expect(draft()?.incidents[0]?.team).not.toBe("");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => page.locator(".says").textContent()).toContain("Saved as storm.firedrill.json");
  expect(host.called("saveTruth")).toHaveLength(1);
  expect(shown.complaints).toEqual([]);
  await shown.close();
});
