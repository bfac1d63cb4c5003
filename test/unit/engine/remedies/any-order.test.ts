import { describe, expect, it } from "vitest";
import { Stream } from "../../../../src/core/rng";
import { compile, type Plan } from "../../../../src/engine/plan";
import { aftermath } from "../../../../src/engine/remedies/aftermath";
import { carryOut, type Outcome } from "../../../../src/engine/remedies/carry-out";
import { choices } from "../../../../src/engine/remedies/choices";
import { preview } from "../../../../src/engine/remedies/preview";
import { validate } from "../../../../src/engine/remedies/validate";
import { type Argument, type Remedy, VERB_NAMES, VERBS } from "../../../../src/engine/remedies/verbs";
import { Simulation } from "../../../../src/engine/simulation";
import { generateTopology } from "../../../../src/engine/topologies/generated";

/** Arguments that are mostly right: names that exist, numbers within their range and sometimes beyond. */
function anyRemedy(plan: Plan, stream: Stream): Remedy {
  const verb = stream.pick(VERB_NAMES);
  const remedy: Record<string, unknown> = { verb };
  for (const argument of VERBS[verb].args) {
    const value = anyValue(plan, argument, remedy as Partial<Remedy>, stream);
    if (value !== undefined && (argument.required || stream.chance(0.5))) remedy[argument.name] = value;
  }
  return remedy as unknown as Remedy;
}

function anyValue(plan: Plan, argument: Argument, soFar: Partial<Remedy>, stream: Stream): unknown {
  if (argument.kind === "number") return stream.pick([0, 1, 2, 5, 8, 24, 50, 100, 400, 1000]);
  if (argument.kind === "whole_number") return stream.integer(0, 20);
  const valid = choices(plan, argument, soFar);
  return valid.length ? stream.pick(valid) : undefined;
}

const FORKS = 4;

describe("any order on a generated system", () => {
  it.each([1, 2])("is refused in a sentence or carried out and can be undone (seed %i)", (seed) => {
    const stream = Stream.of(seed, "orders");
    const plan = compile(generateTopology(seed, 10 + seed));
    const start = new Simulation(plan, seed);
    start.advance(4);
    const seen = new Set<string>();
    let refused = 0;
    for (let i = 0; i < FORKS; i++) {
      const sim = start.fork();
      const outcomes: Outcome[] = [];
      for (let j = 0; j < 8; j++) {
        const remedy = anyRemedy(plan, stream);
        const problem = validate(plan, sim, remedy);
        if (problem) {
          refused++;
          if (!/^[A-Za-z0-9].*\.$/.test(problem.message)) expect.fail(`${JSON.stringify(remedy)}: ${problem.message}`);
          continue;
        }
        const before = preview(sim, remedy);
        if (before.touched.some(({ amount }) => !(amount > 0 && amount < 1e9))) expect.fail(JSON.stringify(before));
        outcomes.push(carryOut(sim, remedy));
        seen.add(remedy.verb);
        sim.advance(stream.integer(0, 3));
      }
      for (const outcome of outcomes) {
        const text = `${outcome.text} ${aftermath(sim, outcome)}`;
        if (/NaN|undefined|Infinity|-\d/.test(text.replace(/[a-z0-9]-[a-z0-9]/g, ""))) expect.fail(text);
        if (outcome.undo && validate(plan, null, outcome.undo)) expect.fail(JSON.stringify(outcome.undo));
      }
      sim.advance(10);
    }
    expect(refused).toBeLessThan(0.7 * FORKS * 8);
    expect(seen.size).toBeGreaterThan(4);
  });
});
