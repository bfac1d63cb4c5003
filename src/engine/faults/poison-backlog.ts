/**
 * A poison backlog: a new version of a producer publishes messages that nobody can process. They are delivered again and again, until
 * those that work on the queue do little else and good messages wait.
 *
 * Facts: Slack, 2016: a job store that was full could not even hand out its jobs, as that needed memory
 * (https://slack.engineering/scaling-slacks-job-queue/). PagerDuty, 28 August 2025: one Kafka producer for every request used up the
 * brokers' heaps (https://www.pagerduty.com/eng/august-28-kafka-outages-what-happened-and-how-were-improving/).
 */
import type { Stream } from "../../core/rng";
import { builtWith } from "../parameters";
import { callName, type ServiceSpec, type SystemSpec } from "../spec";
import { atRest, callAtRest, serviceAtRest } from "./at-rest";
import type { Drawn, Family } from "./family";
import { consumersIn, replicasOf } from "./places";
import { deployableIn, rollOutOf, serviceIn, withNextVersion, withService } from "./releases";
import { at, restart, rollBack, scaleOut, script } from "./scripts";

/** Least messages for each request of a user, so that late ones are felt. */
const LEAST_MESSAGES = 0.09;
/** Minutes until good messages are late. */
const MINUTES_TO_LATE = [2.5, 8] as const;
const MOST_POISON = 0.6;
/** Deliveries after which poison is set aside; 0 is never. */
const LIMITS = [0, 0, 50, 100, 200] as const;

export const poisonBacklog: Family = {
  id: "poison_backlog",
  draw(system, onset, stream): Drawn | null {
    const places = placesIn(system);
    if (!places.length) return null;
    const place = stream.pick(places);
    const { producer, queue } = place;
    const { name } = producer;
    const { share, limit } = poison(system, place, stream);
    const weak = withService(system, queue, { deliveryLimit: limit });
    const change = { call: callName(name, queue), parameter: "poison", op: "set", value: share } as const;
    const made = withNextVersion(weak, name, [change], stream);
    const consumer = stream.pick(consumersIn(system, queue));
    const back = {
      verb: "rollback_deploy",
      deployable: name,
      version: deployableIn(system, name).current,
    } as const;
    const setAside = { verb: "drain_queue", service: queue, mode: "set_aside" } as const;
    const purge = { verb: "drain_queue", service: queue, mode: "purge" } as const;
    return {
      system: made.system,
      component: name,
      mechanism: limit === 0 ? "poison_without_limit" : "poison_with_high_limit",
      onset,
      events: rollOutOf(made.system, name, made.version, onset, "fault"),
      dispositions: ["fixed"],
      right: [
        script(`roll ${name} back, then set aside`, at(2, back), at(3, setAside)),
        script(
          `roll ${name} back, more consumers, then set aside`,
          at(2, back),
          at(3, { verb: "drain_queue", service: queue, mode: "process" }),
          at(4, setAside),
        ),
      ],
      wrong: [
        script(`purge ${queue}, then roll ${name} back`, at(2, purge), at(3, back)),
        script(`set aside in ${queue}`, at(2, setAside)),
        restart(consumer),
        rollBack(consumer),
        scaleOut(serviceIn(system, consumer), 1.5),
      ],
    };
  },
};

interface Place {
  readonly producer: ServiceSpec;
  readonly queue: string;
}

function placesIn(system: SystemSpec): Place[] {
  const { load } = atRest(system);
  return system.calls.flatMap(({ from, to, kind }) => {
    const producer = serviceIn(system, from);
    const isBusy = kind === "publish" && serviceAtRest(system, to).rate >= LEAST_MESSAGES * load;
    return isBusy && consumersIn(system, to).length > 0 ? [{ producer, queue: to }] : [];
  });
}

/** Share of a producer's messages that are poison, and the queue's limit on deliveries. */
function poison(system: SystemSpec, { producer, queue }: Place, stream: Stream): { share: number; limit: number } {
  const all = serviceAtRest(system, queue).rate;
  const own = callAtRest(system, producer.name, queue).rate;
  const consumers = consumersIn(system, queue).map((name) => serviceIn(system, name));
  const capacity = consumers.reduce((sum, consumer) => sum + capacityOf(system, consumer), 0);
  const limit = stream.pick(LIMITS);
  // With p poison messages in the queue good ones wait p/(capacity − rate) seconds; those with a limit leave it after so many tries.
  const late = builtWith(serviceIn(system, queue), "staleAfter") * Math.max(0.1 * capacity, capacity - all);
  const gone = limit > 0 ? Math.max(0, capacity - all) / limit : 0;
  const share = (late / (60 * stream.between(...MINUTES_TO_LATE)) + gone) / own;
  return { share: Math.min(MOST_POISON, share), limit };
}

/** Messages a second that a consumer's replicas can work on: bounded by slots and by CPU. */
function capacityOf(system: SystemSpec, consumer: ServiceSpec): number {
  const { time } = serviceAtRest(system, consumer.name);
  const replicas = replicasOf(consumer);
  const bySlots = builtWith(consumer, "slots") / Math.max(time, 1e-3);
  const byCpu = builtWith(consumer, "cores") / Math.max(builtWith(consumer, "cpuTime"), 1e-4);
  return replicas * Math.min(bySlots, byCpu);
}
