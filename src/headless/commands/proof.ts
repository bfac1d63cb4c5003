/** `firedrill proof`: every player on every family, against the bounds that keep the grade from being gamed. */
import type { World } from "../../core/world";
import type { ProofRow } from "../../panel-protocol";
import { type Proof, prove, provenScenarios } from "../../players/proof";
import { findWorld, parseSeeds } from "../arguments";
import { couldNotRun, EXIT, type ExitCode, type Io, ProgressLine, print } from "../io";
import { number, table } from "../text";

export interface ProofOptions {
  readonly world?: string;
  readonly seeds?: string;
  readonly json?: boolean;
}

export async function proof(options: ProofOptions, io: Io): Promise<ExitCode> {
  const worlds = options.world ? [await findWorld(io, options.world)] : await io.worlds();
  const seeds = parseSeeds(options.seeds ?? "0..49");
  const proofs = worlds.map((world) => proveWorld(world, seeds, io));
  const rows = proofs.flatMap((each) => each.rows);
  const holds = proofs.every((each) => each.holds);
  const value = {
    holds,
    rows: rows.map(({ world, family, player, n, mean, max, bound, holds }) => ({
      ...{ world, family, player, n, mean, max, bound, holds },
    })),
  };
  print(
    io,
    options.json,
    value,
    () => `${table(asText(rows))}\n\n${holds ? "Every bound holds." : "A bound is broken."}`,
  );
  return holds ? EXIT.done : EXIT.doesNotHold;
}

function proveWorld(world: World, seeds: readonly number[], io: Io): Proof {
  const scenarios = provenScenarios(world).map((info) => info.id);
  if (!scenarios.length) throw couldNotRun(`The world ${world.id} has no generated scenarios to prove anything on.`);
  const progress = new ProgressLine(io);
  const work = prove(world, { scenarios, seeds });
  for (;;) {
    const step = work.next();
    if (step.done) {
      progress.end();
      return step.value;
    }
    progress.show(step.value.done, step.value.total, "episodes");
  }
}

function asText(rows: readonly ProofRow[]): string[][] {
  return [
    ["", "PLAYER", "FAMILY", "N", "MEAN", "MAX", "BOUND"],
    ...rows.map((row) => [
      row.holds ? "ok" : "FAILS",
      row.player,
      row.family,
      String(row.n),
      number(row.mean),
      number(row.max),
      row.bound,
    ]),
  ];
}
