/**
 * The best constant answer, found on the train split by enumerating the answer grid.
 * `FIREDRILL_CONSTANT_SEEDS=0..5 npx vitest run -c test/proof/vitest.config.ts constant` derives it anew and prints it; with more
 * seeds the draws are not all kept at once, and it takes far longer.
 */
import { expect, it } from "vitest";
import { mean } from "../../src/core/math";
import { play } from "../../src/players/evaluate";
import { DISPOSITIONS } from "../../src/worlds/alerts/dispositions";
import { SEVERITIES, TEAMS } from "../../src/worlds/alerts/draw";
import { MECHANISM_NAMES } from "../../src/worlds/alerts/mechanisms";
import { BEST_CONSTANT, type ConstantAnswer, constantPlayer } from "../../src/worlds/alerts/players/constant";
import { alertsWorld } from "../../src/worlds/alerts/world";
import { proofSeeds } from "./seeds";

const NOISE = ["none", "all", "not firing", "other services"] as const;
const PRELUDES = ["none", "changes", "graph", "impact", "changes and impact"] as const;
const COMPONENTS = ["oldest", "loudest", "first"] as const;
const CONFIDENCES = [0.2, 0.5, 0.9] as const;
/** How much better than the committed answer one found on these seeds may be before it has to be replaced. */
const TOLERANCE = 0.02;

const train = alertsWorld.scenarios().filter((info) => info.split === "train");
const seeds = proofSeeds("FIREDRILL_CONSTANT_SEEDS", "0..3");

function worth(answer: ConstantAnswer): number {
  const player = constantPlayer(answer);
  return mean(train.flatMap(({ id }) => seeds.map((seed) => play(alertsWorld, id, seed, player).strict)));
}

/** What is claimed first, then how it is put: the parts of the grade these decide multiply, so the order loses nothing. */
function* grid(): Generator<ConstantAnswer> {
  for (const disposition of DISPOSITIONS)
    for (const noise of NOISE) for (const prelude of PRELUDES) yield { ...BEST_CONSTANT, disposition, noise, prelude };
  for (const severity of SEVERITIES)
    for (const team of TEAMS)
      for (const component of COMPONENTS)
        for (const mechanism of MECHANISM_NAMES)
          yield { ...BEST_CONSTANT, disposition: "routed", severity, team, component, mechanism };
}

function* finer(best: ConstantAnswer): Generator<ConstantAnswer> {
  for (const noise of NOISE)
    for (const prelude of PRELUDES) for (const confidence of CONFIDENCES) yield { ...best, noise, prelude, confidence };
}

async function bestOf(answers: Iterable<ConstantAnswer>): Promise<{ answer: ConstantAnswer; value: number }> {
  let best = { answer: BEST_CONSTANT, value: worth(BEST_CONSTANT) };
  for (const answer of answers) {
    // The test runner reports in between that the test is alive.
    await new Promise((breathe) => setImmediate(breathe));
    const value = worth(answer);
    if (value > best.value) best = { answer, value };
  }
  return best;
}

it("is the one that is committed, within a tolerance", async () => {
  const committed = worth(BEST_CONSTANT);
  const best = await bestOf(finer((await bestOf(grid())).answer));
  console.log(`committed ${committed.toFixed(4)}, best ${best.value.toFixed(4)}: ${JSON.stringify(best.answer)}`);
  expect(best.value - committed).toBeLessThanOrEqual(TOLERANCE);
});
