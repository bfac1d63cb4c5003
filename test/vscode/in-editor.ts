/** Runs the suite of tests inside an extension host and collects what it says. */
import type { Browser } from "./browser";
import type { Place } from "./hosts";
import type { Findings } from "./suite/tests";
import { eventually } from "./workbench";

const MARK = "FIREDRILL-TEST ";
/** Starting the editor and all tests in it, on a busy machine. */
const SUITE_PATIENCE_MS = 120_000;

export interface Report {
  /** By test: null, or what went wrong. */
  readonly errors: Map<string, string | null>;
  readonly findings: Findings;
}

/** @throws Error when the suite does not come to its end. */
export async function runSuite(place: Place, browser: Browser): Promise<Report> {
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
