import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json";
import { readZip } from "./zip";

const file = `${manifest.name}-${manifest.version}.vsix`;

/** Every path a manifest refers to with a leading `./`, and the icons it names. */
function pathsIn(value: unknown): string[] {
  if (typeof value === "string") return /^(\.\/)?(dist|media)\/[^*]+$/.test(value) ? [value.replace(/^\.\//, "")] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(pathsIn);
}

describe("the packed extension", () => {
  let files = new Map<string, Buffer>();
  let names: string[] = [];

  beforeAll(async () => {
    if (!existsSync(file)) throw new Error(`${file} is not there; run npm run package first.`);
    files = await readZip(file);
    names = [...files.keys()].filter((name) => name.startsWith("extension/")).map((name) => name.slice(10));
  });

  it("holds the bundles of both hosts, of the command line and of every panel", () => {
    const panels = ["alerts", "debrief", "proof", "truth-form"];
    const wanted = ["extension.node.js", "extension.web.js", "cli.js", ...panels.map((panel) => `webview/${panel}.js`)];
    expect(names).toEqual(expect.arrayContaining(wanted.map((name) => `dist/${name}`)));
  });

  it("holds the licence, the readme and the change log", () => {
    const lower = names.map((name) => name.toLowerCase());
    expect(lower.some((name) => name.startsWith("license"))).toBe(true);
    expect(lower).toEqual(expect.arrayContaining(["readme.md", "changelog.md", "package.json"]));
  });

  it("holds no source, test, map, configuration or recording", () => {
    const unwanted = names.filter((name) =>
      /\.(ts|mts|map|mjs|vsix|jsonl|lock)$|^(src|test|webview|scripts|data|deploy|node_modules|\.)|dist\/test|tsconfig|biome|package-lock/.test(
        name,
      ),
    );
    expect(unwanted).toEqual([]);
  });

  it("holds every file that its manifest names", () => {
    const packed = JSON.parse(String(files.get("extension/package.json")));
    const { main, browser, icon, contributes } = packed;
    expect(pathsIn([main, browser, icon, contributes]).filter((path) => !names.includes(path))).toEqual([]);
  });

  it("holds nothing that points back at the machine it was built on", () => {
    const here = process.cwd();
    for (const [name, content] of files)
      if (/\.(js|css|json)$/.test(name)) expect(content.includes(here), name).toBe(false);
  });

  it("runs on the oldest editor it claims", () => {
    expect(manifest.devDependencies["@types/vscode"]).toBe(manifest.engines.vscode.replace("^", ""));
  });
});

describe("bundle sizes", () => {
  const sizes: Record<string, number> = JSON.parse(readFileSync(".cache/bundle-sizes.json", "utf8")).sizes;

  it.each(["dist/extension.node.js", "dist/extension.web.js"])(
    "%s, which activation loads, is at most 1 MB",
    (name) => {
      expect(sizes[name]).toBeGreaterThan(10_000);
      expect(sizes[name]).toBeLessThanOrEqual(1_000_000);
    },
  );

  it.each(["alerts", "debrief", "proof", "truth-form"])("the %s panel's script is at most 400 KB", (panel) => {
    expect(sizes[`dist/webview/${panel}.js`]).toBeGreaterThan(1_000);
    expect(sizes[`dist/webview/${panel}.js`]).toBeLessThanOrEqual(400_000);
  });

  it("no panel carries zod, whose probe breaks the content security policy", () => {
    const inputs: Record<string, Record<string, number>> = JSON.parse(
      readFileSync(".cache/bundle-sizes.json", "utf8"),
    ).inputs;
    const guilty = Object.entries(inputs)
      .filter(([file]) => file.startsWith("dist/webview/"))
      .filter(([, parts]) =>
        Object.entries(parts).some(([path, bytes]) => bytes > 0 && /node_modules\/zod\//.test(path)),
      );
    expect(guilty.map(([file]) => file)).toEqual([]);
  });
});
