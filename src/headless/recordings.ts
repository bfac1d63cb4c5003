/** Reads recordings that a command names, and says about each what keeps it from being read. */

import { type ReplayResult, replayText } from "../core/replay";
import { readEpisode, readTrajectory, type Trajectory, TrajectoryError, tornTail } from "../core/trajectory";
import type { World } from "../core/world";
import { readText } from "./arguments";
import { couldNotRun, type Io } from "./io";

/** A recording and the world it is of. @throws CommandError when it cannot be read, is damaged, or is of a later version. */
export async function readRecording(io: Io, path: string): Promise<{ trajectory: Trajectory; world: World }> {
  const { text, world } = await openRecording(io, path);
  return { trajectory: whole(path, () => readTrajectory(text)), world };
}

/** Replays a recording. @throws CommandError as `readRecording`. */
export async function replayRecording(io: Io, path: string): Promise<ReplayResult> {
  const { text, world } = await openRecording(io, path);
  return whole(path, () => replayText((id) => (id === world.id ? world : undefined), text));
}

async function openRecording(io: Io, path: string): Promise<{ text: string; world: World }> {
  const text = await readText(path);
  const torn = tornTail(text);
  if (torn) io.error(`${path}: the last line is cut off (${torn.length} characters) and left out.\n`);
  const id = whole(path, () => readEpisode(text)).world;
  const world = (await io.worlds()).find((each) => each.id === id);
  if (!world) throw couldNotRun(`${path} is of the world "${id}", which this version does not have; update Firedrill.`);
  return { text, world };
}

function whole<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TrajectoryError) throw couldNotRun(`${path}: ${error.message}`);
    throw error;
  }
}
