/**
 * Tests that run inside the extension host, against the API an extension sees. The editor's module is passed in, so that the
 * runner outside can import this file for the names alone.
 */
import type * as vscode from "vscode";

export type Editor = typeof vscode;

/** What the extension gives to others. */
export interface FiredrillExports {
  readonly host: "node" | "web";
  /** How long our own activation took. */
  readonly activationMs: number;
  /** By kind of panel: how long the last one took from its script's first line until data was on the screen. */
  readonly drawnAfterMs: Readonly<Record<string, number>>;
}

const EXTENSION = "firedrill.firedrill";

interface Started {
  readonly run: string;
  readonly scenario: string;
  readonly seed: number;
  readonly location: string;
}
interface Outcome {
  readonly done: boolean;
  readonly problem?: { readonly code: string; readonly message: string; readonly field?: string };
  readonly observation: {
    readonly step: number;
    readonly teams: readonly string[];
    readonly alerts: readonly { readonly id: string; readonly service: string }[];
    readonly groups: readonly { readonly id: string }[];
    readonly items: readonly { readonly id: string }[];
  };
}

function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

function same(actual: unknown, wanted: unknown, what: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(wanted)];
  assert(left === right, `${what} is ${left} and should be ${right}`);
}

async function rejection(work: Thenable<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("nothing was refused");
}

function start(editor: Editor, scenario: string, seed: number): Thenable<Started> {
  return editor.commands.executeCommand("firedrill.startScenario", { world: "alerts", scenario, seed });
}

function act(editor: Editor, action: string, args: Readonly<Record<string, unknown>>): Thenable<Outcome> {
  return editor.commands.executeCommand(`firedrill.alerts.${action}`, args);
}

/** Acts and insists that it was accepted. */
async function take(editor: Editor, action: string, args: Readonly<Record<string, unknown>>): Promise<Outcome> {
  const outcome = await act(editor, action, args);
  assert(!outcome.problem, `${action} was refused: ${outcome.problem?.message}`);
  return outcome;
}

/** The starter scenario that the runner outside chose and wrote into the open folder. */
async function starter(editor: Editor): Promise<string> {
  const folder = editor.workspace.workspaceFolders?.[0];
  assert(folder, "no folder is open");
  const bytes = await editor.workspace.fs.readFile(editor.Uri.joinPath(folder.uri, "starter.txt"));
  return new TextDecoder().decode(bytes).trim();
}

function uriOf(editor: Editor, location: string): vscode.Uri {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location) ? editor.Uri.parse(location) : editor.Uri.file(location);
}

/** The lines of a recording. */
async function lines(editor: Editor, location: string): Promise<Record<string, unknown>[]> {
  const text = new TextDecoder().decode(await editor.workspace.fs.readFile(uriOf(editor, location)));
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function exportsOf(editor: Editor): Promise<FiredrillExports> {
  const extension = editor.extensions.getExtension<FiredrillExports>(EXTENSION);
  assert(extension, `${EXTENSION} is not installed`);
  return extension.activate();
}

/** Waits for what the editor does in its own time. */
async function until(what: string, holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${what} did not come`);
}

/** What the tests learn that the runner outside wants to know. */
export interface Findings {
  host?: string;
  activationMs?: number;
  /** By kind of panel: milliseconds from its script's first line to data on the screen. */
  drawnAfterMs?: Readonly<Record<string, number>>;
  recordings?: string[];
}

export type EditorTest = (editor: Editor, findings: Findings) => Promise<void>;

export const TESTS: Readonly<Record<string, EditorTest>> = {
  "activates and says in which host and how fast": async (editor, findings) => {
    const { host, activationMs } = await exportsOf(editor);
    assert(host === "node" || host === "web", `the host is ${host}`);
    assert(activationMs >= 0, `activation took ${activationMs} ms`);
    findings.host = host;
    findings.activationMs = activationMs;
  },

  "registers every command of its manifest": async (editor) => {
    const manifest = editor.extensions.getExtension(EXTENSION)?.packageJSON as {
      contributes: { commands: { command: string }[] };
    };
    const known = new Set(await editor.commands.getCommands(true));
    const missing = manifest.contributes.commands.filter(({ command }) => !known.has(command));
    same(missing, [], "the list of commands without a handler");
  },

  "plays a generated episode to its end by commands alone": async (editor, findings) => {
    const started = await start(editor, await starter(editor), 7);
    // Before the end, whose debrief covers the panel.
    const { drawnAfterMs } = await exportsOf(editor);
    await until("the alerts panel's report that it is drawn", () => drawnAfterMs.alerts !== undefined);
    findings.drawnAfterMs = drawnAfterMs;
    const first = await take(editor, "service_graph", {});
    const alerts = first.observation.alerts.map((alert) => alert.id);
    const service = first.observation.alerts[0]?.service;
    const team = first.observation.teams[0];
    await take(editor, "inspect_alert", { alert: alerts[0] });
    await take(editor, "impact", { service });
    const grouped = await take(editor, "group", { alerts });
    const group = grouped.observation.groups[0]?.id;
    await take(editor, "acknowledge", { alerts });
    await take(editor, "route", { group, severity: "P2", team });
    const evidence = grouped.observation.items.map((item) => item.id).slice(0, 1);
    await take(editor, "declare_cause", {
      group,
      component: service,
      mechanism: "bad_config",
      confidence: 0.4,
      evidence,
    });
    const last = await take(editor, "close_triage", { disposition: "routed" });
    same(last.done, true, "done after the closing action");
    const recorded = await lines(editor, started.location);
    same(recorded[0]?.type, "episode", "the first line's type");
    same(recorded.filter((line) => line.type === "step").length, 8, "the number of recorded steps");
    same(recorded.at(-1)?.type, "grade", "the last line's type");
    findings.recordings = [...(findings.recordings ?? []), started.run];
  },

  "plays a published task to its end by commands alone": async (editor, findings) => {
    const started = await start(editor, "task_easy", 0);
    const triage = { severity: "P3", team: "sre", root_cause: "the disk is full", suppressed: [] };
    same((await take(editor, "triage", triage)).done, false, "done after the first triage");
    same((await take(editor, "give_up", {})).done, true, "done after the task was ended");
    const recorded = await lines(editor, started.location);
    same(
      recorded.map((line) => line.type),
      ["episode", "step", "step", "grade"],
      "the types of the recorded lines",
    );
    findings.recordings = [...(findings.recordings ?? []), started.run];
  },

  "answers a wrong action with a problem that names the field, and spends no step": async (editor) => {
    await start(editor, await starter(editor), 0);
    const before = await take(editor, "service_graph", {});
    const outcome = await act(editor, "inspect_alert", { alert: 7 });
    assert(outcome.problem, "the wrong action was accepted");
    same(outcome.problem.field, "alert", "the field that is named");
    same(outcome.observation.step, before.observation.step, "the step after a refused action");
    await editor.commands.executeCommand("firedrill.endEpisode", "leave");
  },

  "goes on with an imported scenario, whose answers its recording holds from the grade on": async (editor) => {
    const folder = editor.workspace.workspaceFolders?.[0];
    assert(folder, "no folder is open");
    const file = editor.Uri.joinPath(folder.uri, "kiln.json");
    const started = await editor.commands.executeCommand<Started>("firedrill.openScenarioFile", file, 0);
    assert(started, "no episode was started");
    await take(editor, "inspect_alert", { alert: "a01" });
    await editor.commands.executeCommand("firedrill.endEpisode", "leave");
    const left = await lines(editor, started.location);
    same(left.at(-1)?.type, "abandoned", "the last line's type of the run that was left");
    const { truth } = JSON.parse(new TextDecoder().decode(await editor.workspace.fs.readFile(file))) as {
      truth: string;
    };
    assert(!JSON.stringify(left).includes(truth), "the unfinished recording holds the answers");
    const copies = editor.Uri.joinPath(uriOf(editor, started.location), "..", "scenarios");
    same(
      (await editor.workspace.fs.readDirectory(copies)).length,
      1,
      "the number of scenarios kept beside the recordings",
    );
    await editor.commands.executeCommand("firedrill.resumeRun", started.run);
    same((await take(editor, "give_up", {})).done, true, "done after giving up");
    same((await lines(editor, started.location)).at(-1)?.scenario_truth, truth, "the answers in the grade line");
  },

  "refuses an unknown scenario and a seed that is no whole number in one sentence each": async (editor) => {
    const scenario = await rejection(start(editor, "no-such-scenario", 1));
    assert(scenario.includes("no-such-scenario"), `the message is: ${scenario}`);
    const seed = await rejection(start(editor, await starter(editor), 1.5));
    assert(seed.includes("1.5"), `the message is: ${seed}`);
  },
};
