/** The metrics of connection pools, as their owners see them. */
import { seriesKey } from "../../../core/rng";
import { acquireWait } from "../../mechanisms/pool";
import type { Plan } from "../../plan";
import { combineKeys } from "../noise";
import { BY_NODE, CONVENTIONS, type Metric, type Portion } from "./metric";
import type { Attribute } from "./parts";
import type { Samples } from "./samples";

/** A connection is used or idle; what is open and leaked counts as used, since the pool lent it and never got it back. */
const DATABASE_STATES: readonly Portion[] = [
  { attributes: { "db.client.connection.state": "used" } },
  { attributes: { "db.client.connection.state": "idle" } },
];
const HTTP_STATES: readonly Portion[] = [
  { attributes: { "http.connection.state": "active" } },
  { attributes: { "http.connection.state": "idle" } },
];

/** Pooled calls of a service to some kinds of callees. */
function pooled(...kinds: readonly string[]) {
  return (plan: Plan, service: string): readonly number[] =>
    plan.calls
      .filter(
        ({ spec, to }) =>
          spec.from === service &&
          (spec.parameters?.pool ?? 0) > 0 &&
          kinds.includes(plan.groups[to]?.service.kind ?? ""),
      )
      .map((call) => call.index);
}

/** Connections that a caller may open in all: the pool of a replica × ready replicas. */
function most(samples: Samples, call: number, tick: number): number {
  const from = samples.run.plan.calls[call]?.from ?? 0;
  return samples.settings.call("pool", call, tick) * samples.node("ready", from, tick);
}

const USED = seriesKey("connections used");

/** Connections lent at the moment of the reading. */
function used(samples: Samples, call: number, tick: number): number {
  const limit = most(samples, call, tick);
  const expected = samples.call("inUse", call, tick) + samples.call("stale", call, tick);
  const key = combineKeys(USED, samples.keys.calls[call] as number);
  return samples.noise.successes(key, tick, limit, limit > 0 ? expected / limit : 0);
}

const POOL = {
  unit: "{connection}",
  observer: "pod",
  place: "call",
  fold: "sum",
  attributes: ["server.address", ...BY_NODE],
} as const;

function connectionCount(name: string, states: readonly Portion[], kinds: readonly string[], source: string): Metric {
  const state: Attribute = states === HTTP_STATES ? "http.connection.state" : "db.client.connection.state";
  return {
    ...POOL,
    name,
    source,
    meaning: "connections of the pool by state",
    attributes: [state, ...POOL.attributes],
    places: pooled(...kinds),
    portions: () => states,
    read(samples, call, tick, into, portions = states) {
      const lent = used(samples, call, tick);
      for (const portion of portions)
        into.numerator +=
          portion === states[0] ? lent : Math.max(0, Math.floor(most(samples, call, tick) + 0.5) - lent);
    },
  };
}

const POOLED_STORES = pooled("database", "cache");
export const POOL_METRICS: readonly Metric[] = [
  connectionCount("db.client.connection.count", DATABASE_STATES, ["database", "cache"], CONVENTIONS.database),
  connectionCount("http.client.open_connections", HTTP_STATES, ["edge", "api", "third_party"], CONVENTIONS.http),
  {
    ...POOL,
    name: "db.client.connection.max",
    source: CONVENTIONS.database,
    meaning: "connections that the pool may open",
    places: POOLED_STORES,
    read: (samples, call, tick, into) => {
      into.numerator += most(samples, call, tick);
    },
  },
  {
    ...POOL,
    name: "db.client.connection.utilization",
    unit: "1",
    instrument: "db.client.connection.count ÷ db.client.connection.max",
    source: CONVENTIONS.database,
    meaning: "share of the pool that is lent",
    fold: "ratio",
    places: POOLED_STORES,
    read: (samples, call, tick, into) => {
      into.numerator += used(samples, call, tick);
      into.denominator += Math.floor(most(samples, call, tick) + 0.5);
    },
  },
  {
    ...POOL,
    name: "db.client.connection.pending_requests",
    unit: "{request}",
    source: CONVENTIONS.database,
    meaning: "requests waiting for a connection: by Little's law, how many ask × how long they wait",
    places: POOLED_STORES,
    read: (samples, call, tick, into) => {
      const asking = samples.call("attempts", call, tick);
      if (!(asking > 0)) return;
      const patience = samples.settings.call("acquireTimeout", call, tick);
      const waiting = asking * acquireWait(samples.call("unacquired", call, tick) / asking, patience);
      into.numerator += samples.noise.count(combineKeys(PENDING, samples.keys.calls[call] as number), tick, waiting);
    },
  },
  {
    ...POOL,
    name: "db.client.connection.timeouts",
    unit: "{timeout}/s",
    source: CONVENTIONS.database,
    meaning: "requests a second that waited for a connection in vain",
    fold: "rate",
    places: POOLED_STORES,
    read: (samples, call, tick, into) => {
      const key = samples.keys.calls[call] as number;
      into.numerator += samples.count(POOL_TIMEOUTS, key, tick, samples.call("unacquired", call, tick));
    },
  },
];
const PENDING = seriesKey("connections pending");
/** The noise of the client's own count of this outcome, so that both agree. */
const POOL_TIMEOUTS = seriesKey("client//pool_timeout");
