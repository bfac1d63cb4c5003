/**
 * The same random runs of the engine on three JavaScript engines: the V8 of this Node, that of a Chromium, and QuickJS compiled to
 * WebAssembly, whose mathematics come from another C library.
 */
import { runInThisContext } from "node:vm";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import { build } from "esbuild";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";
import { openBrowser } from "../vscode/browser";

/** Longest run compared, ticks. */
export const MOST_TICKS = 60;

/** Hashes of runs by seed, in order. */
export interface Machine {
  readonly name: string;
  hashes(from: number, count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

let bundled: Promise<string> | null = null;

/** The runs as one script that defines `engineRuns`: bundled once, so that all machines run the same text whatever is edited meanwhile. */
function script(): Promise<string> {
  bundled ??= build({
    entryPoints: ["test/fuzz/engine-runs.ts"],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "engineRuns",
    platform: "neutral",
    target: "es2022",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  return bundled;
}

interface EngineRuns {
  runHashes(from: number, count: number, mostTicks: number): string[];
}

export async function node(): Promise<Machine> {
  const { runHashes } = runInThisContext(`${await script()}; engineRuns`) as EngineRuns;
  return {
    name: `Node ${process.version}`,
    hashes: async (from, count) => runHashes(from, count, MOST_TICKS),
    close: async () => undefined,
  };
}

export async function quickJs(): Promise<Machine> {
  const module = await newQuickJSWASMModuleFromVariant(variant);
  const runtime = module.newRuntime();
  const context = runtime.newContext();
  const evaluate = (code: string): unknown => {
    const handle = context.unwrapResult(context.evalCode(code));
    const value = context.dump(handle);
    handle.dispose();
    return value;
  };
  evaluate(`${await script()}; undefined`);
  return {
    name: "QuickJS",
    hashes: async (from, count) => evaluate(`engineRuns.runHashes(${from}, ${count}, ${MOST_TICKS})`) as string[],
    close: async () => {
      context.dispose();
      runtime.dispose();
    },
  };
}

export async function chromium(): Promise<Machine> {
  const browser = await openBrowser();
  const page = await browser.context.newPage();
  await page.addScriptTag({ content: `${await script()}; globalThis.engineRuns = engineRuns;` });
  return {
    name: `Chromium ${browser.context.browser()?.version() ?? ""}`.trim(),
    hashes: (from, count) =>
      page.evaluate(
        ([first, runs, ticks]) => {
          const { engineRuns } = globalThis as unknown as { engineRuns: EngineRuns };
          return engineRuns.runHashes(first as number, runs as number, ticks as number);
        },
        [from, count, MOST_TICKS],
      ),
    close: () => browser.close(),
  };
}

export interface Comparison {
  readonly runs: number;
  /** Seeds whose runs have another hash somewhere, with all hashes; at most ten. */
  readonly different: readonly string[];
}

/** Compares the `runs` runs from seed `first` on on all machines, some at a time. */
export async function compareMachines(
  machines: readonly Machine[],
  first: number,
  runs: number,
  progress: (done: number) => void = () => undefined,
): Promise<Comparison> {
  const different: string[] = [];
  const chunk = 20;
  for (let from = first; from < first + runs && different.length < 10; from += chunk) {
    const count = Math.min(chunk, first + runs - from);
    const all: (readonly string[])[] = [];
    for (const machine of machines) all.push(await machine.hashes(from, count));
    for (let i = 0; i < count; i++) {
      const hashes = all.map((each) => each[i]);
      if (hashes.some((hash) => !hash || hash !== hashes[0]))
        different.push(
          `seed ${from + i}: ${machines.map((machine, m) => `${machine.name} ${hashes[m]}`).join(", ")}; repeat with node scripts/run.mjs test/proof/engine-determinism-main.ts ${from + i}`,
        );
    }
    // The test runner reports in between that the test is alive.
    await new Promise((breathe) => setImmediate(breathe));
    progress(from + count - first);
  }
  return { runs, different };
}
