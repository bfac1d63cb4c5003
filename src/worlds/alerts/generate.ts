/**
 * Draws alerts episodes: `drawFor(scenario, seed)` gives the same draw for the same arguments, for ever. The seed decides the kind of
 * case first; attempts that would not make a fair episode are dropped and counted, in a fixed order, at most `MOST_ATTEMPTS` of them.
 */
import { type Seed, Stream, seriesKey } from "../../core/rng";
import type { ScenarioInfo } from "../../core/world";
import type { AlertsDraw, Severity } from "./draw";
import { familyOf } from "./families";
import { attempt } from "./generator/attempt";
import { Rejection } from "./generator/rejection";
import type { Mechanism } from "./mechanisms";
import { type CaseKind, type ScenarioSetting, settingOf } from "./scenarios";
import { systemOf, topologyOf } from "./topologies";

/** Raise whenever a draw may come out differently. */
const GENERATOR_VERSION = 1;
const MOST_ATTEMPTS = 120;
/** After so many attempts with the families first drawn, others are tried. */
const ATTEMPTS_PER_FAMILY = 12;
/** After so many attempts with the severity first drawn, others are tried. */
const ATTEMPTS_PER_AIM = 48;
/** How severe the incidents are, so that no severity is the usual one. */
const AIMS: readonly (readonly [Severity, number])[] = [
  ["P1", 0.34],
  ["P2", 0.33],
  ["P3", 0.33],
];
const KEPT_DRAWS = 64;

const kept = new Map<string, AlertsDraw>();

/**
 * The draw of a scenario and a seed; the last 64 are kept.
 * @throws RangeError when the scenario is not a generated one, the seed is not a whole number ≥ 0, or no attempt was accepted.
 */
export function drawFor(scenario: ScenarioInfo, seed: Seed, options: { readonly canary?: string } = {}): AlertsDraw {
  const canary = options.canary ?? "";
  const key = `${scenario.id} ${seed} ${canary}`;
  const known = kept.get(key);
  if (known !== undefined) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const draw = drawAnew(settingOf(scenario.id), seed, canary, () => {});
  kept.set(key, draw);
  const oldest = kept.keys().next().value;
  if (kept.size > KEPT_DRAWS && oldest !== undefined) kept.delete(oldest);
  return draw;
}

/** As `drawFor`, without keeping it; `onRejected` hears why each attempt was dropped. */
export function drawAnew(
  setting: ScenarioSetting,
  seed: Seed,
  canary: string,
  onRejected: (reason: string, kind: CaseKind, mechanisms: readonly Mechanism[]) => void,
): AlertsDraw {
  const root = Stream.of(seed, `alerts ${setting.info.id} ${GENERATOR_VERSION}`);
  const kind = root.fork("case").weighted(setting.size.cases);
  const system = systemOf(setting.topology);
  for (let i = 0; i < MOST_ATTEMPTS; i++) {
    const families = mechanismsOf(setting, kind, root.fork(`families ${Math.floor(i / ATTEMPTS_PER_FAMILY)}`));
    const aims = root.fork(`aims ${Math.floor(i / ATTEMPTS_PER_AIM)}`);
    const mechanisms = families.map((mechanism) => ({ mechanism, aim: aims.weighted(AIMS) }));
    try {
      return attempt(setting, system, kind, mechanisms, root.fork(`attempt ${i}`), canary, i);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      onRejected(error.message, kind, families);
    }
  }
  throw new RangeError(
    `Seed ${seed} of ${setting.info.id} gave no fair episode in ${MOST_ATTEMPTS} attempts; take another seed.`,
  );
}

function mechanismsOf(setting: ScenarioSetting, kind: CaseKind, stream: Stream): readonly Mechanism[] {
  if (kind === "no_fault") return [];
  const fitting = setting.families.filter((mechanism) => suits(mechanism, kind));
  return stream.shuffle(fitting).slice(0, kind === "two" ? 2 : 1);
}

/** Which families a kind of case can be about: not all heal, and one that shows in latency or errors cannot be hidden. */
function suits(mechanism: Mechanism, kind: CaseKind): boolean {
  const family = familyOf(mechanism);
  if (kind === "self_recovered") return family.heals;
  if (kind === "undetermined")
    return family.tells.every((tell) => !["load", "latency", "errors", "clients"].includes(tell.quantity));
  return true;
}

/** What a draw depends on besides the seed, as text for a content hash. */
export function generatorHash(scenario: ScenarioInfo): string {
  const { topology, families, size } = settingOf(scenario.id);
  const text = JSON.stringify([GENERATOR_VERSION, scenario.id, families, size, topologyOf(topology)]);
  return (
    (seriesKey(text) >>> 0).toString(16).padStart(8, "0") +
    (seriesKey(`second ${text}`) >>> 0).toString(16).padStart(8, "0")
  );
}
