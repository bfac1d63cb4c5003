/**
 * The metrics of requests: how many, how many fail and how, and how long they take, as seen by the server, by each of its callers and
 * by users. From the histograms of durations of the OpenTelemetry conventions a rate, an error ratio and three percentiles each.
 */
import { seriesKey } from "../../../core/rng";
import { acquireWait } from "../../mechanisms/pool";
import type { Plan } from "../../plan";
import { type ServiceKind, TICK_SECONDS } from "../../spec";
import { combineKeys, QUANTILE_DEVIATION, type Quantile } from "../noise";
import { BY_NODE, CONVENTIONS, entriesOf, type Metric, nodesOfKinds, type Reading } from "./metric";
import { type Attribute, clientPartsOf, type Part, SERVER_PARTS, USER_PARTS } from "./parts";
import type { Samples } from "./samples";

const QUANTILES = Object.keys(QUANTILE_DEVIATION) as readonly Quantile[];

/** A request turned away or refused is answered within this, s. */
const REFUSED_AFTER = 0.001;

/** Below this number of requests a tick, the number itself is uncertain and is measured rather than taken as the mean. */
const FEW = 30;

interface Family {
  readonly prefix: string;
  readonly source?: string;
  readonly what: string;
  readonly count: string;
  readonly place: Metric["place"];
  readonly observer: Metric["observer"];
  readonly places: Metric["places"];
  /** Attributes of places, and those of its parts. */
  readonly by: readonly Attribute[];
  readonly byPart: readonly Attribute[];
  parts(plan: Plan, place: number): readonly Part[];
  /** Adds the latencies of a tick, each scaled by the noise of the quantile. */
  latencies(samples: Samples, place: number, tick: number, into: Reading, quantile: Quantile): void;
}

function keysOf(samples: Samples, place: Metric["place"]): readonly number[] {
  return place === "node" ? samples.keys.nodes : place === "call" ? samples.keys.calls : samples.keys.entries;
}

/** Requests of some parts in a tick, as counted. */
function countParts(samples: Samples, key: number, place: number, tick: number, parts: readonly Part[]): number {
  let sum = 0;
  for (const part of parts) sum += samples.count(part.key, key, tick, part.rate(samples, place, tick));
  return sum;
}

function metricsOf(family: Family): Metric[] {
  const { prefix, source, what, count, place, observer, places, by, byPart } = family;
  const common = { instrument: `${prefix}.duration`, observer, place, places, ...(source ? { source } : {}) };
  const partsOf = (plan: Plan, index: number) => family.parts(plan, index);
  const wanted = (samples: Samples, index: number, portions: readonly unknown[] | undefined) =>
    (portions ?? family.parts(samples.run.plan, index)) as readonly Part[];
  const rate: Metric = {
    ...common,
    name: `${prefix}.rate`,
    unit: `{${count}}/s`,
    meaning: `${what} a second`,
    fold: "rate",
    attributes: [...by, ...byPart],
    portions: partsOf,
    read(samples, index, tick, into, portions) {
      const key = keysOf(samples, place)[index] as number;
      into.numerator += countParts(samples, key, index, tick, wanted(samples, index, portions));
    },
  };
  const ratio: Metric = {
    ...common,
    name: `${prefix}.error_ratio`,
    unit: "1",
    meaning: `share of ${what} that fail`,
    fold: "ratio",
    attributes: [...by, ...byPart],
    portions: partsOf,
    read(samples, index, tick, into, portions) {
      const key = keysOf(samples, place)[index] as number;
      const chosen = wanted(samples, index, portions);
      for (const part of family.parts(samples.run.plan, index)) {
        const drawn = samples.count(part.key, key, tick, part.rate(samples, index, tick));
        into.denominator += drawn;
        if (part.failed && chosen.includes(part)) into.numerator += drawn;
      }
    },
  };
  const durations = QUANTILES.map(
    (quantile): Metric => ({
      ...common,
      name: `${prefix}.duration.${quantile}`,
      unit: "s",
      meaning: `${quantile === "p50" ? "median" : `${quantile.slice(1)}th percentile`} of the time that ${what} take`,
      fold: "quantile",
      quantile,
      attributes: by,
      read: (samples, index, tick, into) => family.latencies(samples, index, tick, into, quantile),
    }),
  );
  return [rate, ratio, ...durations];
}

const DURATION = { p50: seriesKey("duration p50"), p95: seriesKey("duration p95"), p99: seriesKey("duration p99") };

/** The sampling noise of a quantile of so many requests, as a factor. */
function sampling(samples: Samples, key: number, tick: number, quantile: Quantile, requests: number): number {
  return samples.noise.quantileFactor(combineKeys(DURATION[quantile], key), tick, quantile, requests);
}

/** Of a server: what was answered, and what was turned away at once. */
function serverLatencies(samples: Samples, node: number, tick: number, into: Reading, quantile: Quantile): void {
  const key = samples.keys.nodes[node] as number;
  const kind = samples.run.plan.nodes[node]?.service.kind ?? "api";
  let answered = (samples.node("served", node, tick) + samples.node("failed", node, tick)) * TICK_SECONDS;
  const rejected = samples.node("rejected", node, tick) * TICK_SECONDS;
  if (answered + rejected < FEW && countParts(samples, key, node, tick, SERVER_PARTS[kind]) === 0) return;
  answered = Math.max(answered, 1);
  const mean = samples.node("latencyMean", node, tick);
  const factor = sampling(samples, key, tick, quantile, answered);
  into.mixture.add(answered, mean * factor, samples.node("latencySd", node, tick) * factor);
  into.mixture.add(rejected, REFUSED_AFTER, 0);
  into.cap = Math.max(into.cap, patienceWith(samples, node, tick));
}

/** How long anybody waits for a node that drops what its callers gave up; without end where it goes on working. */
function patienceWith(samples: Samples, node: number, tick: number): number {
  if (samples.cancels.at(node, tick) < 1) return Number.POSITIVE_INFINITY;
  const { plan } = samples.run;
  const group = plan.nodes[node]?.group ?? 0;
  let longest = samples.isEntered[group] ? samples.userTimeouts.at(node, tick) : 0;
  for (const call of samples.callsInto[group] as readonly number[])
    longest = Math.max(longest, samples.timeouts.at(call, tick));
  return longest > 0 ? longest : Number.POSITIVE_INFINITY;
}

/**
 * Of a caller: late attempts took the time-out, those that were refused or that a breaker rejected next to nothing, those without a connection the acquire time-out, and
 * the answered ones what is left of the mean, with the callee's relative spread.
 */
function clientLatencies(samples: Samples, call: number, tick: number, into: Reading, quantile: Quantile): void {
  const { plan } = samples.run;
  const found = plan.calls[call];
  const attempts = samples.call("attempts", call, tick) * TICK_SECONDS;
  if (!found || !(attempts > 0)) return;
  const key = samples.keys.calls[call] as number;
  const kind = plan.groups[found.to]?.service.kind ?? "api";
  if (attempts < FEW && countParts(samples, key, call, tick, clientPartsOf(kind)) === 0) return;
  const limit = samples.settings.call("timeout", call, tick);
  const patience = samples.settings.call("acquireTimeout", call, tick);
  const late = samples.call("timedOut", call, tick) * TICK_SECONDS;
  const refused = samples.call("refused", call, tick) * TICK_SECONDS;
  const unacquired = samples.call("unacquired", call, tick) * TICK_SECONDS;
  const unreached = samples.call("unreached", call, tick) * TICK_SECONDS;
  const broken = attempts * samples.call("broken", call, tick);
  const wait = acquireWait(unacquired / attempts, patience);
  const answered = Math.max(1, attempts - late - refused - unacquired - unreached - broken);
  const callee = moments(samples, found.to, tick);
  const spent = samples.call("attemptTime", call, tick) * attempts - (late + unreached) * limit - unacquired * patience;
  const least = 0.25 * Math.min(callee.mean, limit);
  const mean = Math.min(limit + wait, Math.max(least, spent / answered));
  const factor = sampling(samples, key, tick, quantile, answered);
  into.mixture.add(answered, mean * factor, mean * callee.variation * factor);
  into.mixture
    .add(late + unreached, limit, 0)
    .add(unacquired, patience, 0)
    .add(refused + broken, REFUSED_AFTER, 0);
  into.cap = Math.max(into.cap, limit + wait, unacquired > 0 ? patience : 0);
}

/** Mean latency of a group, s, and its standard deviation ÷ mean, over its cohorts. */
function moments(samples: Samples, group: number, tick: number): { mean: number; variation: number } {
  const found = samples.run.plan.groups[group];
  let weight = 0;
  let first = 0;
  let second = 0;
  for (let node = found?.first ?? 0; node < (found ? found.first + found.count : 0); node++) {
    const served = samples.node("served", node, tick) + samples.node("failed", node, tick);
    const mean = samples.node("latencyMean", node, tick);
    const deviation = samples.node("latencySd", node, tick);
    weight += served;
    first += served * mean;
    second += served * (mean * mean + deviation * deviation);
  }
  if (!(weight > 0) || !(first > 0)) return { mean: 0, variation: 1 };
  const mean = first / weight;
  return { mean, variation: Math.sqrt(Math.max(0, second / weight - mean * mean)) / mean };
}

/** Of users: nobody waits longer than `userTimeout`. */
function userLatencies(samples: Samples, entry: number, tick: number, into: Reading, quantile: Quantile): void {
  const key = samples.keys.entries[entry] as number;
  const offered = samples.user("offered", entry, tick) * TICK_SECONDS;
  if (offered < FEW && countParts(samples, key, entry, tick, USERS) === 0) return;
  const mean = samples.user("latencyMean", entry, tick);
  const factor = sampling(samples, key, tick, quantile, Math.max(offered, 1));
  into.mixture.add(Math.max(offered, 1), mean * factor, samples.user("latencySd", entry, tick) * factor);
  const node = samples.run.plan.groups[samples.run.plan.entries[entry]?.group ?? 0]?.first ?? 0;
  into.cap = Math.max(into.cap, samples.settings.service("userTimeout", node, tick));
}

const USERS: readonly Part[] = [USER_PARTS.well, USER_PARTS.slow, USER_PARTS.failed];

function server(prefix: string, what: string, count: string, kinds: readonly ServiceKind[], source?: string): Metric[] {
  const status: readonly Attribute[] = prefix.startsWith("http.") ? ["http.response.status_code"] : [];
  return metricsOf({
    prefix,
    what,
    count,
    ...(source ? { source } : {}),
    place: "node",
    observer: "pod",
    places: nodesOfKinds(...kinds),
    by: BY_NODE,
    byPart: [...status, "error.type"],
    parts: (plan, node) => SERVER_PARTS[plan.nodes[node]?.service.kind ?? "third_party"],
    latencies: serverLatencies,
  });
}

function client(prefix: string, what: string, kinds: readonly ServiceKind[], source: string): Metric[] {
  const status: readonly Attribute[] = prefix.startsWith("http.") ? ["http.response.status_code"] : [];
  const calleeKind = (plan: Plan, call: number) => plan.groups[plan.calls[call]?.to ?? -1]?.service.kind ?? "api";
  return metricsOf({
    prefix,
    what,
    count: prefix.startsWith("http.") ? "request" : "operation",
    source,
    place: "call",
    observer: "pod",
    places: (plan, service) =>
      plan.calls
        .filter(
          ({ spec, index }) =>
            spec.from === service && spec.kind !== "consume" && kinds.includes(calleeKind(plan, index)),
        )
        .map((call) => call.index),
    by: ["server.address", ...BY_NODE],
    byPart: [...status, "error.type"],
    parts: (plan, call) => clientPartsOf(calleeKind(plan, call)),
    latencies: clientLatencies,
  });
}

const slowRatio: Metric = {
  name: "rum.request.slow_ratio",
  unit: "1",
  meaning: "share of users' requests answered well that come later than users bear",
  fold: "ratio",
  observer: "outside",
  place: "entry",
  attributes: ["cloud.availability_zone"],
  places: entriesOf,
  read(samples, entry, tick, into) {
    const key = samples.keys.entries[entry] as number;
    const slow = samples.count(USER_PARTS.slow.key, key, tick, USER_PARTS.slow.rate(samples, entry, tick));
    into.numerator += slow;
    into.denominator += slow + countParts(samples, key, entry, tick, [USER_PARTS.well]);
  },
};

/** The metrics of requests. Own names where no convention covers them: those of `db.server`, `messaging.broker` and `rum`. */
export const REQUEST_METRICS: readonly Metric[] = [
  ...server("http.server.request", "requests answered", "request", ["edge", "api"], CONVENTIONS.http),
  ...server("messaging.process", "messages processed", "message", ["worker"], CONVENTIONS.messaging),
  ...server("db.server.operation", "operations of the store", "operation", ["database", "cache"]),
  ...server("messaging.broker.operation", "operations of the broker", "operation", ["queue"]),
  ...client(
    "http.client.request",
    "requests made to a service",
    ["edge", "api", "worker", "third_party"],
    CONVENTIONS.http,
  ),
  ...client("db.client.operation", "operations asked of a store", ["database", "cache"], CONVENTIONS.database),
  ...client("messaging.client.operation", "operations asked of a broker", ["queue"], CONVENTIONS.messaging),
  ...metricsOf({
    prefix: "rum.request",
    what: "requests as users see them",
    count: "request",
    place: "entry",
    observer: "outside",
    places: entriesOf,
    by: ["cloud.availability_zone"],
    byPart: [],
    parts: () => USERS,
    latencies: userLatencies,
  }),
  slowRatio,
];
