import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AlertsObservation } from "../../src/worlds/alerts/observation";
import { alertsWorld } from "../../src/worlds/alerts/world";
import { flood, HOSTILE, hostile, storm } from "./fixtures/episodes";
import { PlayedEpisode } from "./fixtures/play";
import { PanelBrowser, type ShownPanel, shoot } from "./harness";

let browser: PanelBrowser;
beforeAll(async () => {
  browser = await PanelBrowser.open();
});
afterAll(() => browser.close());

const rows = (page: Page) => page.locator("#grid tr.row");
const active = (page: Page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function play(scenario: string): Promise<{ played: PlayedEpisode; shown: ShownPanel }> {
  const played = new PlayedEpisode(scenario, 3);
  const shown = await browser.show("alerts", played.state(), { calls: played.calls });
  played.host = shown.host;
  return { played, shown };
}

const starter = alertsWorld.scenarios().find((s) => s.split === "starter")?.id ?? "";

test("a whole episode is played with the keyboard alone", async () => {
  const { played, shown } = await play(starter);
  const { page } = shown;
  const steps = () => played.actions.map((a) => a.name);
  // Until the host has answered, the form is open and its text field has the keys.
  const until = async (name: string) => {
    await expect.poll(steps, { timeout: 10_000 }).toContain(name);
    await expect.poll(() => active(page)).toBe(name === "close_triage" ? "open-debrief" : "TABLE");
  };

  await press(page, "d");
  await until("inspect_alert");
  await expect.poll(() => page.locator("#grid tr.cur .c-val").textContent()).not.toContain("not looked at");
  await press(page, "h");
  await until("query_history");
  await expect.poll(() => page.locator("#detail figure.chart").count()).toBe(1);
  await press(page, "e");
  await until("service_graph");
  await press(page, "c");
  await until("recent_changes");
  await press(page, "y");
  await until("impact");

  await press(page, "Space", "ArrowDown", "Space", "g");
  await expect.poll(() => active(page)).toBe("apply");
  await press(page, "Enter");
  await until("group");
  expect(played.actions.at(-1)?.args.alerts).toHaveLength(2);

  await press(page, "r");
  await page.waitForSelector(".strip [role=radiogroup]");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("radio");
  await press(page, "ArrowRight", "Tab", "ArrowRight", "Control+Enter");
  await until("route");

  await press(page, "s");
  await page.waitForSelector("[data-field=reason]");
  await page.keyboard.type("known noise, see s1");
  await press(page, "Control+Enter");
  await until("silence");
  expect(played.actions.at(-1)?.args.reason).toBe("known noise, see s1");

  await press(page, "f");
  await page.waitForSelector("[data-field=disposition]");
  await press(page, "ArrowRight", "ArrowLeft", "Control+Enter");
  await until("close_triage");
  expect(played.episode.observe().done).toBe(true);
  await press(page, "Enter");
  await expect.poll(() => shown.host.called("command")).toEqual([{ command: "firedrill.openDebrief" }]);
  expect(shown.complaints).toEqual([]);
  await shown.close();
});

test("the cause is declared with cited evidence, chosen from drop-downs by keyboard", async () => {
  const { played, shown } = await play(starter);
  const { page } = shown;
  await press(page, "d");
  await expect.poll(() => played.actions.length).toBe(1);
  await press(page, "g");
  await expect.poll(() => active(page)).toBe("apply");
  await press(page, "Enter");
  await expect.poll(() => played.actions.length).toBe(2);
  const read = played.episode.observe().items[0]?.id ?? "";
  await page.locator(`#detail button.chip.ev`, { hasText: read }).click();
  await press(page, "m");
  await page.waitForSelector("[data-field=mechanism] vscode-dropdown");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest("[data-field]")?.getAttribute("data-field")))
    .toBe("mechanism");
  await press(page, "ArrowDown", "ArrowDown", "Tab", "Tab");
  await page.keyboard.type("0.7");
  await press(page, "Control+Enter");
  await expect.poll(() => played.actions.at(-1)?.name).toBe("declare_cause");
  const args = played.actions.at(-1)?.args ?? {};
  expect(args).toMatchObject({ group: "g1", confidence: 0.7, evidence: [read] });
  expect(typeof args.mechanism).toBe("string");
  await shown.close();
});

test("a published task takes the whole triage in one form and does not suppress the row at the cursor", async () => {
  const { played, shown } = await play("task_hard");
  const { page } = shown;
  await press(page, "t");
  await page.waitForSelector("[data-field=severity]");
  await press(page, "ArrowRight", "Tab", "ArrowRight", "Tab");
  await page.keyboard.type("the primary database is out of connections");
  await press(page, "Control+Enter");
  await expect.poll(() => played.actions).toHaveLength(1);
  expect(played.actions[0]).toEqual({
    name: "triage",
    args: {
      severity: "P2",
      team: "database",
      root_cause: "the primary database is out of connections",
      suppressed: [],
    },
  });
  await expect.poll(() => active(page)).toBe("TABLE");
  // The next triage begins with the last one, so that one thing can be changed.
  await press(page, "Space", "t");
  await expect.poll(() => active(page)).toBe("apply");
  await press(page, "Enter");
  await expect.poll(() => played.actions).toHaveLength(2);
  expect(played.actions[1]?.args).toMatchObject({ severity: "P2", team: "database" });
  expect(played.actions[1]?.args.suppressed).toHaveLength(1);
  await shown.close();
});

test("risky actions are previewed and the focus is not on Apply", async () => {
  const { shown } = await play(starter);
  const { page } = shown;
  await press(page, "z");
  await page.waitForSelector(".hits");
  expect(await active(page)).toBe("cancel");
  expect(await page.locator(".hits dt").first().textContent()).toBe("Would hit now");
  await press(page, "Escape");
  expect(await page.locator(".strip").count()).toBe(0);
  expect(await active(page)).toBe("TABLE");
  await shown.close();
});

test("letters act only when nobody is typing, and Escape steps back one thing at a time", async () => {
  const { played, shown } = await play(starter);
  const { page } = shown;
  await press(page, "/");
  expect(await active(page)).toBe("filter");
  await page.keyboard.type("dh");
  expect(played.actions).toEqual([]);
  expect(await page.locator("#filter").inputValue()).toBe("dh");
  await press(page, "Escape");
  expect(await active(page)).toBe("TABLE");
  await press(page, "Escape");
  expect(await page.locator("#filter").inputValue()).toBe("");
  await shown.close();
});

test("the second key of an editor's chord is the editor's alone", async () => {
  const { played, shown } = await play(starter);
  const { page } = shown;
  await press(page, "Control+k", "d", "Control+k", "w");
  expect(await page.locator(".strip").count()).toBe(0);
  await press(page, "d");
  await expect.poll(() => played.actions.map((a) => a.name)).toEqual(["inspect_alert"]);
  await shown.close();
});

test("an action that is sent at once asks for no preview that would come after the end", async () => {
  const sent: string[] = [];
  const shown = await browser.show("alerts", storm(), {
    calls: {
      preview: () => sent.push("preview") && null,
      act: () => {
        sent.push("act");
        return new Promise((done) => setTimeout(() => done({ done: true }), 400));
      },
    },
  });
  const { page } = shown;
  await press(page, "f");
  await page.waitForSelector("[data-field=disposition]");
  await expect.poll(() => active(page)).not.toBe("TABLE");
  await page.evaluate(() => {
    const key = (name: string, ctrlKey = false) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: name, ctrlKey, bubbles: true }));
    key("ArrowRight");
    key("Enter", true);
  });
  await expect.poll(() => page.locator(".strip").count()).toBe(0);
  expect(sent).toEqual(["act"]);
  await shown.close();
});

test("a refused action says why, beside the field, and keeps what was typed", async () => {
  const state = storm();
  const shown = await browser.show("alerts", state, {
    calls: {
      preview: () => null,
      act: () => ({
        done: false,
        problem: { code: "invalid_arguments", field: "minutes", message: "wait: at most 12 minutes are left." },
      }),
    },
  });
  const { page } = shown;
  await press(page, "t");
  await expect.poll(() => active(page)).toBe("apply");
  await press(page, "Enter");
  expect(await page.locator("[data-field=minutes] .problem").textContent()).toContain("at most 12 minutes are left");
  expect(await page.locator("[role=status]").last().textContent()).toContain("at most 12 minutes are left");
  await shown.close();
});

test("5,000 alerts: only the window exists, and the cursor stays in it under End, sort, filter and group", async () => {
  const shown = await browser.show("alerts", flood());
  const { page } = shown;
  expect(await page.locator("#grid table").getAttribute("aria-rowcount")).toBe("5001");
  expect(await rows(page).count()).toBeLessThan(80);
  await press(page, "End");
  await expect.poll(() => page.locator("#grid tr.cur").getAttribute("aria-rowindex")).toBe("5001");
  const cursor = await page.locator("#grid tr.cur").getAttribute("data-key");
  await page.locator("label.choose select").nth(1).selectOption("service");
  await expect.poll(() => page.locator("#grid tr.cur").getAttribute("data-key")).toBe(cursor);
  await press(page, "/");
  await page.keyboard.type("-unread resolved");
  await expect.poll(async () => (await page.locator(".counts").textContent())?.trim()).toMatch(/^\d+ of 5000 alerts/);
  const fits = (text: string) => text.includes("resolved") && !text.includes("not looked at");
  await expect.poll(async () => (await rows(page).allTextContents()).filter((text) => !fits(text))).toEqual([]);
  expect(await rows(page).count()).toBeGreaterThan(0);
  await press(page, "Escape", "Escape");
  await page.locator("label.choose select").first().selectOption("service");
  await expect.poll(() => page.locator("#grid tr.grp").count()).toBeGreaterThan(0);
  expect(await page.locator("#grid table").getAttribute("aria-rowcount")).toBe("5009");
  expect(shown.complaints).toEqual([]);
  await shown.close();
});

/** The rows that exist, in the document's order, and whether they fill what is to be seen of the table. */
function window5000(page: Page) {
  return page.locator("#grid").evaluate((grid) => {
    const all = [...grid.querySelectorAll<HTMLElement & { was?: string }>("tr.row")];
    const box = grid.getBoundingClientRect();
    const head = grid.querySelector("thead")?.getBoundingClientRect().bottom ?? box.top;
    const rows = all.map((row) => {
      const { was } = row;
      row.was = row.dataset.key ?? "";
      const text = (cell: string) => row.querySelector(cell)?.textContent ?? "";
      const at = Number(row.getAttribute("aria-rowindex"));
      return { key: row.was, was, at, name: text(".c-name"), service: text(".c-svc"), state: text(".c-state") };
    });
    const top = all[0]?.getBoundingClientRect().top ?? Number.NaN;
    const bottom = all.at(-1)?.getBoundingClientRect().bottom ?? Number.NaN;
    return { rows, fills: top <= head + 1 && bottom >= box.bottom - 1 };
  });
}

test("while 5,000 alerts scroll, every row shows its own alert in its place, and rows in sight keep their elements", async () => {
  const state = flood();
  const shown = await browser.show("alerts", state);
  const { page } = shown;
  const alerts = new Map((state.observation as AlertsObservation).alerts.map((alert) => [alert.id, alert]));
  const scroll = (top: number) =>
    page.locator("#grid").evaluate(async (grid, to) => {
      grid.scrollTop = to;
      for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done));
    }, top);
  let before = await window5000(page);
  let from = 0;
  // Small steps down and up, a jump, both ends.
  for (const top of [240, 480, 720, 500, 40_000, 39_900, 39_000, 1e9, 0]) {
    await scroll(top);
    const now = await window5000(page);
    expect(now.fills).toBe(true);
    expect(now.rows.map(({ at }) => at)).toEqual(now.rows.map((_, i) => (now.rows[0]?.at ?? 0) + i));
    for (const { key, name, service, state: word } of now.rows)
      expect([name, service, word]).toEqual(
        [alerts.get(key)].flatMap((alert) => [alert?.name, alert?.service, alert?.state]),
      );
    const earlier = new Set(before.rows.map(({ key }) => key));
    const stayed = now.rows.filter(({ key }) => earlier.has(key));
    expect(stayed.map(({ was }) => was)).toEqual(stayed.map(({ key }) => key));
    if (Math.abs(top - from) < 300) expect(stayed.length).toBeGreaterThan(10);
    before = now;
    from = top;
  }
  expect(shown.complaints).toEqual([]);
  await shown.close();
});

test("equal alerts keep their places when others change", async () => {
  const shown = await browser.show("alerts", flood(300));
  const { page, host } = shown;
  await page.locator("label.choose select").nth(1).selectOption("state");
  await expect.poll(() => page.locator("#grid th[aria-sort=ascending]").count()).toBe(1);
  const keys = () => rows(page).evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.key));
  const before = await keys();
  const state = flood(300);
  const { observation } = state;
  const touched = {
    ...observation,
    alerts: (observation as AlertsObservation).alerts.map((a) => ({ ...a, handling: "acknowledged" })),
  };
  await host.show({
    ...state,
    ui: host.state.kind === "alerts" ? host.state.ui : state.ui,
    observation: touched as typeof observation,
  });
  await expect
    .poll(() => page.locator("#grid tr.row .c-hand", { hasText: "acknowledged" }).count())
    .toBeGreaterThan(10);
  expect(await keys()).toEqual(before);
  await shown.close();
});

test("a group is selected at its heading, and acts as a whole", async () => {
  const shown = await browser.show("alerts", storm(), { calls: { preview: () => null, act: () => ({ done: false }) } });
  const { page, host } = shown;
  await press(page, "Home", "Space");
  const count = Number(/(\d+) alert/.exec((await page.locator("#grid tr.grp").first().textContent()) ?? "")?.[1]);
  expect(await page.locator(".counts b").textContent()).toBe(`${count} selected`);
  await press(page, "ArrowLeft");
  expect(await page.locator("#grid tr.grp .fold").first().getAttribute("aria-expanded")).toBe("false");
  await press(page, "a");
  await expect.poll(() => active(page)).toBe("apply");
  await press(page, "Enter");
  await expect.poll(() => host.called("act")).toHaveLength(1);
  expect((host.called("act")[0] as { args: { alerts: string[] } }).args.alerts).toHaveLength(count);
  await shown.close();
});

test("a message that went missing makes the panel ask for everything again", async () => {
  const state = storm();
  const shown = await browser.show("alerts", state);
  const { page, host } = shown;
  const later = { ...state, observation: { ...state.observation, clock: "02:48:00" } };
  host.lose(later);
  await host.show({ ...later, observation: { ...later.observation, clock: "02:49:00" } });
  await expect.poll(() => host.sent("ready").length).toBe(2);
  await expect.poll(() => page.locator(".top .fact b").first().textContent()).toBe("02:49:00");
  await shown.close();
});

test("what was open and half filled in comes back with a new panel", async () => {
  const first = await browser.show("alerts", storm(), { calls: { preview: () => null } });
  await press(first.page, "End", "s");
  await first.page.waitForSelector("[data-field=reason]");
  await first.page.keyboard.type("half a reason");
  await expect.poll(() => JSON.stringify(first.host.state)).toContain("half a reason");
  const kept = first.host.state;
  await first.close();
  const second = await browser.show("alerts", kept, { calls: { preview: () => null } });
  await second.page.waitForSelector("[data-field=reason]");
  const reason = await second.page
    .locator("[data-field=reason] vscode-text-area")
    .evaluate((e) => (e as HTMLTextAreaElement).value);
  expect(reason).toBe("half a reason");
  const cursor = kept.kind === "alerts" ? kept.ui.cursor : "";
  expect(await second.page.locator("#grid tr.cur").getAttribute("data-key")).toBe(cursor);
  await second.close();
});

test("texts written to do harm are shown as texts", async () => {
  const shown = await browser.show("alerts", hostile());
  const { page } = shown;
  for (const tab of ["Evidence", "Muted", "Task"]) await page.getByRole("tab", { name: tab }).click();
  await page.getByRole("tab", { name: "Evidence" }).click();
  await page.locator(".evs .fold").first().click();
  const lone = await page.evaluate(() => {
    window.postMessage(
      {
        type: "patch",
        seq: 1,
        patch: [{ op: "replace", path: "/observation/title", value: `lone ${String.fromCharCode(0xd800)} half` }],
      },
      "*",
    );
    return new Promise<string>((done) => setTimeout(() => done(document.querySelector("h1")?.textContent ?? ""), 100));
  });
  expect(lone).toContain("lone \ufffd half");
  const seen = await page.evaluate(() => ({
    pwned: "__pwned" in window,
    images: document.querySelectorAll("#app img").length,
    // biome-ignore lint/performance/useDomNodeTextContent: only what is laid out is what a person reads
    text: document.body.innerText,
    longest: Math.max(
      ...[...document.querySelectorAll("#app *")].map((e) =>
        e.children.length === 0 ? (e.textContent ?? "").length : 0,
      ),
    ),
  }));
  expect(seen.pwned).toBe(false);
  expect(seen.images).toBe(0);
  expect(seen.text).toContain(HOSTILE.markup);
  expect(seen.text).not.toContain("\u202e");
  expect(seen.text).toContain("⟨202E⟩");
  expect(seen.longest).toBeLessThan(20_100);
  expect(shown.complaints).toEqual([]);
  await shoot(page, "alerts-hostile-dark-1280");
  await shown.close();
});

test("all actions are listed with their keys under ?", async () => {
  const state = storm();
  const shown = await browser.show("alerts", state);
  const { page } = shown;
  await press(page, "?");
  const listed = await page.locator(".sheet li b").allTextContents();
  for (const action of state.actions) expect(listed).toContain(action.title);
  await press(page, "Escape");
  expect(await active(page)).toBe("TABLE");
  await shown.close();
});

test("a watched player can be paused, slowed and relieved, and the person's letters do nothing", async () => {
  const shown = await browser.show(
    "alerts",
    storm({ player: { name: "rules", mode: "watch", paused: false, paceMs: 500 } }),
    { calls: { command: () => null } },
  );
  const { page, host } = shown;
  await press(page, "p", "d");
  expect(await page.locator(".result").textContent()).toContain("take over");
  await page.getByRole("button", { name: "Take over" }).click();
  await expect
    .poll(() => host.called("command"))
    .toEqual([{ command: "firedrill.pausePlayer" }, { command: "firedrill.takeOver" }]);
  expect(host.called("act")).toEqual([]);
  await shown.close();
});
