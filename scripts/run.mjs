/**
 * Runs a TypeScript program: `node scripts/run.mjs test/bench/main.ts --flag`. It is bundled with esbuild first, so
 * that what runs is what ships, at the same speed, and no loader has to be installed.
 */
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Bundles `entry` into .cache/run and gives the path of the bundle. */
export async function bundleProgram(entry) {
  const outfile = join(root, ".cache/run", `${entry.replace(/[\\/]/g, "-").replace(/\.ts$/, "")}.mjs`);
  await mkdir(dirname(outfile), { recursive: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    // As what ships is: constants are folded into the code that uses them, which a tight loop feels.
    minifySyntax: true,
    // Packages stay outside: tools such as playwright-core and esbuild find their own files beside themselves.
    packages: "external",
    plugins: [{ name: "scripts stay files", setup: keepScriptsOutside }],
    logLevel: "warning",
  });
  return outfile;
}

/** The project's own scripts find the project from where they lie, so they are imported from there. */
function keepScriptsOutside(build) {
  build.onResolve({ filter: /^\.{1,2}\/.*\.mjs$/ }, ({ path, resolveDir }) => ({
    path: pathToFileURL(resolve(resolveDir, path)).href,
    external: true,
  }));
}

/** Runs a bundled program in the project's folder and gives its exit code. */
export async function runProgram(entry, args, nodeArgs = []) {
  const bundle = await bundleProgram(entry);
  const child = spawn(process.execPath, [...nodeArgs, "--enable-source-maps", bundle, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code) => done(code ?? 1));
  });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [entry, ...args] = process.argv.slice(2);
  if (!entry) {
    console.error(
      `Name a TypeScript file to run: node scripts/${basename(fileURLToPath(import.meta.url))} <file.ts> [arguments].`,
    );
    process.exitCode = 2;
  } else {
    process.exitCode = await runProgram(entry, args);
  }
}
