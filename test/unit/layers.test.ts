import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { breaches, sources } from "../../scripts/layers.mjs";

describe("the walls between layers", () => {
  it("stand in every source file", () => {
    expect(sources().flatMap((file) => breaches(file, readFileSync(file, "utf8")))).toEqual([]);
  });

  it.each([
    ["src/core/a.ts", 'import * as vscode from "vscode";', /must not import "vscode"/],
    ["src/core/a.ts", 'import { readFileSync } from "node:fs";', /must not import "node:fs"/],
    ["src/engine/a.ts", 'import path from "path";', /must not import "path"/],
    ["src/core/a.ts", 'import { x } from "../engine/system";', /must not import from src\/engine\/system/],
    [
      "src/engine/telemetry/logs/a.ts",
      'import { State } from "../../solver/state";',
      /telemetry must not import from src\/engine\/solver/,
    ],
    [
      "src/engine/solver/a.ts",
      'import { x } from "../remedies/verbs";',
      /solver must not import from src\/engine\/remedies/,
    ],
    ["src/core/a.ts", 'const load = () => import("../worlds/catalogue");', /must not import from src\/worlds/],
    ["src/core/a.ts", 'type T = import("../editor/activate").T;', /must not import from src\/editor/],
    ["src/worlds/alerts/a.ts", 'export * from "../../editor/activate";', /must not import from src\/editor/],
    ["src/headless/cli.ts", 'import { x } from "../editor/activate";', /must not import from src\/editor/],
    ["src/headless/cli.ts", 'import * as vscode from "vscode";', /only src\/editor/],
    ["src/editor/activate.ts", 'import { join } from "node:path";', /\*\.node\.ts/],
    ["src/storage/segment-store.ts", 'import { join } from "node:path";', /\*\.node\.ts/],
    ["webview/alerts.ts", 'import { z } from "zod";', /no zod in a webview/],
    ["webview/alerts.ts", 'import { ActionCatalogue } from "../src/core/action";', /types only/],
    [
      "webview/alerts.ts",
      'import { provideVSCodeDesignSystem } from "@vscode/webview-ui-toolkit";',
      /toolkit\.ts only/,
    ],
    ["src/worlds/alerts/episode.ts", 'import { Sealed } from "./truth";', /open the truth/],
    ["src/core/a.ts", "const now = Date.now();", /wall clock/],
    ["src/core/a.ts", "const now = new Date();", /wall clock/],
    ["src/engine/a.ts", "const x = Math.random();", /Math\.random/],
    ["src/engine/a.ts", "const x = Math.exp(1);", /Math\.exp/],
    ["src/engine/a.ts", 'const x = Math["pow"](1, 2);', /Math/],
    ["src/engine/a.ts", "const { exp } = Math;", /one by one/],
    ["src/engine/a.ts", "const now = globalThis.Date.now();", /globalThis reaches/],
    ["src/worlds/alerts/a.ts", "const text = (1e6).toLocaleTimeString();", /locale/],
    ["src/players/a.ts", "const x = 2 ** 3;", /\*\* differs/],
    ["src/players/a.ts", "names.sort((a, b) => a.localeCompare(b));", /locale/],
    ["src/worlds/alerts/a.ts", "const f = new Intl.NumberFormat();", /locale/],
  ])("a breach in %s is found: %s", (file, source, expected) => {
    expect(breaches(file, source).join("\n")).toMatch(expected);
  });

  it.each([
    ["src/core/a.ts", "const x = Math.sqrt(2); const o = { Date: 1 }; o.Date;"],
    ["src/worlds/alerts/episode.ts", 'import type { Sealed } from "./truth";'],
    ["src/worlds/alerts/grader.ts", 'import { Sealed } from "./truth";'],
    ["src/editor/ports/files.node.ts", 'import { join } from "node:path"; import * as vscode from "vscode";'],
    [
      "webview/alerts.ts",
      'import type { ActionForm } from "../src/core/action"; import { applyPatch } from "../src/core/json";',
    ],
  ])("%s may do what its layer allows: %s", (file, source) => {
    expect(breaches(file, source)).toEqual([]);
  });
});
