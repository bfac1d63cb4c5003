/** The two extension hosts as places to play in: the same editor, with Firedrill where that host loads it from. */
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json";
import { type RunningEditor, startEditor } from "../../scripts/editor.mjs";

export type HostKind = "node" | "web";
export const HOSTS: readonly HostKind[] = ["node", "web"];

const EXTENSION = `${manifest.publisher}.${manifest.name}`;
const PACKAGE = `${manifest.name}-${manifest.version}.vsix`;

export interface Place {
  readonly kind: HostKind;
  readonly editor: RunningEditor;
  /** The workbench's address, on an empty folder. */
  readonly url: string;
  /** The folder that is open. */
  readonly folder: string;
  /** Where runs are kept, on this machine's disk. */
  readonly runs: string;
  /** Names of the recordings, oldest first. */
  recordings(): Promise<string[]>;
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly untrusted?: boolean;
  /** Files of the open folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** A bundle that exports `run`: the editor calls it inside the extension host and closes. */
  readonly suite?: string;
}

/** Starts an editor with the packed extension in it. @throws Error when the package has not been made. */
export async function openPlace(kind: HostKind, options: PlaceOptions = {}): Promise<Place> {
  if (!existsSync(PACKAGE)) throw new Error(`${PACKAGE} is not there; run npm run package first.`);
  const work = await mkdtemp(join(tmpdir(), "fd-wk-"));
  const folder = join(work, "folder");
  const runs = join(work, "runs");
  await mkdir(folder);
  for (const [name, content] of Object.entries(options.files ?? {})) await writeFile(join(folder, name), content);
  const editor = await startEditor({
    vsix: [PACKAGE],
    // The same package in both hosts: this setting outweighs its manifest, which prefers the Node host.
    settings: { ...(kind === "web" ? { "remote.extensionKind": { [EXTENSION]: ["web"] } } : {}), ...options.settings },
    untrusted: options.untrusted ?? false,
    driver: options.suite !== undefined,
  });
  const authority = `127.0.0.1:${editor.port}`;
  await keepRunsIn(editor, kind === "node" ? runs : `vscode-remote://${authority}${runs}`);
  const payload = options.suite ? await testExtension(kind, authority, options.suite, join(work, "tests")) : [];
  const query = `folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
  return {
    kind,
    editor,
    url: `${editor.url}/?${query}`,
    folder,
    runs,
    recordings: () => listRecordings(runs),
    close: async () => {
      await editor.stop();
      await rm(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/**
 * An extension under development that holds nothing but the tests: the editor runs them in the host where it would run
 * that extension.
 */
async function testExtension(kind: HostKind, authority: string, suite: string, target: string): Promise<string[][]> {
  await mkdir(target);
  await copyFile(suite, join(target, "suite.js"));
  const description = {
    name: "firedrill-tests",
    publisher: manifest.publisher,
    version: "0.0.1",
    engines: manifest.engines,
    activationEvents: [],
    [kind === "node" ? "main" : "browser"]: "./suite.js",
  };
  await writeFile(join(target, "package.json"), JSON.stringify(description));
  const location = `vscode-remote://${authority}${target}`;
  return [
    ["extensionDevelopmentPath", location],
    ["extensionTestsPath", `${location}/suite${kind === "web" ? ".js" : ""}`],
    ["skipWelcome", "true"],
    ...(kind === "web" ? [["extensionDevelopmentKind", "web"]] : []),
  ];
}

async function keepRunsIn(editor: RunningEditor, folder: string): Promise<void> {
  const file = join(editor.data, "User/settings.json");
  const settings = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...settings, "firedrill.runs.folder": folder }));
}

async function listRecordings(runs: string): Promise<string[]> {
  const names = await readdir(runs).catch(() => []);
  return names.filter((name) => name.endsWith(".firedrill.jsonl")).sort();
}
