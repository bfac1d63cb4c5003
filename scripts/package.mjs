/**
 * Builds and packs the extension as firedrill-<version>.vsix, which `code --install-extension` takes.
 * Everything the extension needs is in its bundles, so no dependency is packed.
 */
import { readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createVSIX } from "@vscode/vsce";
import { build } from "../esbuild.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Gives the path of the package. @param options.rebuild false when dist holds a fresh build already */
export async function makePackage({ rebuild = true } = {}) {
  if (rebuild) await build();
  const { name, version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const packagePath = join(root, `${name}-${version}.vsix`);
  await rm(packagePath, { force: true });
  // Links in the readme stay as they are: there is no published repository yet for which they could be rewritten.
  await createVSIX({
    cwd: root,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  return packagePath;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await makePackage({ rebuild: !process.argv.includes("--no-build") });
}
