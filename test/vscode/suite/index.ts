/** The entry that VS Code calls with `extensionTestsPath`: runs the tests and prints a line of JSON for each. */
import * as vscode from "vscode";
import { type Findings, TESTS } from "./tests";

/** In front of every line meant for the runner outside. */
export const MARK = "FIREDRILL-TEST ";

export async function run(): Promise<void> {
  const findings: Findings = {};
  const failed: string[] = [];
  for (const [name, test] of Object.entries(TESTS)) {
    let error: string | null = null;
    try {
      await test(vscode, findings);
    } catch (problem) {
      error = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
      failed.push(name);
    }
    console.log(MARK + JSON.stringify({ name, error }));
  }
  console.log(MARK + JSON.stringify({ findings }));
  if (failed.length > 0) throw new Error(`failed: ${failed.join("; ")}`);
}
