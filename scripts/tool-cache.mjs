/**
 * Programs that are too big for the project's dependencies and are wanted only for playing and for editor tests: they
 * are installed once, pinned, from npm into a folder of the person's cache, and used from there ever after.
 */
import { spawn } from "node:child_process";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** `$FIREDRILL_CACHE`, else `~/.cache/firedrill`. */
export function cacheFolder() {
  return process.env.FIREDRILL_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "firedrill");
}

export async function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Gives the folder of a finished installation and makes it first if need be.
 *
 * The work is done in `<name>.partial`, which takes the final name when all of it is done: what has the final name is
 * whole, and an interrupted installation goes on where it stopped.
 *
 * @param name folder name with the version in it
 * @param packages npm packages with exact versions
 * @param finish work after npm, given the folder
 * @param log told in one line what takes so long
 */
export async function installOnce(name, packages, { log, finish }) {
  const target = join(cacheFolder(), name);
  if (await exists(join(target, "complete"))) return target;
  const partial = `${target}.partial`;
  await mkdir(partial, { recursive: true });
  const release = await takeTurn(`${target}.lock`);
  try {
    if (await exists(join(target, "complete"))) return target;
    log(
      `Installing ${Object.entries(packages)
        .map(([key, version]) => `${key}@${version}`)
        .join(" and ")} into ${target}, once.`,
    );
    await writeFile(join(partial, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
    await npmInstall(partial);
    await finish?.(partial);
    await writeFile(join(partial, "complete"), `${new Date().toISOString()}\n`);
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
    return target;
  } finally {
    await release();
  }
}

/** `npm install` of what a folder's package.json names, running no package's scripts. */
export async function npmInstall(folder, ...flags) {
  const args = [
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--engine-strict=false",
    ...flags,
  ];
  await run("npm", args, { cwd: folder });
}

/** Runs a program and rejects with what it said when it fails. */
export function run(command, args, options = {}) {
  return new Promise((done, fail) => {
    const windows = process.platform === "win32";
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], shell: windows, ...options });
    let output = "";
    const keep = (chunk) => {
      output = (output + chunk).slice(-4000);
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) done(output);
      else fail(new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output.trim()}`));
    });
  });
}

/** Waits until no other live process holds the lock, then holds it. */
async function takeTurn(lock) {
  await mkdir(dirname(lock), { recursive: true });
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: "wx" });
      return () => rm(lock, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = Number(await readFile(lock, "utf8").catch(() => "0"));
    if (!isAlive(holder)) await rm(lock, { force: true });
    await new Promise((done) => setTimeout(done, 500));
  }
}

function isAlive(pid) {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
