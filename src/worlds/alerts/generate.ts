/**
 * Draws alerts episodes: `drawFor(scenario, seed)` gives the same draw for the same arguments, for ever. The seed decides the kind of
 * case first, and for good; attempts that would not make a fair episode are dropped and counted, in a fixed order, at most `MOST_ATTEMPTS` of them.
 */
import accepted from "../../../data/alerts/accepted-seeds.json";
import { type Seed, Stream, seriesKey } from "../../core/rng";
import type { ScenarioInfo } from "../../core/world";
import type { AlertsDraw, Severity } from "./draw";
import { familyOf } from "./families";
import { attempt, type Wanted } from "./generator/attempt";
import { Rejection } from "./generator/rejection";
import type { Mechanism } from "./mechanisms";
import { CASES_IN_BLOCK, type CaseKind, type ScenarioSetting, settingOf } from "./scenarios";
import { systemOf, topologyOf } from "./topologies";

/** Raise whenever a draw may come out differently. */
export const GENERATOR_VERSION = 4;
/** Raise when draws stay the same but alerts or changes read differently: recordings made before then replay no more. */
const LABELS_VERSION = 3;
const MOST_ATTEMPTS = 240;
/** After so many attempts with the families first drawn, others are tried. */
const ATTEMPTS_PER_FAMILY = 8;
/** After so many attempts with the severity first drawn, others are tried. */
const ATTEMPTS_PER_AIM = 4;
/** How severe the incidents are, so that no severity is the usual one. */
const AIMS: readonly (readonly [Severity, number])[] = [
  ["P1", 0.28],
  ["P2", 0.36],
  ["P3", 0.36],
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
  return keep(key, toEnd(search(settingOf(scenario.id), seed, canary)));
}

/** The search of `drawFor` in short pieces: after the last one `drawFor` has the draw at hand. */
export function* prepareDraw(scenario: ScenarioInfo, seed: Seed): Generator<void, void> {
  const key = `${scenario.id} ${seed} `;
  if (!kept.has(key)) keep(key, yield* search(settingOf(scenario.id), seed, ""));
}

function keep(key: string, draw: AlertsDraw): AlertsDraw {
  kept.set(key, draw);
  const oldest = kept.keys().next().value;
  if (kept.size > KEPT_DRAWS && oldest !== undefined) kept.delete(oldest);
  return draw;
}

function* search(setting: ScenarioSetting, seed: Seed, canary: string): Generator<void, AlertsDraw> {
  return (yield* drawAsKnown(setting, seed, canary)) ?? (yield* drawInPieces(setting, seed, canary, () => {}));
}

function toEnd<T>(pieces: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** The draw at the attempt that `npm run scenarios` found to be the first fair one; null for other seeds. */
function* drawAsKnown(setting: ScenarioSetting, seed: Seed, canary: string): Generator<void, AlertsDraw | null> {
  const attempts: readonly number[] | undefined = (accepted.attempts as Readonly<Record<string, readonly number[]>>)[
    setting.info.id
  ];
  const known = attempts?.[seed];
  if (known === undefined || accepted.version !== GENERATOR_VERSION) return null;
  try {
    return yield* attemptOf(setting, seed, known, canary);
  } catch (error) {
    if (error instanceof Rejection) return null;
    throw error;
  }
}

/** As `drawFor`, without keeping it; `onRejected` hears why each attempt was dropped. */
export function drawAnew(
  setting: ScenarioSetting,
  seed: Seed,
  canary: string,
  onRejected: RejectionListener,
): AlertsDraw {
  return toEnd(drawInPieces(setting, seed, canary, onRejected));
}

type RejectionListener = (reason: string, kind: CaseKind, mechanisms: readonly Mechanism[]) => void;

function* drawInPieces(
  setting: ScenarioSetting,
  seed: Seed,
  canary: string,
  onRejected: RejectionListener,
): Generator<void, AlertsDraw> {
  for (let i = 0; i < MOST_ATTEMPTS; i++) {
    try {
      return yield* attemptOf(setting, seed, i, canary);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { kind, wanted } = wantedOf(setting, seed, i);
      onRejected(
        error.message,
        kind,
        wanted.map((one) => one.mechanism),
      );
    }
    yield;
  }
  throw new RangeError(
    `Seed ${seed} of ${setting.info.id} gave no fair episode in ${MOST_ATTEMPTS} attempts; take another seed.`,
  );
}

/** One numbered attempt. @throws Rejection when it is not fair. */
function attemptOf(setting: ScenarioSetting, seed: Seed, i: number, canary: string): Generator<void, AlertsDraw> {
  const { kind, wanted } = wantedOf(setting, seed, i);
  return attempt(
    setting,
    systemOf(setting.topology),
    kind,
    wanted,
    rootOf(setting, seed).fork(`attempt ${i}`),
    canary,
    i,
  );
}

function rootOf(setting: ScenarioSetting, seed: Seed): Stream {
  return Stream.of(seed, `alerts ${setting.info.id} ${GENERATOR_VERSION}`);
}

/** What an attempt shall be about. The kind of case is the seed's and never given up, so that no kind gains by being easier to draw. */
function wantedOf(
  setting: ScenarioSetting,
  seed: Seed,
  i: number,
): { readonly kind: CaseKind; readonly wanted: readonly Wanted[] } {
  const root = rootOf(setting, seed);
  const kind = caseKindOf(setting, seed);
  const families = mechanismsOf(setting, kind, root.fork(`families ${Math.floor(i / ATTEMPTS_PER_FAMILY)}`));
  const aims = root.fork(`aims ${Math.floor(i / ATTEMPTS_PER_AIM)}`);
  return { kind, wanted: families.map((mechanism) => ({ mechanism, aim: aims.weighted(AIMS) })) };
}

/**
 * The kind of case a seed of a scenario has. Each run of `CASES_IN_BLOCK` seeds holds every kind exactly as often as the scenario
 * says, in an order of its own: a few dozen episodes show the mix as it is meant, without luck.
 */
export function caseKindOf({ info, size }: ScenarioSetting, seed: Seed): CaseKind {
  const block = Math.floor(seed / CASES_IN_BLOCK);
  const kinds = size.cases.flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
  const mixed = Stream.of(block, `alerts ${info.id} ${GENERATOR_VERSION} cases`).shuffle(kinds);
  return mixed[seed % CASES_IN_BLOCK] as CaseKind;
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
  const text = JSON.stringify([GENERATOR_VERSION, LABELS_VERSION, scenario.id, families, size, topologyOf(topology)]);
  return (
    (seriesKey(text) >>> 0).toString(16).padStart(8, "0") +
    (seriesKey(`second ${text}`) >>> 0).toString(16).padStart(8, "0")
  );
}
