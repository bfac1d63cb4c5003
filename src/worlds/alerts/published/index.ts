/** The published set of the alerts world. */
export { publishedActions, type Triage } from "./actions";
export { openPublished, publishedTruthOf } from "./episode";
export { publishedPlayer, publishedPlayers } from "./players";
export { isTaskId, publishedScenarios, SERVICES_MAP, TASK_IDS, type TaskId } from "./scenarios";
