/** In a real editor, in both extension hosts: how long our own activation takes, and when the panels have drawn. */
import { type Browser, openBrowser } from "../vscode/browser";
import { starterScenario } from "../vscode/command-line";
import { HOSTS, type HostKind, openPlace, type Place } from "../vscode/hosts";
import { runSuite } from "../vscode/in-editor";
import type { Findings } from "../vscode/suite/tests";
import type { Measurement } from "./measurement";

const RUNS = 5;
const found = new Map<HostKind, Promise<Findings>[]>();

/** The findings of the n-th start of an editor; each start is made once for all figures. */
function start(kind: HostKind, n: number): Promise<Findings> {
  const starts = found.get(kind) ?? [];
  found.set(kind, starts);
  starts[n] ??= measureStart(kind);
  return starts[n];
}

async function measureStart(kind: HostKind): Promise<Findings> {
  let place: Place | null = null;
  let browser: Browser | null = null;
  try {
    place = await openPlace(kind, {
      files: { "starter.txt": await starterScenario() },
      suite: `dist/test/suite.${kind}.js`,
    });
    browser = await openBrowser();
    return (await runSuite(place, browser)).findings;
  } finally {
    await browser?.close();
    await place?.close();
  }
}

function figure(
  kind: HostKind,
  name: string,
  most: number,
  of: (findings: Findings) => number | undefined,
): Measurement {
  let n = 0;
  return {
    name: `${kind} host: ${name}`,
    unit: "ms",
    runs: RUNS,
    most,
    measure: async () => of(await start(kind, n++)) ?? Number.NaN,
  };
}

export const measurements: readonly Measurement[] = HOSTS.flatMap((kind) => [
  figure(kind, "activation of our code", 30, (findings) => findings.activationMs),
  figure(kind, "alerts panel drawn after its first line", 300, (findings) => findings.drawnAfterMs?.alerts),
]);
