/**
 * The tests inside the extension host, in a desktop VS Code that @vscode/test-electron downloads: `node
 * test/vscode/desktop.mjs`, after `npm run build`. Needs the internet and a display (xvfb-run -a gives one).
 */
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runTests } from "@vscode/test-electron";

const work = await mkdtemp(join(tmpdir(), "fd-desk-"));
try {
  const starters = JSON.parse(
    execFileSync(process.execPath, ["dist/cli.js", "scenarios", "--split", "starter", "--json"], { encoding: "utf8" }),
  );
  const folder = join(work, "folder");
  await mkdir(folder);
  await writeFile(join(folder, "starter.txt"), starters[0].scenario);
  const suite = join(work, "suite.js");
  await copyFile("dist/test/suite.node.js", suite);
  await runTests({
    extensionDevelopmentPath: resolve("."),
    extensionTestsPath: suite,
    // A short path for the profile: the editor makes sockets in it, and their paths may have 100 bytes.
    launchArgs: [folder, "--disable-workspace-trust", "--user-data-dir", join(work, "u")],
    ...(process.env.VSCODE_EXECUTABLE ? { vscodeExecutablePath: process.env.VSCODE_EXECUTABLE } : {}),
  });
  console.log("The tests inside the desktop editor passed.");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
