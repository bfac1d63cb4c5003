/** What the editor tests ask the command line of the same build. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

async function json<T>(...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, ["dist/cli.js", ...args, "--json"], {
    maxBuffer: 50_000_000,
  });
  return JSON.parse(stdout) as T;
}

/** Whether a recording runs again to the same bytes. @throws Error with the words of the command when it does not. */
export async function isReplayedIdentically(file: string): Promise<boolean> {
  const results = await json<{ identical: boolean }[]>("replay", file);
  return results.length === 1 && results.every((result) => result.identical);
}

/** The first starter scenario. */
export async function starterScenario(): Promise<string> {
  const [first] = await json<{ scenario: string }[]>("scenarios", "--split", "starter");
  if (!first) throw new Error("There is no starter scenario.");
  return first.scenario;
}
