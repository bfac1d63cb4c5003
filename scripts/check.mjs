/**
 * The quick check before every commit: types, lint, layers and unit tests, side by side. What passed is one line; what
 * failed is shown in full, after everything has ended.
 */
import { spawn } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, "node_modules/.bin", name);

/** The layering rules are a unit test, so that a breach reads like any other failure. */
const CHECKS = [
  { name: "types", command: bin("tsc"), args: ["-p", "."] },
  { name: "lint", command: bin("biome"), args: ["check", "--colors=off", "."] },
  { name: "unit tests", command: bin("vitest"), args: ["run", "--reporter=dot"] },
];

/** Runs one check quietly. */
export function runCheck({ name, command, args }) {
  return new Promise((done) => {
    const started = Date.now();
    const child = spawn(command, args, {
      cwd: root,
      shell: process.platform === "win32",
      env: { ...process.env, NO_COLOR: "1" },
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", (error) => done({ name, ok: false, output: String(error), seconds: 0 }));
    child.on("close", (code) => done({ name, ok: code === 0, output, seconds: (Date.now() - started) / 1000 }));
  });
}

async function main() {
  const started = Date.now();
  const results = await Promise.all(
    CHECKS.map(async (check) => {
      const result = await runCheck(check);
      console.log(`${result.ok ? "passed" : "FAILED"}  ${result.name.padEnd(12)} ${result.seconds.toFixed(1)} s`);
      return result;
    }),
  );
  const failed = results.filter((result) => !result.ok);
  for (const { name, output } of failed) console.log(`\n── ${name} ──\n${output.trim()}`);
  console.log(
    `\n${results.length - failed.length} of ${results.length} checks passed in ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  if (failed.length > 0) process.exitCode = 1;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
