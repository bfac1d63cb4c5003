/** Scenario files that come from elsewhere than `readScenario`: out of a recording, which anybody may have written. */
import { ScenarioError, type ScenarioFile } from "../../../core/world";
import { checkScenario } from "./scenario-file";

const checked = new WeakMap<ScenarioFile, ScenarioFile>();

/** The same scenario, read and validated as a file is. @throws ScenarioError naming the place, or saying that it is none. */
export function checkedFile(file: ScenarioFile): ScenarioFile {
  let found = checked.get(file);
  if (!found) {
    found = tryCheck(file);
    checked.set(file, found);
  }
  return found;
}

function tryCheck(file: ScenarioFile): ScenarioFile {
  try {
    return checkScenario(file);
  } catch (error) {
    if (error instanceof ScenarioError) throw error;
    throw new ScenarioError(
      "The scenario in the recording is damaged; ask for the recording again, or for its scenario.",
    );
  }
}
