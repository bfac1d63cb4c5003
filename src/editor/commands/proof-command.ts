/** Computes the grader proof for one scenario, or over a world's generated sets. */
import type { App } from "../app";
import type { ProofPanel } from "../panels/proof-panel";
import { isPlainObject, register } from "./registry";
import { pickWorld } from "./scenario-commands";

/** Seeds a proof runs over. Bounds on means need more episodes than one scenario's few seeds; the sizes are offered. */
const SIZES = [
  { label: "10 seeds", count: 10 },
  { label: "50 seeds", count: 50 },
  { label: "3 seeds", count: 3 },
] as const;

/** The argument asks nothing: `{scenario?, seeds?}`, `seeds` being how many, from 0. */
export function registerProofCommand(app: App, panel: ProofPanel): void {
  register(app, "showProof", "work out the proof", async (given) => {
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
    const seeds = Array.from({ length: typeof count === "number" && count > 0 ? Math.floor(count) : 10 }, (_, i) => i);
    return panel.show({ world, title: info?.title ?? world.title, scenarios: info ? [info] : proven, seeds });
  });
}

async function pickScope(
  app: App,
  worldTitle: string,
  scenarios: readonly { readonly id: string; readonly title: string; readonly split: string }[],
): Promise<{ readonly scenario: string | undefined; readonly count: number } | undefined> {
  const title = "Show Grader Proof";
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
  const size = await app.editor.window.showQuickPick([...SIZES], { title, placeHolder: "Seeds for each scenario" });
  return size && { scenario: scenario.id, count: size.count };
}
