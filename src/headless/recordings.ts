/** Reads recordings that a command names, and says about each what keeps it from being read. */
import { basename, dirname, resolve } from "node:path";
import { readTrajectory, type Trajectory, TrajectoryError, tornTail } from "../core/trajectory";
import type { World } from "../core/world";
import { readText } from "./arguments";
import { couldNotRun, type Io } from "./io";

/** A recording and the world it is of. @throws CommandError when it cannot be read, is damaged, or is of a later version. */
export async function readRecording(io: Io, path: string): Promise<{ trajectory: Trajectory; world: World }> {
  const text = await readText(path);
  const torn = tornTail(text);
  if (torn) io.error(`${path}: the last line is cut off (${torn.length} characters) and left out.\n`);
  let trajectory: Trajectory;
  try {
    trajectory = readTrajectory(text);
  } catch (error) {
    if (error instanceof TrajectoryError) throw couldNotRun(`${path}: ${error.message}`);
    throw error;
  }
  const id = trajectory.episode.world;
  const world = (await io.worlds()).find((each) => each.id === id);
  if (!world) throw couldNotRun(`${path} is of the world "${id}", which this version does not have; update Firedrill.`);
  return { trajectory, world };
}

/** Folder and name of a file. */
export function placeOf(path: string): { readonly folder: string; readonly name: string } {
  const whole = resolve(path);
  return { folder: dirname(whole), name: basename(whole) };
}
