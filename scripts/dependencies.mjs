/** Brings node_modules to what package-lock.json says. Imports nothing that would have to be installed first. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether every package of the lock file is installed in its version; packages for other systems may be absent. */
async function upToDate() {
  try {
    const wanted = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")).packages;
    const installed = JSON.parse(await readFile(join(root, "node_modules/.package-lock.json"), "utf8")).packages;
    return Object.entries(wanted).every(
      ([path, entry]) => path === "" || entry.optional || entry.peer || installed[path]?.version === entry.version,
    );
  } catch {
    return false;
  }
}

/** Installs with `npm ci` when node_modules is missing or differs from the lock file. */
export async function ensureDependencies() {
  const [major] = process.versions.node.split(".");
  if (Number(major) < 20)
    throw new Error(`Firedrill needs Node 20 or later and this is ${process.version}; install a newer Node.`);
  if (await upToDate()) return;
  console.log("Installing packages with npm ci: node_modules is missing or differs from package-lock.json.");
  const child = spawn("npm", ["ci", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  const code = await new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", done);
  });
  if (code !== 0)
    throw new Error(`npm ci ended with ${code}; its words above say why. Check the network and try again.`);
}
