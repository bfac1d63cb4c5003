import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, browserOrWarning, openBrowser } from "./browser";
import { isReplayedIdentically, starterScenario } from "./command-line";
import { HOSTS, openPlace, type Place } from "./hosts";
import { type Findings, TESTS } from "./suite/tests";
import { eventually } from "./workbench";

const MARK = "FIREDRILL-TEST ";
/** Starting the editor and all tests in it, on a busy machine. */
const SUITE_PATIENCE_MS = 120_000;
const browserPath = await browserOrWarning();

interface Report {
  readonly errors: Map<string, string | null>;
  readonly findings: Findings;
}

/** Lets the editor run the suite inside its extension host and collects what it says. */
async function runSuite(place: Place, browser: Browser): Promise<Report> {
  const page = browser.context.pages()[0] ?? (await browser.context.newPage());
  const errors = new Map<string, string | null>();
  let findings: Findings = {};
  const read = (text: string): void => {
    const at = text.indexOf(MARK);
    if (at < 0) return;
    const line = JSON.parse(text.slice(at + MARK.length)) as {
      name?: string;
      error?: string | null;
      findings?: Findings;
    };
    if (line.name !== undefined) errors.set(line.name, line.error ?? null);
    if (line.findings) findings = line.findings;
  };
  let exited = false;
  await page.exposeFunction("codeAutomationExit", () => {
    exited = true;
  });
  await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) => read(args.map(String).join(" ")));
  await page.goto(place.url);
  await eventually("The end of the tests inside the editor", async () => exited || null, SUITE_PATIENCE_MS);
  return { errors, findings };
}

describe.skipIf(!browserPath).each(HOSTS)("inside the %s extension host, Firedrill", (kind) => {
  let place: Place;
  let browser: Browser;
  let report: Report;

  beforeAll(async () => {
    place = await openPlace(kind, {
      files: { "starter.txt": await starterScenario() },
      suite: `dist/test/suite.${kind}.js`,
    });
    browser = await openBrowser();
    report = await runSuite(place, browser);
    await mkdir(".cache", { recursive: true });
    await writeFile(`.cache/editor-figures-${kind}.json`, `${JSON.stringify(report.findings)}\n`);
  });
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });

  it.each(Object.keys(TESTS))("%s", (name) => {
    expect(report.errors.has(name), "the test ran").toBe(true);
    expect(report.errors.get(name)).toBeNull();
  });

  it("runs where it should", () => {
    expect(report.findings.host).toBe(kind);
  });

  it("left recordings on disk that replay identically", async () => {
    const names = await place.recordings();
    const played = report.findings.recordings ?? [];
    for (const name of played) {
      const file = names.find((each) => each.startsWith(name));
      expect(file && (await isReplayedIdentically(join(place.runs, file))), `${name} among ${names.join(", ")}`).toBe(
        true,
      );
    }
    expect(played).toHaveLength(2);
  });
});
