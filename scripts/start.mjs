/**
 * `npm start`: installs what is missing, builds, and opens VS Code with Firedrill in it, ready to play.
 *
 *   npm start                    the first of the three ways below that works
 *   npm start -- --code          the `code` command on the PATH
 *   npm start -- --download      VS Code downloaded into .vscode-test
 *   npm start -- --web           the workbench as a page on localhost; --port N chooses the port
 */
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "./dependencies.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST = [1, 74];
/** Always the same port, for a browser keeps the recordings of each address apart. */
const PORT = 7474;

/** A way to open the editor that cannot be gone; its message is the reason, in a line. */
class NotThisWay extends Error {}

/** A desktop editor needs a display. */
function needDisplay() {
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    throw new NotThisWay("there is no display for a desktop VS Code");
}

/** Opens a window of the VS Code that is on the PATH. */
async function openInstalled() {
  const said = await output("code", ["--version"]).catch(() => null);
  if (said === null) throw new NotThisWay("`code` is not on the PATH");
  // A terminal inside a remote window has a `code` that can open files but not load an extension under development.
  if (process.env.VSCODE_IPC_HOOK_CLI) throw new NotThisWay("this terminal's `code` belongs to a remote window");
  needDisplay();
  const version = /^(\d+)\.(\d+)/m.exec(said);
  if (!version) throw new NotThisWay("`code --version` does not tell a version");
  const [major, minor] = [Number(version[1]), Number(version[2])];
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new NotThisWay(`\`code\` is VS Code ${major}.${minor} and Firedrill needs ${OLDEST.join(".")}`);
  await output("code", ["--new-window", `--extensionDevelopmentPath=${root}`]);
  console.log(`VS Code ${major}.${minor} opens a new window with Firedrill. ${HOW_TO_PLAY}`);
}

/** Opens a VS Code of its own, with a profile of its own. */
async function openDownloaded() {
  needDisplay();
  const { downloadAndUnzipVSCode } = await import("@vscode/test-electron");
  const program = await downloadAndUnzipVSCode({
    version: "stable",
    cachePath: join(root, ".vscode-test"),
    timeout: 15_000,
  }).catch((error) => {
    throw new NotThisWay(`VS Code could not be downloaded (${String(error.message ?? error).split("\n")[0]})`);
  });
  const profile = join(root, ".vscode-test/play");
  await mkdir(profile, { recursive: true });
  const flags = [`--extensionDevelopmentPath=${root}`, `--user-data-dir=${profile}/u`, `--extensions-dir=${profile}/x`];
  flags.push("--new-window", "--skip-welcome", "--skip-release-notes", "--disable-updates");
  if (process.platform === "linux") flags.push("--no-sandbox");
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const child = spawn(program, flags, { stdio: "ignore", env });
  console.log(`VS Code is open with Firedrill. ${HOW_TO_PLAY}\nPress Ctrl+C here, or close its window, to stop.`);
  await untilStopped((stop) => child.once("exit", stop));
  child.kill();
}

/** Serves the workbench as a page. */
async function openPage(port) {
  const { serveWorkbench } = await import("./workbench.mjs");
  const { url, asWished, stop } = await serveWorkbench({ port });
  if (!asWished)
    console.log(
      `Port ${port} is in use, so another one was taken; recordings made under ${port} are shown there only.`,
    );
  console.log(`\nOpen this address in a browser:\n\n    ${url}\n\n${HOW_TO_PLAY}\nPress Ctrl+C here to stop.`);
  await untilStopped();
  await stop();
}

const HOW_TO_PLAY = "Press F1 there and choose “Firedrill: Start Scenario…”.";

/** Waits for Ctrl+C, a termination signal, or what `also` reports. */
function untilStopped(also) {
  return new Promise((done) => {
    process.once("SIGINT", done);
    process.once("SIGTERM", done);
    also?.(done);
  });
}

/** What a program prints. @throws when it is not there or fails. */
function output(command, args) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"], shell: process.platform === "win32" });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done(text) : fail(new Error(`${command} ended with ${code}`))));
  });
}

function waysFor(args) {
  const at = args.indexOf("--port");
  const port = at >= 0 ? Number(args[at + 1]) : PORT;
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new NotThisWay(`--port takes a number from 0 to 65535, and “${args[at + 1]}” is none`);
  const ways = [
    { flag: "--code", open: openInstalled },
    { flag: "--download", open: openDownloaded },
    { flag: "--web", open: () => openPage(port) },
  ];
  const chosen = ways.filter((way) => args.includes(way.flag));
  return chosen.length > 0 ? chosen : ways;
}

async function main(args) {
  const ways = waysFor(args);
  await ensureDependencies();
  const { build } = await import("../esbuild.mjs");
  await build({ dev: args.includes("--dev") });
  for (const [index, way] of ways.entries()) {
    try {
      await way.open();
      return;
    } catch (error) {
      if (!(error instanceof NotThisWay) || index === ways.length - 1) throw error;
      console.log(`Trying another way: ${error.message}.`);
    }
  }
}

await main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
