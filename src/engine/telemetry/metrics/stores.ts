/** The metrics of databases, caches and queues as they see themselves. */
import type { Plan } from "../../plan";
import { TICK_SECONDS } from "../../spec";
import { exact, type Metric, nodesOfKinds, onNode } from "./metric";
import type { Samples } from "./samples";

/** One node of each group: connections are counted for a whole server, whatever its shards. */
function serversOf(plan: Plan, service: string): readonly number[] {
  return nodesOfKinds("database")(plan, service).filter((node) => plan.nodes[node]?.cohort === 0);
}

const STORES: readonly Metric[] = [
  onNode(
    {
      name: "db.server.connection.count",
      unit: "{connection}",
      meaning: "connections open on the server, used and idle",
      fold: "sum",
      observer: "pod",
      places: serversOf,
      attributes: ["cloud.availability_zone"],
    },
    (samples, node, tick, _key, into) => into.add(Math.floor(samples.node("level", node, tick) + 0.5), 1),
  ),
  onNode(
    {
      name: "db.server.connection.max",
      unit: "{connection}",
      meaning: "connections that the server accepts; 0 is no limit",
      fold: "sum",
      observer: "pod",
      places: serversOf,
      attributes: ["cloud.availability_zone"],
    },
    (samples, node, tick, _key, into) =>
      into.add(
        samples.settings.service("maxConnections", node, tick) * Math.max(1, samples.node("ready", node, tick)),
        1,
      ),
  ),
  onNode(
    {
      name: "db.server.idle_sessions",
      unit: "{session}",
      meaning: "sessions open on the server that no request uses",
      fold: "sum",
      observer: "pod",
      places: serversOf,
      attributes: ["cloud.availability_zone"],
    },
    (samples, node, tick, _key, into) => into.add(Math.floor(samples.node("poison", node, tick) + 0.5), 1),
  ),
  onNode(
    {
      name: "cache.hit_ratio",
      unit: "1",
      meaning: "share of look-ups that find an entry",
      fold: "ratio",
      observer: "pod",
      places: nodesOfKinds("cache"),
    },
    (samples, node, tick, key, into) => {
      const lookups = Math.floor(samples.node("arrivals", node, tick) * TICK_SECONDS + 0.5);
      into.add(samples.noise.successes(key, tick, lookups, samples.node("level", node, tick)), lookups);
    },
  ),
];

/** Good and poison messages: a broker cannot tell them apart. */
function depthOf(samples: Samples, node: number, tick: number): number {
  return samples.node("level", node, tick) + samples.node("poison", node, tick);
}

/**
 * Age of the oldest message of a first-in first-out queue: those waiting are the last that came, so it came when the arrivals from
 * then to now add up to the depth. s; not before the start of history.
 */
function oldestAge(samples: Samples, node: number, tick: number): number {
  let left = depthOf(samples, node, tick);
  if (left < 0.5) return 0;
  let age = 0;
  for (let t = tick; t >= 0; t--) {
    const came = samples.node("arrivals", node, t) * TICK_SECONDS;
    if (came >= left) return age + (TICK_SECONDS * left) / came;
    left -= came;
    age += TICK_SECONDS;
  }
  return age;
}

const QUEUE = { observer: "pod", places: nodesOfKinds("queue"), attributes: ["cloud.availability_zone"] } as const;

/** No convention covers brokers; the names are in the manner of the client conventions. */
const QUEUES: readonly Metric[] = [
  onNode(
    { ...QUEUE, name: "messaging.queue.depth", unit: "{message}", meaning: "messages waiting", fold: "sum" },
    (samples, node, tick, key, into) => into.add(samples.noise.count(key, tick, depthOf(samples, node, tick)), 1),
  ),
  onNode(
    {
      ...QUEUE,
      name: "messaging.queue.oldest_message.age",
      unit: "s",
      meaning: "how long the oldest message has waited",
      fold: "max",
    },
    (samples, node, tick, _key, into) => into.raise(oldestAge(samples, node, tick)),
  ),
  onNode(
    {
      ...QUEUE,
      name: "messaging.queue.lag",
      unit: "s",
      meaning: "how long a message that comes now will wait at the present pace of the consumers",
      fold: "max",
    },
    (samples, node, tick, _key, into) => into.raise(samples.node("delay", node, tick)),
  ),
  onNode(
    {
      ...QUEUE,
      name: "messaging.queue.redelivery.rate",
      unit: "{message}/s",
      meaning: "messages delivered again a second",
      fold: "rate",
    },
    (samples, node, tick, key, into) =>
      into.add(samples.noise.count(key, tick, samples.node("redelivered", node, tick) * TICK_SECONDS), 0),
  ),
  onNode(
    {
      ...QUEUE,
      name: "messaging.queue.dead_letters",
      unit: "{message}",
      meaning: "messages set aside since the start of history",
      fold: "last",
    },
    exact("deadLetters"),
  ),
];

export const STORE_METRICS: readonly Metric[] = [...STORES, ...QUEUES];
