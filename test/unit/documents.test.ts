import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json";

const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];
const read = (name: string) => readFileSync(name, "utf8");
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string);

describe.each(DOCUMENTS)("%s", (name) => {
  it("links only to files that are there", () => {
    const links = found(read(name), /\]\(([^)]+)\)/g).filter((link) => !/^(https?:|#)/.test(link));
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  it("names only scripts that npm can run", () => {
    const scripts = found(read(name), /npm run ([a-z]+)/g);
    expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
  });

  it("names only files and folders that are there", () => {
    const paths = found(read(name), /`((?:src|test|scripts|webview|data|media)\/[\w./-]+)`/g);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe("the code map", () => {
  const map = read("CONTRIBUTING.md");
  const folders = (of: string) => readdirSync(of, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  it("has an entry for every layer", () => {
    const layers = folders("src").map(({ name }) => (name === "worlds" ? "src/worlds/<world>" : `src/${name}`));
    for (const layer of [...layers, "webview", "data", "media", "test", "scripts"])
      expect(map).toContain(`**\`${layer}\`**`);
  });

  it("names every folder of the engine, and only files that it has", () => {
    const engine = map.slice(map.indexOf("- **`src/engine`**"), map.indexOf("- **`src/worlds/<world>`**"));
    for (const { name } of folders("src/engine")) expect(engine).toContain(`\`${name}/`);
    const howTo = map.slice(
      map.indexOf("### play an incident"),
      map.indexOf("### add a fault family to the alerts world"),
    );
    const files = ["src", "test"].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }));
    const named = found(engine + howTo, /`([\w./-]+\.ts)`/g);
    expect(named.length).toBeGreaterThan(30);
    const isThere = (name: string) => files.some((file) => `/${file.replaceAll("\\", "/")}`.endsWith(`/${name}`));
    expect(named.filter((name) => !isThere(name) && !existsSync(name))).toEqual([]);
  });

  it("has a row for every kind of test", () => {
    const helpers = ["data"];
    for (const { name } of folders("test")) if (!helpers.includes(name)) expect(map).toContain(`| \`${name}\` |`);
  });

  it("has a row for every script", () => {
    const rows = map.slice(map.indexOf("| `npm run` |"), map.indexOf("## How to"));
    for (const script of Object.keys(manifest.scripts))
      if (script !== "start" && script !== "test") expect(rows).toContain(`\`${script}\``);
  });
});
