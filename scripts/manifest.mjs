/**
 * Writes what follows from the code into package.json: commands, menus, views, settings and activation events.
 *
 *   node scripts/manifest.mjs           writes
 *   node scripts/manifest.mjs --check   exits 1 when package.json differs
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, "package.json");

/** The sources are TypeScript, so they are bundled into a module that Node can run. */
async function parts() {
  const file = join(root, ".cache", `manifest-${process.pid}.mjs`);
  await mkdir(dirname(file), { recursive: true });
  const contents = `
    import { manifestParts, worldActions } from "./src/editor/manifest";
    import { loadWorld, worldIds } from "./src/worlds/catalogue";
    export const parts = manifestParts((await Promise.all(worldIds.map((id) => loadWorld(id)))).map(worldActions));`;
  await esbuild.build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    outfile: file,
    logLevel: "warning",
  });
  try {
    return (await import(pathToFileURL(file).href)).parts;
  } finally {
    await rm(file, { force: true });
  }
}

const before = await readFile(target, "utf8");
const after = `${JSON.stringify({ ...JSON.parse(before), ...(await parts()) }, null, 2)}\n`;
if (before === after) console.log("package.json is up to date.");
else if (process.argv.includes("--check")) {
  console.error("package.json differs from what the code says; run `npm run manifest` and commit it.");
  process.exitCode = 1;
} else {
  await writeFile(target, after);
  console.log("package.json written.");
}
