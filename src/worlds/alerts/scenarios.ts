/**
 * The scenarios of the alerts world: a company, a size and a pool of families. The seed draws the answer, so neither id, title nor
 * brief can give it away. A pair of family and company lies in one split only, and three families are seen in holdout alone.
 */
import type { ScenarioInfo, Split } from "../../core/world";
import type { Mechanism } from "./mechanisms";
import { TOPOLOGIES, topologyOf } from "./topologies";

/** What a draw can be about. */
export type CaseKind = "one" | "two" | "no_fault" | "self_recovered" | "undetermined";

export interface ScenarioSetting {
  readonly info: ScenarioInfo;
  readonly topology: string;
  readonly families: readonly Mechanism[];
  readonly size: SizeClass;
}

/** How large and how loud the draws of a difficulty are. */
export interface SizeClass {
  /** Alerts seen within the episode. */
  readonly alerts: readonly [number, number];
  /** Sources of noise. */
  readonly sources: readonly [number, number];
  /** Label sets a source shows on. */
  readonly copies: readonly [number, number];
  /** Whether latency and errors are watched zone by zone. */
  readonly zoned: boolean;
  /** Innocent changes. */
  readonly herrings: readonly [number, number];
  /** How many of `CASES_IN_BLOCK` seeds have each kind. */
  readonly cases: readonly (readonly [CaseKind, number])[];
  readonly maxSteps: number;
  readonly maxMinutes: number;
}

/** Seeds in which the kinds of cases come exactly as often as a scenario says. */
export const CASES_IN_BLOCK = 24;

const MIX: SizeClass["cases"] = [
  ["one", 15],
  ["two", 3],
  ["no_fault", 2],
  ["self_recovered", 2],
  ["undetermined", 2],
];
const GENTLE_MIX: SizeClass["cases"] = [
  ["one", 16],
  ["two", 2],
  ["no_fault", 2],
  ["self_recovered", 2],
  ["undetermined", 2],
];

const SIZES: Record<"starter" | "easy" | "medium" | "hard" | "extreme", SizeClass> = {
  starter: {
    alerts: [12, 16],
    sources: [2, 3],
    copies: [2, 3],
    zoned: false,
    herrings: [1, 1],
    cases: GENTLE_MIX,
    maxSteps: 40,
    maxMinutes: 60,
  },
  easy: {
    alerts: [12, 20],
    sources: [3, 4],
    copies: [2, 3],
    zoned: false,
    herrings: [1, 2],
    cases: GENTLE_MIX,
    maxSteps: 32,
    maxMinutes: 50,
  },
  medium: {
    alerts: [16, 30],
    sources: [3, 4],
    copies: [2, 4],
    zoned: true,
    herrings: [1, 3],
    cases: MIX,
    maxSteps: 32,
    maxMinutes: 50,
  },
  hard: {
    alerts: [24, 44],
    sources: [4, 5],
    copies: [3, 5],
    zoned: true,
    herrings: [2, 3],
    cases: MIX,
    maxSteps: 36,
    maxMinutes: 55,
  },
  extreme: {
    alerts: [34, 60],
    sources: [4, 6],
    copies: [4, 7],
    zoned: true,
    herrings: [2, 3],
    cases: MIX,
    maxSteps: 40,
    maxMinutes: 60,
  },
};

/** Families that every split may draw, each with other companies. The order decides who gets which. */
const SHARED: readonly Mechanism[] = [
  "bad_deploy",
  "lock_contention",
  "cache_loss",
  "network_loss",
  "memory_leak",
  "traffic_surge",
  "bad_config",
  "pool_exhaustion",
  "disk_full",
  "third_party_slow",
  "cpu_throttling",
  "poison_messages",
];
/** Families nobody practises on. */
const HOLDOUT_ONLY: readonly Mechanism[] = ["certificate_expired", "dns_failure", "replication_lag"];
const STARTER_FAMILIES: readonly Mechanism[] = [
  "bad_deploy",
  "lock_contention",
  "third_party_slow",
  "network_loss",
  "disk_full",
  "traffic_surge",
  "pool_exhaustion",
  "cpu_throttling",
];

type Generated = Exclude<Split, "published" | "imported">;

/** The families of a company in a split. Of the twelve shared ones five train, five validate and two are held out, shifted from company to company. */
export function poolOf(topology: string, split: Generated): readonly Mechanism[] {
  if (split === "starter") return STARTER_FAMILIES;
  const shift = 5 * TOPOLOGIES.findIndex((candidate) => candidate.id === topology);
  const turned = SHARED.map((_, i) => SHARED[(i + shift) % SHARED.length] as Mechanism);
  if (split === "train") return turned.slice(0, 5);
  if (split === "validation") return turned.slice(5, 10);
  return [...turned.slice(10), ...HOLDOUT_ONLY];
}

type Row = readonly [id: string, topology: string, split: Generated, difficulty: keyof typeof SIZES];
const ROWS: readonly Row[] = [
  ["alr-8165", "library", "starter", "starter"],
  ["alr-a6dd", "library", "starter", "starter"],
  ["alr-6506", "library", "starter", "starter"],
  ["alr-7b21", "library", "starter", "starter"],
  ["alr-62e1", "library", "starter", "starter"],
  ["alr-3ae9", "ticketing", "train", "easy"],
  ["alr-95ab", "ticketing", "train", "hard"],
  ["alr-f3d5", "parcels", "train", "easy"],
  ["alr-79c2", "parcels", "train", "medium"],
  ["alr-4a7b", "learning", "train", "medium"],
  ["alr-013e", "learning", "train", "extreme"],
  ["alr-8f54", "grocery", "train", "easy"],
  ["alr-0e84", "grocery", "train", "hard"],
  ["alr-fe8a", "hotels", "train", "medium"],
  ["alr-5869", "hotels", "train", "hard"],
  ["alr-61e8", "ticketing", "validation", "medium"],
  ["alr-c6f0", "parcels", "validation", "hard"],
  ["alr-5da1", "learning", "validation", "easy"],
  ["alr-a9b8", "learning", "validation", "medium"],
  ["alr-a499", "grocery", "validation", "extreme"],
  ["alr-3c0f", "hotels", "validation", "easy"],
  ["alr-2ca3", "ticketing", "holdout", "medium"],
  ["alr-854d", "parcels", "holdout", "medium"],
  ["alr-f077", "learning", "holdout", "hard"],
  ["alr-68f2", "grocery", "holdout", "easy"],
  ["alr-7381", "hotels", "holdout", "extreme"],
];

const SHIFTS = [
  "Monday shift",
  "Tuesday shift",
  "Wednesday shift",
  "Thursday shift",
  "Friday shift",
  "Saturday shift",
  "Sunday shift",
];

export const SETTINGS: readonly ScenarioSetting[] = ROWS.map(([id, topology, split, difficulty]) => {
  const size = SIZES[difficulty];
  return { info: infoOf(id, topology, split, difficulty, size), topology, families: poolOf(topology, split), size };
});

/** The generated scenarios, in listing order. */
export const GENERATED_SCENARIOS: readonly ScenarioInfo[] = SETTINGS.map((setting) => setting.info);

/** @throws RangeError when no generated scenario has the id. */
export function settingOf(id: string): ScenarioSetting {
  const setting = SETTINGS.find((candidate) => candidate.info.id === id);
  if (setting === undefined) throw new RangeError(`No generated alerts scenario has the id "${id}".`);
  return setting;
}

function infoOf(id: string, topology: string, split: Generated, difficulty: Row[3], size: SizeClass): ScenarioInfo {
  const { company, setting, services } = topologyOf(topology);
  const among = ROWS.filter((row) => row[1] === topology).findIndex((row) => row[0] === id);
  return {
    world: "alerts",
    id,
    title: `${company}, ${SHIFTS[among % SHIFTS.length]}`,
    brief: `You are on call for ${company}, ${setting}: ${services.length} services. Some ${size.alerts[0]} to ${size.alerts[1]} alerts are in the queue or on their way. Find out what belongs together, what concerns customers and what is noise; hand each incident to the team that owns its cause, with a severity, and close the triage with the disposition that is true.`,
    difficulty,
    split,
    maxSteps: size.maxSteps,
    maxMinutes: size.maxMinutes,
    tags: [topology, `${size.alerts[0]}–${size.alerts[1]} alerts`],
  };
}
