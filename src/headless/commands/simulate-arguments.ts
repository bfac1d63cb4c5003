/** Reads what people type for `firedrill simulate`: topologies, faults, settings and what happens when. */
import type { Seed } from "../../core/rng";
import { FAMILIES } from "../../engine/faults/catalogue";
import { FAMILY_IDS, type FamilyId } from "../../engine/faults/family";
import { CALL_PARAMETERS, SERVICE_PARAMETERS } from "../../engine/parameters";
import { compile, type Plan, TopologyError } from "../../engine/plan";
import { parseTimed } from "../../engine/remedies/parse";
import { type Remedy, VERB_NAMES } from "../../engine/remedies/verbs";
import { callName, type SystemSpec, TICKS_PER_MINUTE } from "../../engine/spec";
import { FEWEST_SERVICES, generateTopology, MOST_SERVICES } from "../../engine/topologies/generated";
import { sixServices } from "../../engine/topologies/six";
import { parseSeed } from "../arguments";
import { couldNotRun, usage } from "../io";

/** More than a day is a slip of the hand. */
const MOST_MINUTES = 1440;

/** `six`, `gen:N` or `gen:N:SEED`; without a seed of its own a generated system takes `seed`. */
export function parseTopology(text: string, seed: Seed): SystemSpec {
  if (text === "six") return sixServices;
  const [kind, count = "", own, ...rest] = text.split(":");
  const services = /^\d+$/.test(count) ? Number(count) : Number.NaN;
  if (kind !== "gen" || rest.length || !(services >= FEWEST_SERVICES && services <= MOST_SERVICES))
    throw usage(
      `There is no topology "${text}"; use six, or gen:N with ${FEWEST_SERVICES} to ${MOST_SERVICES} services, like gen:12 or gen:12:7.`,
    );
  return generateTopology(own === undefined ? seed : parseSeed(own), services);
}

export function parseMinutes(text: string): number {
  const minutes = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (minutes >= 1 && minutes <= MOST_MINUTES) return minutes;
  throw usage(`"${text}" is no length of a simulation; give whole minutes from 1 to ${MOST_MINUTES}.`);
}

export interface FaultName {
  readonly family: FamilyId;
  readonly seed: Seed;
}

/** `none`, `FAMILY` or `FAMILY:SEED`; without a seed of its own a fault takes `seed`. Null for none. */
export function parseFault(text: string, seed: Seed): FaultName | null {
  if (text === "none") return null;
  const [name = "", own, ...rest] = text.split(":");
  const family = FAMILY_IDS.find((each) => each === name);
  if (!family || rest.length)
    throw usage(
      `There is no fault "${text}"; use none, or FAMILY or FAMILY:SEED with one of: ${FAMILY_IDS.join(", ")}.`,
    );
  if (!FAMILIES.some(({ id }) => id === family))
    throw couldNotRun(`The fault family ${family} comes with a later version of Firedrill; use none.`);
  return { family, seed: own === undefined ? seed : parseSeed(own) };
}

/** A system with settings like `main-db.cores=4` and `auth-api>main-db.retries=3` in its data: they hold from the start of history. */
export function withSettings(spec: SystemSpec, settings: readonly string[]): SystemSpec {
  let changed = spec;
  for (const setting of settings) changed = withSetting(changed, setting);
  try {
    compile(changed);
  } catch (error) {
    if (error instanceof TopologyError) throw usage(error.message);
    throw error;
  }
  return changed;
}

function withSetting(spec: SystemSpec, setting: string): SystemSpec {
  const [, name = "", parameter = "", text = ""] = /^([^.=]+)\.([^.=]+)=(.+)$/.exec(setting.trim()) ?? [];
  if (!name) throw usage(`"${setting}" is no setting; write service.parameter=value, like main-db.cores=4.`);
  const value = Number(text.trim() || Number.NaN);
  if (!Number.isFinite(value))
    throw usage(`"${setting}" sets ${name}.${parameter} to no number; give one like 4 or 0.5.`);
  const set = <T extends { readonly parameters?: object }>(of: T): T => ({
    ...of,
    parameters: { ...of.parameters, [parameter]: value },
  });
  if (name.includes(">")) {
    checkName(parameter, CALL_PARAMETERS, "call");
    const calls = spec.calls.map((call) => (callName(call.from, call.to) === name ? set(call) : call));
    if (!spec.calls.some((call) => callName(call.from, call.to) === name))
      throw usage(
        `There is no call ${name}; use one of: ${spec.calls.map((call) => callName(call.from, call.to)).join(", ")}.`,
      );
    return { ...spec, calls };
  }
  checkName(parameter, SERVICE_PARAMETERS, "service");
  if (!spec.services.some((service) => service.name === name))
    throw usage(`There is no service ${name}; use one of: ${spec.services.map((service) => service.name).join(", ")}.`);
  return { ...spec, services: spec.services.map((service) => (service.name === name ? set(service) : service)) };
}

function checkName(parameter: string, table: object, of: string): void {
  if (!Object.hasOwn(table, parameter))
    throw usage(`A ${of} has no parameter "${parameter}"; use one of: ${Object.keys(table).join(", ")}.`);
}

export interface TimedRemedy {
  /** The tick before which it is ordered. */
  readonly tick: number;
  readonly remedy: Remedy;
}

/** `12:restart_service auth-api`; the verb may be cut short as long as only one fits (`12:restart auth-api`). */
export function parseAt(plan: Plan, text: string): TimedRemedy {
  const [, minute = "", word = "", rest = ""] = /^\s*([^:]*):\s*(\S+)(.*)$/s.exec(text) ?? [];
  const fitting = VERB_NAMES.filter((verb) => verb.startsWith(word.replaceAll("-", "_")));
  const verb = fitting.length === 1 ? fitting[0] : word;
  const parsed = parseTimed(plan, word ? `${minute}:${verb}${rest}` : text);
  // The remedies' own usage follows as a second sentence; help for the command line is `--help`.
  if ("problem" in parsed) throw usage(parsed.problem.message.replace(/ Usage: .*$/s, ""));
  return { tick: Math.floor(parsed.minute * TICKS_PER_MINUTE + 0.5), remedy: parsed.remedy };
}
