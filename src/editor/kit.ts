/**
 * Everything heavy behind one door: worlds, schemas, sessions. Import it with `await import("./kit")` only, so that
 * activation does not evaluate it.
 */
export { createPatch } from "../core/json";
export { openRecorded, replay } from "../core/replay";
export { Stream } from "../core/rng";
export { flatten } from "../core/rubric";
export { runEpisode } from "../core/run";
export { forkRun, gradeKey, resumeRun, startRun } from "../core/runs";
export { giveScenario, sourceOf, wholeSource } from "../core/scenario-source";
export { observations, readEpisode, readLine, readTrajectory, tornTail } from "../core/trajectory";
export { loadWorld, worldIds } from "../worlds/catalogue";
