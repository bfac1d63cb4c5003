/** Scenario files from alerts and answers, from text, and out of recordings. The format is described in scenario-text.ts. */
import { digest } from "../../../core/json";
import { clamp } from "../../../core/math";
import { ScenarioError, type ScenarioFile, type ScenarioInfo } from "../../../core/world";
import type { AlertSet } from "./alert-set";
import { type AlertsFileContent, type Budget, placeInFile, readText, writeText, wrong } from "./scenario-text";
import { type FileTruth, packTruth, plainTruth, sealOf, unpackTruth } from "./seal";
import { problemsOf, queueOf, type TruthDraft } from "./truth-draft";

export type { AlertsFileContent, Budget } from "./scenario-text";

/** A budget that leaves room to look at every alert of a small queue, and to group a large one. */
export function usualBudget(set: AlertSet): Budget {
  const maxSteps = clamp(20 + 2 * queueOf(set).length, 30, 240);
  return { maxSteps, maxMinutes: 2 * maxSteps };
}

/**
 * A scenario from alerts and a finished draft; `salt` is 32 or more hexadecimal digits of chance.
 * @throws ScenarioError naming the first problem of the draft.
 */
export function scenarioFrom(
  set: AlertSet,
  draft: TruthDraft,
  salt: string,
  budget: Budget = usualBudget(set),
): ScenarioFile {
  const problem = problemsOf(draft, set)[0];
  if (problem) throw new ScenarioError(`The scenario is not finished at ${problem.place}: ${problem.message}`);
  return fileOf({ ...set, title: draft.title.trim(), brief: draft.brief.trim(), budget }, draft, salt);
}

/** The canonical text of a scenario file. @throws ScenarioError when its truth is not there. */
export function writeScenario(file: ScenarioFile): string {
  if (file.truth === null)
    throw new ScenarioError(
      "The scenario's answers are not there, so its file cannot be written; open the file it is from.",
    );
  return writeText(contentOf(file), file.info.id, file.truth);
}

/** A file whose truth is still to be filled in by hand, as a plain object; it cannot be played before. */
export function writeSkeleton(
  set: AlertSet,
  draft: TruthDraft,
  salt: string,
  budget: Budget = usualBudget(set),
): string {
  const content = { ...set, title: draft.title, brief: draft.brief, budget };
  return writeText(content, "", { ...plainTruth(draft), salt });
}

/** Reads and validates a scenario file; `salt` is taken where it has none. @throws ScenarioError naming the place and the fix. */
export function readScenario(text: string, salt: string): ScenarioFile {
  const { content, draft, salt: own } = readText(text);
  const problem = problemsOf(draft, content)[0];
  if (problem) throw wrong(placeInFile(problem.place), problem.message);
  return fileOf(content, draft, own ?? salt);
}

/** Reads a scenario file for editing: its truth may be unfinished. @throws ScenarioError when the rest is not valid. */
export function editScenario(text: string): {
  readonly set: AlertSet;
  readonly draft: TruthDraft;
  readonly budget: Budget;
  /** Null in a file written by hand. */
  readonly salt: string | null;
} {
  const { content, draft, salt } = readText(text);
  const { source, alerts, services, budget } = content;
  return { set: { source, alerts, services }, draft, budget, salt };
}

/**
 * A file out of a recording, which anybody may have written, read and validated as a text is. Its truth may be missing.
 * @throws ScenarioError naming the place, or saying that the truth does not fit its seal.
 */
export function checkScenario(file: ScenarioFile): ScenarioFile {
  const { content, draft, salt } = readText(writeText(contentOf(file), "", file.truth ?? NO_TRUTH));
  const checked = { world: file.world, info: infoOf(content), content, seal: file.seal, truth: null };
  if (file.truth === null) return checked;
  const problem = problemsOf(draft, content)[0];
  if (problem) throw wrong(placeInFile(problem.place), problem.message);
  const whole = fileOf(content, draft, salt ?? "");
  if (whole.seal === file.seal) return whole;
  throw new ScenarioError(
    "The answers in the recording are not those that its first line is sealed with; ask for the recording again.",
  );
}

/** The author's truth in a validated file; null where it is not there. Only grading, oracles and the debrief may ask. */
export function authorsTruth(file: ScenarioFile): FileTruth | null {
  return file.truth === null ? null : unpackTruth(file.truth);
}

/** The content of a file of this world. @throws ScenarioError when the file belongs to another world. */
export function contentOf(file: ScenarioFile): AlertsFileContent {
  if (file.world !== "alerts")
    throw new ScenarioError(`This is a scenario of the world "${file.world}", not of alerts.`);
  return file.content as AlertsFileContent;
}

/** Stands where a recording holds no truth. */
const NO_TRUTH: FileTruth = { disposition: "", incidents: [] };

function fileOf(content: AlertsFileContent, truth: FileTruth, salt: string): ScenarioFile {
  return {
    world: "alerts",
    info: infoOf(content),
    content,
    seal: sealOf(truth, salt),
    truth: packTruth(truth, salt),
  };
}

function infoOf(content: AlertsFileContent): ScenarioInfo {
  const alerts = queueOf(content).length;
  return {
    world: "alerts",
    id: `file-${digest(content)}`,
    title: content.title,
    brief: content.brief,
    difficulty: alerts <= 3 ? "easy" : alerts <= 15 ? "medium" : alerts <= 100 ? "hard" : "extreme",
    split: "imported",
    ...content.budget,
    tags: ["imported", alerts === 1 ? "1 alert" : `${alerts} alerts`],
  };
}
