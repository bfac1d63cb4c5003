/** The grader proof of the alerts world. `FIREDRILL_PROOF_SEEDS=0..49 npx vitest run -c test/proof/vitest.config.ts alerts` runs all of it. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Proof, prove, provenScenarios } from "../../src/players/proof";
import { alertsWorld } from "../../src/worlds/alerts/world";
import { proofSeeds } from "./seeds";

const seeds = proofSeeds();
let proof: Proof;

/** Episodes between two breaths, in which the test runner can report that the test is alive. */
const BREATH = 25;

beforeAll(async () => {
  const scenarios = provenScenarios(alertsWorld).map((info) => info.id);
  const work = prove(alertsWorld, { scenarios, seeds });
  for (let episodes = 0; ; episodes++) {
    if (episodes % BREATH === 0) await new Promise((breathe) => setImmediate(breathe));
    const turn = work.next();
    if (turn.done) {
      proof = turn.value;
      break;
    }
  }
  console.log(table(proof));
});

function table({ rows }: Proof): string {
  const lines = rows.map(
    ({ player, family, n, mean, min, max, bound, holds }) =>
      `${holds ? " " : "✗"} ${player.padEnd(30)} ${family.padEnd(22)} n=${`${n}`.padEnd(5)} mean ${mean.toFixed(3)}  ${min.toFixed(3)}…${max.toFixed(3)}  ${bound}`,
  );
  return `${lines.join("\n")}\n`;
}

describe(`the grader proof on seeds ${seeds[0]}..${seeds[seeds.length - 1]} of every generated scenario`, () => {
  it("keeps every bound", () => {
    expect(proof.rows.filter((row) => !row.holds)).toEqual([]);
    expect(proof.holds).toBe(true);
  });

  it("grades every episode", () => {
    expect(proof.ungraded).toBe(0);
  });

  it("judges every player that the table names", () => {
    const judged = new Set(proof.rows.filter((row) => row.bound !== "—").map((row) => row.player));
    for (const player of ["idle", "constant", "random", "spray", "rules", "oracle", "oracle-2", "farmer", "collector"])
      expect([...judged]).toContain(player);
  });
});
