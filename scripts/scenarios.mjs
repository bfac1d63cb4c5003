/**
 * Works out, for the standard seeds of every generated alerts scenario, which attempt is the first fair one, and writes
 * data/alerts/accepted-seeds.json. With it those seeds open at once. Run it after any change to the generator.
 * Usage: npm run scenarios
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Seeds 0 … 23 of each scenario are the standard ones. */
const STANDARD_SEEDS = 24;

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "data/alerts/accepted-seeds.json");
const folder = mkdtempSync(join(tmpdir(), "firedrill-scenarios-"));
try {
  const outfile = join(folder, "generate.mjs");
  const contents = `export { drawAnew, GENERATOR_VERSION } from "./src/worlds/alerts/generate"; export { SETTINGS } from "./src/worlds/alerts/scenarios";`;
  await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
  });
  const { drawAnew, GENERATOR_VERSION, SETTINGS } = await import(pathToFileURL(outfile).href);
  const attempts = {};
  for (const setting of SETTINGS) {
    attempts[setting.info.id] = Array.from(
      { length: STANDARD_SEEDS },
      (_, seed) => drawAnew(setting, seed, "", () => {}).rejected,
    );
    const total = attempts[setting.info.id].reduce((sum, count) => sum + count, 0);
    console.log(`${setting.info.id} ${setting.info.split}: ${STANDARD_SEEDS} seeds, ${total} attempts dropped`);
  }
  const lines = Object.entries(attempts).map(([id, list]) => `    ${JSON.stringify(id)}: ${JSON.stringify(list)}`);
  const text = `{\n  "version": ${GENERATOR_VERSION},\n  "attempts": {\n${lines.join(",\n")}\n  }\n}\n`;
  const changed = readFileSync(target, "utf8") !== text;
  if (changed) writeFileSync(target, text);
  console.log(changed ? `Wrote ${target}.` : "Nothing changed.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
