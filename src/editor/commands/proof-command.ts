/** Computes the grader proof for one scenario, or over a world's generated sets. */
import type { App } from "../app";
import { TellUser } from "../error-door";
import type { ProofPanel } from "../panels/proof-panel";
import { type RunSource, sourceOfRef } from "../run-source";
import { isPlainObject, register } from "./registry";
import { pickWorld } from "./scenario-commands";

/** Seeds a proof runs over. Bounds on means need more episodes than one scenario's few seeds; the sizes are offered. */
const TITLE = "Show Grader Proof";
const SIZES = [
  { label: "10 seeds", count: 10 },
  { label: "50 seeds", count: 50 },
  { label: "3 seeds", count: 3 },
] as const;

/** An object asks nothing: `{scenario?, seeds?}`, `seeds` being how many, from 0. A run means its scenario. */
export function registerProofCommand(app: App, panel: ProofPanel): void {
  register(app, "showProof", "work out the proof", async (given) => {
    const source = typeof given === "string" ? sourceOfRef(app, given) : undefined;
    if (source) return proofOfRun(app, panel, source);
    const world = await pickWorld(app);
    if (!world) return undefined;
    const { provenScenarios } = await import("../../players/proof");
    const proven = provenScenarios(world);
    const asked = isPlainObject(given) ? given : undefined;
    const scope = asked ? undefined : await pickScope(app, world.title, world.scenarios());
    const scenario = asked ? asked.scenario : scope?.scenario;
    const count = asked ? asked.seeds : scope?.count;
    if (count === undefined && !asked) return undefined;
    const info = world.scenarios().find((each) => each.id === scenario);
    const seeds = seedsUpTo(typeof count === "number" && count > 0 ? Math.floor(count) : SIZES[0].count);
    const scenarios = (info ? [info] : proven).map(({ id }) => id);
    return panel.show({ world, title: info?.title ?? world.title, scenarios, seeds });
  });
}

/** Of a scenario that came from a file too: the recording of a finished run holds it, answers and all. */
async function proofOfRun(app: App, panel: ProofPanel, source: RunSource): Promise<unknown> {
  const { readTrajectory, sourceOf } = await import("../kit");
  const { findWorld } = await import("../episode/open-run");
  const trajectory = readTrajectory(await source.read());
  const { episode } = trajectory;
  const scenario = sourceOf(trajectory);
  if (typeof scenario !== "string" && scenario.truth === null)
    throw new TellUser(
      "Grades of an imported scenario tell of its answers; finish the run first, then prove its grader.",
    );
  const world = await findWorld(episode.world);
  const size = await pickSize(app);
  return size && panel.show({ world, title: episode.title, scenarios: [scenario], seeds: seedsUpTo(size) });
}

async function pickSize(app: App): Promise<number | undefined> {
  const options = { title: TITLE, placeHolder: "Seeds for each scenario" };
  return (await app.editor.window.showQuickPick([...SIZES], options))?.count;
}

function seedsUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

async function pickScope(
  app: App,
  worldTitle: string,
  scenarios: readonly { readonly id: string; readonly title: string; readonly split: string }[],
): Promise<{ readonly scenario: string | undefined; readonly count: number } | undefined> {
  const title = TITLE;
  const all = { label: `All of ${worldTitle}`, description: "training, validation and holdout sets", id: undefined };
  const items = [
    all,
    ...scenarios.map(({ id, title: label, split }) => ({ label, description: `${split} · ${id}`, id })),
  ];
  const scenario = await app.editor.window.showQuickPick(items, {
    title,
    placeHolder: "Scenarios",
    matchOnDescription: true,
  });
  if (!scenario) return undefined;
  const count = await pickSize(app);
  return count === undefined ? undefined : { scenario: scenario.id, count };
}
