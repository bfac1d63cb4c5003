/**
 * Bundles everything that ships and the bundles that tests load.
 *
 *   node esbuild.mjs            minified, as it ships
 *   node esbuild.mjs --dev      readable, with source maps
 *   node esbuild.mjs --watch    --dev, again after every change
 *
 * The two extension bundles are CommonJS because both extension hosts load them with `require`. A module behind
 * `await import()` stays in its bundle but is evaluated on first use only, which keeps activation short.
 */
import { chmod, copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
export const PANELS = ["alerts", "debrief", "proof", "truth-form"];
const ICON_FILES = ["codicon.css", "codicon.ttf"];

/** VS Code 1.74 runs extensions on Node 16 and shows webviews in Chromium 102. */
const NODE_HOST = "node16";
const CHROMIUM = "chrome102";

/** Settings shared by every bundle. */
function shared(dev) {
  return {
    absWorkingDir: root,
    bundle: true,
    minify: !dev,
    sourcemap: dev ? "linked" : false,
    legalComments: "none",
    charset: "utf8",
    metafile: true,
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
  };
}

/** Every bundle: its entry, where it goes, and how it is made. */
function bundles() {
  const list = [
    {
      entry: "src/editor/extension.node.ts",
      outfile: "dist/extension.node.js",
      options: { format: "cjs", platform: "node", target: NODE_HOST, external: ["vscode"] },
    },
    {
      entry: "src/editor/extension.web.ts",
      outfile: "dist/extension.web.js",
      options: { format: "cjs", platform: "browser", target: ["es2022", CHROMIUM], external: ["vscode"] },
    },
    {
      entry: "src/headless/cli.ts",
      outfile: "dist/cli.js",
      options: { format: "cjs", platform: "node", target: "node20", banner: { js: "#!/usr/bin/env node" } },
    },
    {
      entry: "test/fuzz/determinism-entry.ts",
      outfile: "dist/test/determinism.node.cjs",
      options: { format: "cjs", platform: "node", target: NODE_HOST },
    },
    {
      entry: "test/fuzz/determinism-entry.ts",
      outfile: "dist/test/determinism.web.js",
      options: { format: "iife", globalName: "determinism", platform: "browser", target: CHROMIUM },
    },
    {
      entry: "test/vscode/suite/index.ts",
      outfile: "dist/test/suite.node.js",
      options: { format: "cjs", platform: "node", target: NODE_HOST, external: ["vscode"] },
    },
    {
      entry: "test/vscode/suite/index.ts",
      outfile: "dist/test/suite.web.js",
      options: { format: "cjs", platform: "browser", target: ["es2022", CHROMIUM], external: ["vscode"] },
    },
  ];
  for (const panel of PANELS)
    list.push({
      entry: `webview/${panel}/main.ts`,
      outfile: `dist/webview/${panel}.js`,
      options: { format: "iife", platform: "browser", target: CHROMIUM, loader: { ".ttf": "dataurl" } },
    });
  return list;
}

/** The icon font that tree items share with the panels. */
async function copyIcons() {
  const from = join(root, "node_modules/@vscode/codicons/dist");
  await mkdir(join(root, "dist/webview"), { recursive: true });
  for (const file of ICON_FILES) await copyFile(join(from, file), join(root, "dist/webview", file));
}

/** Removes what an earlier build left in dist, such as source maps, so that dist holds this build and nothing else. */
async function removeStale(outputs) {
  const wanted = new Set([...outputs, ...ICON_FILES.map((file) => `dist/webview/${file}`)]);
  for (const entry of await readdir(join(root, "dist"), { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(entry.parentPath ?? entry.path, entry.name))
      .split(sep)
      .join("/");
    if (entry.isFile() && !wanted.has(path)) await rm(join(root, path), { force: true });
  }
}

function optionsOf(bundle, dev) {
  return { ...shared(dev), ...bundle.options, entryPoints: [bundle.entry], outfile: bundle.outfile };
}

/** Builds once. @throws when a bundle fails; esbuild has then printed why. */
export async function build({ dev = false } = {}) {
  const started = Date.now();
  await copyIcons();
  const list = bundles();
  const results = await Promise.all(list.map((bundle) => esbuild.build(optionsOf(bundle, dev))));
  await chmod(join(root, "dist/cli.js"), 0o755);
  const sizes = {};
  const inputs = {};
  for (const result of results)
    for (const [file, output] of Object.entries(result.metafile.outputs)) {
      sizes[file] = output.bytes;
      inputs[file] = Object.fromEntries(
        Object.entries(output.inputs).map(([path, part]) => [path, part.bytesInOutput]),
      );
    }
  await removeStale(Object.keys(sizes));
  await mkdir(join(root, ".cache"), { recursive: true });
  await writeFile(join(root, ".cache/bundle-sizes.json"), `${JSON.stringify({ dev, sizes, inputs }, null, 1)}\n`);
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
  for (const [file, bytes] of Object.entries(sizes)) console.log(`${file.padEnd(34)} ${kilobytes(bytes).padStart(8)}`);
  console.log(`built in ${Date.now() - started} ms`);
  return sizes;
}

/** Builds again after every change until it is interrupted. */
async function watch() {
  await copyIcons();
  for (const bundle of bundles()) {
    const context = await esbuild.context({ ...optionsOf(bundle, true), logLevel: "info" });
    await context.watch();
  }
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  const dev = process.argv.includes("--dev");
  const work = process.argv.includes("--watch") ? watch() : build({ dev });
  work.catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
