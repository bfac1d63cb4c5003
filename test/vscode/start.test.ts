import { type ChildProcess, spawn } from "node:child_process";
import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, browserOrWarning, openBrowser } from "./browser";
import { eventually, Workbench } from "./workbench";

const browserPath = await browserOrWarning();

/** Starts `npm start -- --web` and waits for the address it prints. */
async function start(): Promise<{ child: ChildProcess; url: string; exit: Promise<number | null> }> {
  const child = spawn(process.execPath, ["scripts/start.mjs", "--web", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = new Promise<number | null>((done) => child.once("exit", done));
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const url = await eventually("The address", async () => /http:\/\/localhost:\d+\//.exec(output)?.[0]);
  return { child, url, exit };
}

/** The status for a request that names another host, as a page with a name that leads to 127.0.0.1 would send. */
function statusForHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((done, fail) => {
    get(url, { headers: { host } }, (response) => {
      response.resume();
      done(response.statusCode);
    }).on("error", fail);
  });
}

describe.skipIf(!browserPath)("npm start, where no desktop VS Code can be had", () => {
  let started: Awaited<ReturnType<typeof start>>;
  let browser: Browser;

  beforeAll(async () => {
    started = await start();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    started?.child.kill("SIGKILL");
  });

  it("serves a workbench with Firedrill's views and commands in which an episode can be played", async () => {
    const workbench = await Workbench.open(browser.context, started.url);
    await workbench.openActivity("Firedrill");
    await workbench.sideBar.getByText("Scenarios").first().waitFor();
    await workbench.run("Firedrill: Start Scenario…");
    await workbench.choose("one alert");
    await workbench.choose("Type a seed");
    await workbench.answer("0");
    const panel = await workbench.panel("alerts");
    await panel.shows("Published task: one alert");
    await workbench.close();
  });

  it("answers nobody who asks for another address, nor for files outside the package", async () => {
    const status = async (path: string) => (await fetch(new URL(path, started.url))).status;
    expect(await status("/ext/package.json")).toBe(200);
    expect(await status("/ext/src/core/world.ts")).toBe(404);
    expect(await status("/ext/..%2f.git%2fconfig")).toBe(404);
    expect(await status("/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd")).toBe(404);
    expect(await statusForHost(started.url, "example.com")).toBe(403);
  });

  it("ends with Ctrl+C", async () => {
    started.child.kill("SIGINT");
    expect(await started.exit).toBe(0);
    await expect(fetch(started.url)).rejects.toThrow();
  });
});
