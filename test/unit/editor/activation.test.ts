import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = process.cwd();

/** Modules that are evaluated when the entry is: what is imported by value, not behind `import()`. */
function evaluatedBy(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const queue = [join(ROOT, entry)];
  for (let file = queue.pop(); file; file = queue.pop()) {
    if (files.has(relative(ROOT, file))) continue;
    files.add(relative(ROOT, file));
    for (const request of valueImports(readFileSync(file, "utf8"))) {
      if (request.startsWith(".")) queue.push(`${join(dirname(file), request)}.ts`);
      else packages.add(request);
    }
  }
  return { files, packages };
}

/** `import type` and imports of types alone leave nothing behind. */
function valueImports(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\s)(?:([^;"']*?)\s+from\s+)?"([^"]+)";/gm);
  return [...statements].flatMap(([, names, request]) => {
    const listed = /^\{([^}]*)\}$/.exec((names ?? "").trim())?.[1];
    const onlyTypes = listed?.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type "));
    return onlyTypes ? [] : [request as string];
  });
}

describe.each(["src/editor/extension.node.ts", "src/editor/extension.web.ts"])("activating %s", (entry) => {
  const { files, packages } = evaluatedBy(entry);

  it("evaluates no schema library, no world, no session and no storage", () => {
    expect([...packages].filter((name) => name === "zod")).toEqual([]);
    const heavy = [...files].filter((file) => /^src\/(worlds|engine|players|storage)\//.test(file));
    expect(heavy).toEqual([]);
    expect(files.has("src/core/session.ts")).toBe(false);
    expect(files.has("src/core/trajectory.ts")).toBe(false);
  });

  it("does evaluate the registrations", () => {
    expect(files.has("src/editor/activate.ts")).toBe(true);
    expect(files.has("src/editor/commands/run-commands.ts")).toBe(true);
    expect(packages.has("vscode")).toBe(true);
  });
});
