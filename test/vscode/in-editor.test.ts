import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeScenario } from "../../src/worlds/alerts/import";
import { kiln } from "../unit/alerts-import/kiln";
import { type Browser, browserOrWarning, openBrowser } from "./browser";
import { isReplayedIdentically, starterScenario } from "./command-line";
import { HOSTS, openPlace, type Place } from "./hosts";
import { type Report, runSuite } from "./in-editor";
import { TESTS } from "./suite/tests";

const browserPath = await browserOrWarning();

describe.skipIf(!browserPath).each(HOSTS)("inside the %s extension host, Firedrill", (kind) => {
  let place: Place;
  let browser: Browser;
  let report: Report;

  beforeAll(async () => {
    place = await openPlace(kind, {
      files: { "starter.txt": await starterScenario(), "kiln.json": writeScenario(kiln()) },
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
