/**
 * A real VS Code for tests where no desktop one can be had: the VS Code server inside the npm package code-server,
 * with its Node extension host and, in the browser, its web extension host. Chromium shows its workbench.
 *
 *   node scripts/editor.mjs install          installs it and says where
 *   node scripts/editor.mjs start <folder>   starts it on a folder until Ctrl+C
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { exists, installOnce, npmInstall, run } from "./tool-cache.mjs";

const CODE_SERVER = "4.139.1";
/** The server needs Node 24; the project's own floor is 20, so it brings its own. */
const NODE = "24.21.0";

/** Settings that keep the workbench quiet, so that nothing covers what is tested. */
const QUIET_SETTINGS = {
  "chat.disableAIFeatures": true,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "window.commandCenter": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
};

function nodePackage() {
  const system = { win32: "win", darwin: "darwin", linux: "linux" }[process.platform];
  if (!system)
    throw new Error(`The editor for tests does not run on ${process.platform}; use Linux, macOS or Windows.`);
  return process.platform === "darwin" ? `node-bin-darwin-${process.arch}` : `node-${system}-${process.arch}`;
}

/** Installs the editor unless it is there. Gives the paths of its Node and of its server script. */
export async function installEditor(log = console.log) {
  const packages = { [nodePackage()]: NODE, "code-server": CODE_SERVER };
  const folder = await installOnce(`code-server-${CODE_SERVER}-node-${NODE}`, packages, {
    log,
    finish: (partial) => npmInstall(join(partial, SERVER), "--omit=dev"),
  });
  const binary = process.platform === "win32" ? "node.exe" : "node";
  return {
    node: join(folder, "node_modules", nodePackage(), "bin", binary),
    server: join(folder, SERVER, "out/server-main.js"),
  };
}
const SERVER = "node_modules/code-server/lib/vscode";

/** Where Chromium is: `$CHROMIUM`, else the places of Linux distributions and of Chrome; null when there is none. */
export async function findChromium() {
  const places = [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    process.env.PROGRAMFILES && join(process.env.PROGRAMFILES, "Google/Chrome/Application/chrome.exe"),
  ];
  for (const place of places) if (place && (await exists(place))) return place;
  return null;
}

/** Flags without which Chromium looks for things that are not there on a test machine. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts the server with a profile of its own and waits until it answers.
 *
 * @param options.vsix packages to install first
 * @param options.settings user settings beside the quiet ones
 * @param options.untrusted whether folders start out untrusted
 * @param options.driver whether the page takes test entries in its address; it then shows no notifications of its own accord
 * @returns url and port, the profile's folder, what it printed, and `stop`
 */
export async function startEditor({ vsix = [], settings = {}, untrusted = false, driver = false } = {}) {
  const editor = await installEditor();
  // A short path: the server makes sockets in it, and their paths may have 100 bytes.
  const profile = await mkdtemp(join(tmpdir(), "fd-ed-"));
  const data = join(profile, "u");
  const extensions = join(profile, "x");
  await mkdir(join(data, "User"), { recursive: true });
  await mkdir(extensions, { recursive: true });
  await writeFile(join(data, "User/settings.json"), JSON.stringify({ ...QUIET_SETTINGS, ...settings }));
  const folders = ["--user-data-dir", data, "--server-data-dir", join(profile, "s"), "--extensions-dir", extensions];
  for (const file of vsix)
    await run(editor.node, [
      editor.server,
      ...folders,
      "--install-extension",
      resolve(file),
      "--accept-server-license-terms",
    ]);
  const flags = ["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms"];
  flags.push("--telemetry-level", "off");
  if (driver) flags.push("--enable-smoke-test-driver");
  if (!untrusted) flags.push("--disable-workspace-trust");
  const child = spawn(editor.node, [editor.server, ...flags, ...folders], { stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  const stop = () => end(child, profile);
  try {
    const port = await listeningPort(child, output);
    const url = `http://127.0.0.1:${port}`;
    await answers(`${url}/version`);
    return { url, port, profile, data, extensions, output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The port the server says it listens on. @throws Error with the server's words when it ends first. */
function listeningPort(child, output) {
  return new Promise((done, fail) => {
    const read = (chunk) => {
      output.push(String(chunk));
      const port = /listening on (\d+)/i.exec(output.join(""))?.[1];
      if (port) done(Number(port));
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", fail);
    child.on("exit", (code) => fail(new Error(`The editor's server ended with ${code}:\n${output.join("")}`)));
  });
}

async function answers(url) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`The editor's server does not answer at ${url}.`);
}

async function end(child, profile) {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    const hard = setTimeout(() => child.kill("SIGKILL"), 5000);
    await gone;
    clearTimeout(hard);
  }
  // Extension hosts of the server may still be closing their files.
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

async function main([command, folder]) {
  if (command === "install") {
    const editor = await installEditor();
    console.log(editor.server);
  } else if (command === "start" && folder) {
    const editor = await startEditor();
    console.log(`${editor.url}/?folder=${encodeURIComponent(resolve(folder))}`);
    process.once("SIGINT", () => void editor.stop());
  } else {
    console.error("Say what to do: node scripts/editor.mjs install, or node scripts/editor.mjs start <folder>.");
    process.exitCode = 2;
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
