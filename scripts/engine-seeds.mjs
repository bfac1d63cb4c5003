/**
 * Works out which draws of every fault family are worth playing on the standard systems, and writes data/engine/accepted-seeds.json. Run it
 * after any change to the engine or its families. One process a core; some minutes.
 * Usage: node scripts/engine-seeds.mjs [FAMILY …]
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "data/engine/accepted-seeds.json");
const folder = mkdtempSync(join(tmpdir(), "firedrill-seeds-"));
const run = promisify(execFile);

/** In a child process: prints what came of one family on one system. */
const ONE = `
import { workOut } from "./src/engine/faults/accepted";
const [family, topology] = process.argv.slice(2);
process.stdout.write(JSON.stringify(workOut(family, topology)));
`;
const LISTS = `export { ENGINE_VERSION, TOPOLOGY_NAMES } from "./src/engine/faults/accepted"; export { FAMILIES } from "./src/engine/faults/catalogue";`;

try {
  const bundle = async (contents, name) => {
    const outfile = join(folder, name);
    const stdin = { contents, resolveDir: root, loader: "ts" };
    await build({ stdin, bundle: true, format: "esm", platform: "node", outfile, logLevel: "error" });
    return outfile;
  };
  const one = await bundle(ONE, "one.mjs");
  const { ENGINE_VERSION, TOPOLOGY_NAMES, FAMILIES } = await import(
    pathToFileURL(await bundle(LISTS, "lists.mjs")).href
  );
  const before = JSON.parse(readFileSync(target, "utf8"));
  const wanted = process.argv.slice(2);
  const ids = FAMILIES.map(({ id }) => id).filter((id) => !wanted.length || wanted.includes(id));
  const jobs = ids.flatMap((family) => TOPOLOGY_NAMES.map((topology) => ({ family, topology })));
  const found = {};
  const worker = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const { stdout } = await run(process.execPath, [one, job.family, job.topology]);
      const worked = JSON.parse(stdout);
      if (worked) found[job.family] = { ...found[job.family], [job.topology]: worked };
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  write(before, found, ids, FAMILIES, TOPOLOGY_NAMES, ENGINE_VERSION);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function write(before, found, ids, families, topologies, version) {
  const lines = [];
  for (const { id } of families) {
    const rows = ids.includes(id) ? (found[id] ?? {}) : (before.families[id] ?? {});
    const parts = topologies
      .filter((topology) => rows[topology])
      .map((topology) => `      ${JSON.stringify(topology)}: ${JSON.stringify(rows[topology])}`);
    lines.push(`    ${JSON.stringify(id)}: {\n${parts.join(",\n")}\n    }`);
    report(id, rows);
  }
  const text = `{\n  "version": ${version},\n  "families": {\n${lines.join(",\n")}\n  }\n}\n`;
  const changed = readFileSync(target, "utf8") !== text;
  if (changed) writeFileSync(target, text);
  console.log(changed ? `Wrote ${target}.` : "Nothing changed.");
}

/** One line a family: how many draws were accepted, on how many systems, and why others were not. */
function report(id, rows) {
  const all = Object.values(rows);
  const sum = (of) => all.reduce((total, each) => total + of(each), 0);
  const [accepted, tried] = [sum((each) => each.seeds.length), sum((each) => each.tried)];
  const why = {};
  for (const { rejected } of all)
    for (const [reason, count] of Object.entries(rejected)) why[reason] = (why[reason] ?? 0) + count;
  const reasons = Object.entries(why)
    .sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");
  const rate = tried ? Math.round((100 * accepted) / tried) : 0;
  console.log(
    `${id}: ${accepted} of ${tried} draws accepted (${rate} %) on ${all.length} systems${reasons ? `; ${reasons}` : ""}`,
  );
}
