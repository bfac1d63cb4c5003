/**
 * The walls between layers, checked on the syntax tree. `node scripts/layers.mjs` lists every breach and exits 1 if there
 * is one. The rules are the two tables below; CONTRIBUTING gives the reason for each.
 */
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The simulated system as data (and words for people), and what a run of it leaves behind. */
const SYSTEM = ["spec", "parameters", "plan", "events", "words"].map((name) => `src/engine/${name}.ts`);
const RUN = [...SYSTEM, "src/engine/record.ts", "src/engine/run.ts"];

/** Folder (or file) under the root → what its files may import from the project; the longest matching prefix holds. */
export const MAY_IMPORT = {
  "src/core": ["src/core"],
  "src/engine": ["src/engine", "src/core", "data/engine"],
  "src/engine/mechanisms": ["src/engine/mechanisms", "src/core"],
  "src/engine/topologies": ["src/engine/topologies", ...SYSTEM, "src/core"],
  "src/engine/solver": ["src/engine/solver", "src/engine/mechanisms", ...RUN, "src/core"],
  // What a person could measure or do follows from the record and the journal, never from the state of the solver.
  "src/engine/telemetry": ["src/engine/telemetry", "src/engine/mechanisms", ...RUN, "src/core"],
  "src/engine/alert-rules": ["src/engine/alert-rules", "src/engine/telemetry", ...RUN, "src/core"],
  "src/engine/remedies": ["src/engine/remedies", ...RUN, "src/core"],
  "src/knowledge": ["src/knowledge", "src/core"],
  "src/worlds/alerts": ["src/worlds/alerts", "src/engine", "src/knowledge", "src/core", "data/alerts"],
  "src/worlds": ["src/worlds", "src/core"],
  "src/players": ["src/players", "src/worlds/catalogue.ts", "src/core", "src/panel-protocol.ts"],
  "src/exports": ["src/exports", "src/worlds/catalogue.ts", "src/core"],
  "src/storage": ["src/storage", "src/core"],
  "src/panel-protocol.ts": ["src/core"],
  "src/editor": [
    "src/editor",
    "src/storage",
    "src/players",
    "src/exports",
    "src/worlds",
    "src/core",
    "src/panel-protocol.ts",
    "package.json",
  ],
  "src/headless": [
    "src/headless",
    "src/storage",
    "src/players",
    "src/exports",
    "src/worlds",
    // Not around a world: `simulate` runs the simulated system by itself, for people who design drills.
    "src/engine",
    "src/core",
    "src/panel-protocol.ts",
  ],
  webview: [
    "webview",
    "src/panel-protocol.ts",
    "src/worlds/alerts/observation.ts",
    "src/worlds/alerts/draw.ts",
    "src/core",
  ],
};

/** Folders that read no clock, no chance, no machine and no editor. */
export const PURE = ["src/core", "src/engine", "src/worlds", "src/players", "src/exports"];

/** Files that may open the truth; everything else that imports it by value breaks the wall. */
export const TRUTH = {
  file: "src/worlds/alerts/truth.ts",
  mayImport:
    /^src\/worlds\/alerts\/(truth|truth-view|grader|grading\/.*|generate|generator\/.*|families\/.*|published\/.*|import\/.*|players\/.*|draw|world)(\.ts)?$/,
};

const MATH = new Set(["abs", "sqrt", "min", "max", "floor", "ceil", "trunc", "sign", "imul", "clz32", "fround"]);
const BANNED_GLOBALS = new Map([
  ["Date", "wall clock"],
  ["Intl", "locale"],
  ["performance", "wall clock"],
  ["crypto", "chance"],
  ["process", "machine"],
  ["Buffer", "machine"],
  ["require", "machine"],
  ["setTimeout", "wall clock"],
  ["setInterval", "wall clock"],
  ["fetch", "network"],
  ["window", "DOM"],
  ["document", "DOM"],
  ["navigator", "DOM"],
  ["console", "machine"],
  ["globalThis", "everything else"],
  ["self", "everything else"],
  ["global", "everything else"],
  ["setImmediate", "wall clock"],
  ["structuredClone", "newer than the oldest host"],
]);
/** `localeCompare`, `toLocaleString` and their like. */
const OF_THE_LOCALE = /^(localeCompare|toLocale\w+)$/;
const NODE = new Set(builtinModules);

/**
 * Breaches of one file, each one sentence.
 * @param {string} file path from the root, with forward slashes
 * @param {string} source
 * @returns {string[]}
 */
export function breaches(file, source) {
  const parsed = parseSync(file, source);
  if (parsed.errors.length) return [`${file}: cannot be parsed: ${parsed.errors[0]?.message}`];
  const found = [];
  const say = (node, text) => found.push(`${file}:${source.slice(0, node.start).split("\n").length}: ${text}`);
  const pure = PURE.some((folder) => within(file, folder));
  const folder = longestPrefix(file);
  walk(parsed.program, (node, parent) => {
    const request = requestOf(node);
    if (request !== undefined) checkImport({ file, folder, pure, request, node, say });
    if (pure) checkPurity(node, parent, say);
  });
  return found;
}

function checkImport({ file, folder, pure, request, node, say }) {
  if (!request.startsWith(".")) {
    const name = request.replace(/^node:/, "");
    const isNode = request.startsWith("node:") || NODE.has(name.split("/")[0]);
    if (pure && (request === "vscode" || isNode)) say(node, `${folder} is pure and must not import "${request}"`);
    else if (request === "vscode" && folder !== "src/editor") say(node, `only src/editor may import "vscode"`);
    else if (isNode && folder === "webview") say(node, `a webview must not import "${request}"`);
    else if (isNode && folder === "src/editor" && !/\.node\.ts$/.test(file))
      say(node, `only *.node.ts files of ${folder} may import "${request}": the rest runs in the web host too`);
    else if (isNode && folder === "src/storage" && !/\.node\.ts$/.test(file))
      say(node, `only *.node.ts files of ${folder} may import "${request}"`);
    if (folder === "webview" && request.split("/")[0] === "zod") say(node, "no zod in a webview: the host validates");
    if (folder === "webview" && request.startsWith("@vscode/webview-ui-toolkit") && file !== "webview/toolkit.ts")
      say(node, "the toolkit is imported through webview/toolkit.ts only");
    return;
  }
  const target = posix.join(posix.dirname(file), request);
  if (
    folder === "webview" &&
    within(target, "src") &&
    node.importKind !== "type" &&
    node.exportKind !== "type" &&
    !/^src\/(core\/(json|clock|math)|panel-protocol)(\.ts)?$/.test(target) &&
    !onlyTypes(node)
  )
    say(node, `a webview imports types only from ${target}`);
  if (folder && !MAY_IMPORT[folder].some((allowed) => within(target, allowed) || `${target}.ts` === allowed))
    say(node, `${folder} must not import from ${target}`);
  const isTruth = target === TRUTH.file.replace(/\.ts$/, "") || target === TRUTH.file;
  if (isTruth && !TRUTH.mayImport.test(file) && !onlyTypes(node))
    say(node, "only generator, grader, oracles and debrief may open the truth");
}

function checkPurity(node, parent, say) {
  if (node.type === "MemberExpression") {
    const name = node.computed ? undefined : node.property.name;
    if (node.object.type === "Identifier" && node.object.name === "Math" && !MATH.has(name ?? ""))
      say(node, `Math.${name ?? "[…]"} differs between engines; use + − × ÷, √ or core/math.ts`);
    if (OF_THE_LOCALE.test(name ?? "")) say(node, `${name} depends on the locale`);
  }
  if (
    (node.type === "BinaryExpression" && node.operator === "**") ||
    (node.type === "AssignmentExpression" && node.operator === "**=")
  )
    say(node, "** differs between engines");
  if (
    node.type === "Identifier" &&
    node.name === "Math" &&
    parent?.type !== "MemberExpression" &&
    isReference(node, parent)
  )
    say(node, "Math is used by its functions one by one, so that each can be checked");
  if (node.type === "Identifier" && BANNED_GLOBALS.has(node.name) && isReference(node, parent))
    say(node, `${node.name} reaches outside the pure layers (${BANNED_GLOBALS.get(node.name)})`);
}

/** Whether an identifier is a use of a name, not a property, key or declaration of its own. */
function isReference(node, parent) {
  if (!parent) return true;
  if (parent.type === "MemberExpression") return parent.object === node || parent.computed;
  if (parent.type === "Property") return parent.value === node && !parent.method;
  if (parent.type.startsWith("TS") && parent.type !== "TSAsExpression" && parent.type !== "TSNonNullExpression")
    return false;
  return !["MethodDefinition", "PropertyDefinition", "ImportSpecifier", "ExportSpecifier", "LabeledStatement"].includes(
    parent.type,
  );
}

function requestOf(node) {
  if (["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration"].includes(node.type))
    return node.source?.value;
  if (node.type === "ImportExpression" || node.type === "TSImportType")
    return node.source?.type === "Literal" ? node.source.value : undefined;
  return undefined;
}

function onlyTypes(node) {
  if (node.type === "TSImportType" || node.importKind === "type" || node.exportKind === "type") return true;
  const specifiers = node.specifiers ?? [];
  return specifiers.length > 0 && specifiers.every((s) => s.importKind === "type" || s.exportKind === "type");
}

function walk(node, visit, parent) {
  visit(node, parent);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === "object" && typeof child.type === "string") walk(child, visit, node);
}

function within(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

function longestPrefix(file) {
  return Object.keys(MAY_IMPORT)
    .filter((folder) => within(file, folder))
    .sort((a, b) => b.length - a.length)[0];
}

/** All source files the rules concern, from the root. */
export function sources(root = ROOT) {
  return ["src", "webview"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => posix.join(folder, name.split("\\").join("/"))),
  );
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const all = sources().flatMap((file) => breaches(file, readFileSync(join(ROOT, file), "utf8")));
  for (const breach of all) console.error(breach);
  if (all.length) process.exitCode = 1;
}
