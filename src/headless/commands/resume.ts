/** `firedrill resume`: a player goes on with a run that was left or cut off, to its end. */
import { basename, dirname, resolve as resolvePath } from "node:path";
import { resumeRun } from "../../core/runs";
import { giveScenario, MissingScenario } from "../../core/scenario-source";
import { ScenarioError, type World } from "../../core/world";
import { NodeRecordStore } from "../../storage/node-store.node";
import { findPlayer, readText } from "../arguments";
import { CommandError, couldNotRun, type ExitCode, type Io } from "../io";
import { playOn } from "../recorded-run";
import { readRecording } from "../recordings";
import { printRun } from "./run";

export interface ResumeOptions {
  readonly player: string;
  /** The scenario file, where the run is of one and no copy of it is beside the recording. */
  readonly scenario?: string;
  readonly json?: boolean;
}

export async function resume(file: string, options: ResumeOptions, io: Io): Promise<ExitCode> {
  const path = resolvePath(file);
  const { trajectory, world } = await readRecording(io, path);
  const { episode } = trajectory;
  const player = findPlayer(world, options.player);
  const store = new NodeRecordStore(dirname(path));
  if (options.scenario !== undefined) {
    const text = await readText(options.scenario);
    await explained(options.scenario, () => giveScenario(world, episode, text, store));
  }
  const find = (id: string): World | undefined => (id === world.id ? world : undefined);
  const opened = await explained(file, () => resumeRun(find, basename(path), { store }));
  const result = await playOn(opened, player);
  return printRun(io, options.json, { world, episode: opened.session.episode, rubric: episode.rubric, ...result });
}

/** Errors of the recording and of the scenario, with the file they are about. */
async function explained<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MissingScenario)
      throw couldNotRun(`${file}: ${error.message.replace(/\.$/, "")} with --scenario FILE.`);
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    throw error instanceof ScenarioError || error.constructor === Error
      ? couldNotRun(`${file}: ${error.message}`)
      : error;
  }
}
