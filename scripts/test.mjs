/**
 * `npm test`: installs what npm can bring, builds, and runs every suite. The last line sums up all of them:
 * `N passed, N failed`.
 *
 *   npm test -- --only editor    the suites whose name contains the word; --list names them
 *
 * A browser or editor that cannot be had is a loud skip, and a failure when CI=true or FIREDRILL_REQUIRE_EDITOR=1.
 */
import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "./dependencies.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const strict = process.env.CI === "true" || process.env.FIREDRILL_REQUIRE_EDITOR === "1";
const bin = (name) => join(root, "node_modules/.bin", name);

/** A suite run by vitest; its report gives the counts. */
const vitest = (name, args = [], needs = []) => ({ name, needs, run: () => runVitest(name, args) });
/** A program that passes or fails as a whole, or whose last `N passed, N failed` line gives the counts. */
const program = (name, command, args, needs = []) => ({ name, needs, run: () => runProgram(command, args) });
const script = (name, args, needs = []) => program(name, process.execPath, args, needs);
const config = (folder) => ["--config", `test/${folder}/vitest.config.ts`];

/** A part of the thousand that `npm run bench` makes. */
const KILL_TRIALS = "100";

/** In order: what is quick and tells most comes first. Suites in one row run side by side. */
const SUITES = [
  [program("types", bin("tsc"), ["-p", "."]), program("lint", bin("biome"), ["check", "--colors=off", "."])],
  [vitest("unit", ["--isolate"])],
  [vitest("random sequences", config("fuzz"))],
  [vitest("grader proof", config("proof"))],
  [vitest("command line", config("cli"))],
  [script("kill trials", ["scripts/run.mjs", "test/bench/kill-main.ts", KILL_TRIALS])],
  [script("package", ["scripts/package.mjs", "--no-build"])],
  [vitest("package contents", config("package"))],
  [vitest("panels in a browser", config("webview"), ["browser"])],
  [vitest("editor", config("vscode"), ["browser", "editor"])],
];

/** What suites need beyond npm packages, and how it is found. Each gives null, or why it is not there. */
const NEEDS = {
  browser: async () => {
    const { findChromium } = await import("./editor.mjs");
    return (await findChromium())
      ? null
      : "no Chromium was found (apt-get install chromium, or set CHROMIUM to its path)";
  },
  editor: async () => {
    const { installEditor } = await import("./editor.mjs");
    return installEditor().then(
      () => null,
      (error) => `the editor for tests could not be installed (${String(error.message).split("\n")[0]})`,
    );
  },
};

/** Runs a program with its output shown as it comes, and keeps the output. */
function runShown(command, args) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
      env: { ...process.env, NO_COLOR: "1" },
    });
    let output = "";
    for (const [stream, shown] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(-20_000);
        shown.write(chunk);
      });
    child.on("error", (error) => {
      console.error(String(error));
      done({ code: 1, output });
    });
    child.on("close", (code) => done({ code: code ?? 1, output }));
  });
}

async function runProgram(command, args) {
  const { code, output } = await runShown(command, args);
  const line = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  const counts = line ? { passed: Number(line[1]), failed: Number(line[2]), skipped: Number(line[3] ?? 0) } : null;
  if (!counts) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

async function runVitest(name, args) {
  const report = join(root, ".cache", `report-${name.replace(/\W+/g, "-")}.json`);
  await rm(report, { force: true });
  const { code } = await runShown(bin("vitest"), [
    "run",
    ...args,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  const result = await readFile(report, "utf8").then(JSON.parse, () => null);
  if (!result) return { passed: 0, failed: 1, skipped: 0 };
  // A file that could not be loaded has failed without a failed test in it.
  const broken = result.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  const failed = result.numFailedTests + broken.length;
  return {
    passed: result.numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

/** Runs a suite if it has what it needs. */
async function runSuite(suite, missing) {
  const started = Date.now();
  console.log(`\n━━ ${suite.name} ━━`);
  for (const need of suite.needs) {
    missing[need] ??= NEEDS[need]();
    const reason = await missing[need];
    if (!reason) continue;
    console.log(
      `\n${"*".repeat(80)}\n*** ${strict ? "FAILED" : "SKIPPED"}: the suite “${suite.name}” did not run, for ${reason}.\n${"*".repeat(80)}`,
    );
    return { name: suite.name, passed: 0, failed: strict ? 1 : 0, skipped: strict ? 0 : 1, seconds: 0 };
  }
  const counts = await suite.run();
  return { name: suite.name, ...counts, seconds: (Date.now() - started) / 1000 };
}

/** The bundles first: what a suite loads must be this source. */
async function buildSuite() {
  const started = Date.now();
  console.log("\n━━ build ━━");
  const { build } = await import("../esbuild.mjs");
  const ok = await build().then(
    () => true,
    (error) => {
      console.error(error instanceof Error ? error.message : error);
      return false;
    },
  );
  return { name: "build", passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, seconds: (Date.now() - started) / 1000 };
}

function report(results) {
  console.log("\n━━ all suites ━━");
  for (const { name, passed, failed, skipped, seconds } of results)
    console.log(
      `${name.padEnd(24)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed ${String(skipped).padStart(4)} skipped ${seconds.toFixed(0).padStart(6)} s`,
    );
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum("skipped");
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  if (sum("failed") > 0 || sum("passed") === 0) process.exitCode = 1;
}

async function main(args) {
  const word = args.includes("--only") ? args[args.indexOf("--only") + 1] : "";
  if (args.includes("--list")) {
    for (const suite of SUITES.flat()) console.log(suite.name);
    return;
  }
  await ensureDependencies();
  await mkdir(join(root, ".cache"), { recursive: true });
  const results = [await buildSuite()];
  const missing = {};
  if (results[0].failed === 0)
    for (const row of SUITES) {
      const chosen = row.filter((suite) => suite.name.includes(word));
      results.push(...(await Promise.all(chosen.map((suite) => runSuite(suite, missing)))));
    }
  report(results);
}

await main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  console.log("\n0 passed, 1 failed");
  process.exitCode = 1;
});
