/** A run of an imported scenario whose file is not kept beside its recording: the person is asked for it. */
import type { App } from "../app";
import { TellUser } from "../error-door";
import type { RunSource } from "../run-source";

/** Does `work` on a run; where its scenario file is missing, the message offers to choose it and to try again. */
export async function withScenarioFile<T>(app: App, source: RunSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !("wanted" in error)) throw error;
    const again = async () => {
      if (await chooseScenarioFile(app, source)) await work();
    };
    throw new TellUser(error.message, [{ title: "Choose Scenario File…", run: again }]);
  }
}

/** Keeps the file that is chosen beside the recordings; false when the person leaves. @throws ScenarioError for another one. */
async function chooseScenarioFile(app: App, source: RunSource): Promise<boolean> {
  const { pickScenarioFile, readText } = await import("../scenario-files");
  const uri = await pickScenarioFile(app);
  if (!uri) return false;
  const { giveScenario, readEpisode } = await import("../kit");
  const { findWorld } = await import("./open-run");
  const episode = readEpisode(await source.read());
  await giveScenario(await findWorld(episode.world), episode, await readText(app, uri), await app.store());
  return true;
}
