/**
 * `npm run bench`: runs the measurements in test/bench and prints medians with their spread.
 *
 *   npm run bench                every measurement
 *   npm run bench -- kernel      those whose file name contains a word
 *
 * A measurement is a TypeScript file test/bench/<name>.bench.ts that exports
 * `measurements: { name, unit, runs, least?, most?, measure(): Promise<number> | number }[]`: `measure` is called
 * `runs` times and gives one figure each time; `least` and `most` are the figure's agreed limits. Figures go to
 * .cache/bench.json as well.
 */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureDependencies } from "./dependencies.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Median and the middle half's ends of some figures. */
function spread(figures) {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (share) => {
    const place = (sorted.length - 1) * share;
    const low = Math.floor(place);
    return sorted[low] + (place - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75), least: sorted[0], most: sorted.at(-1), runs: sorted.length };
}

function verdict({ least, most }, { median }) {
  if (least !== undefined && median < least) return `BELOW ${number(least)}`;
  if (most !== undefined && median > most) return `ABOVE ${number(most)}`;
  return least === undefined && most === undefined ? "" : "holds";
}

function number(value) {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(4)));
}

async function measureFile(file) {
  const { bundleProgram } = await import("./run.mjs");
  const module = await import(pathToFileURL(await bundleProgram(`test/bench/${file}`)));
  const found = module.measurements ?? module.default?.measurements;
  if (!Array.isArray(found)) throw new Error(`test/bench/${file} exports no list “measurements”.`);
  const results = [];
  for (const measurement of found) {
    const figures = [];
    for (let run = 0; run < measurement.runs; run += 1) figures.push(await measurement.measure());
    const summary = spread(figures);
    const limit = verdict(measurement, summary);
    const range = `${number(summary.low)}–${number(summary.high)}`;
    console.log(
      `${measurement.name.padEnd(58)} ${number(summary.median).padStart(12)} ${measurement.unit.padEnd(8)} ${range.padEnd(22)} ${limit}`,
    );
    results.push({ name: measurement.name, unit: measurement.unit, ...summary, figures, limit });
  }
  return results;
}

async function main(words) {
  await ensureDependencies();
  const { build } = await import("../esbuild.mjs");
  await build();
  const all = (await readdir(join(root, "test/bench")).catch(() => []))
    .filter((file) => file.endsWith(".bench.ts"))
    .sort();
  const chosen = all.filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  if (chosen.length === 0) throw new Error(`No measurement matches; there are: ${all.join(", ") || "none"}.`);
  console.log(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model}\n`);
  console.log(`${"figure".padEnd(58)} ${"median".padStart(12)} ${"".padEnd(8)} middle half`);
  const results = [];
  for (const file of chosen) results.push(...(await measureFile(file)));
  await mkdir(join(root, ".cache"), { recursive: true });
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  await writeFile(join(root, ".cache/bench.json"), `${JSON.stringify({ machine, results }, null, 1)}\n`);
  const missed = results.filter((result) => /^(BELOW|ABOVE)/.test(result.limit));
  console.log(`\n${results.length - missed.length} of ${results.length} figures hold; details in .cache/bench.json`);
  if (missed.length > 0) process.exitCode = 1;
}

await main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
