/** Emptying a queue: by working it off, by throwing it away, or by setting aside what nobody can process. */
import { MOST_REPLICAS } from "../parameters";
import type { Change } from "../spec";
import { TICKS_PER_MINUTE } from "../spec";
import { count, lengthOfTicks, list, were } from "../words";
import { consumersOf } from "./choices";
import { type Controls, groupsIn, measured, standing } from "./controls";
import type { Luck } from "./luck";
import { happensAt, type Order } from "./order";
import { wantedReplicas } from "./roll-out";
import { DRAIN_MINUTES, type RemedyOf } from "./verbs";

type Drain = RemedyOf<"drain_queue">;

/** Works a queue off with twice its consumers for a while, or purges it, or sets aside what keeps failing. */
export function orderDrain(run: Controls, remedy: Drain, luck: Luck): Order {
  const { service, mode = "process" } = remedy;
  if (mode === "process") return workOff(run, remedy, luck);
  const depth = waiting(run, service);
  if (mode === "purge")
    return {
      events: [happensAt(run.tick + 1, { kind: "purged", service })],
      until: run.tick + 2,
      text: `${service} was purged: about ${were(depth, "waiting message")} thrown away, whatever was in them.`,
      undo: null,
    };
  // Every message has to be looked at.
  const tick = run.tick + luck.integer("look through", 4, 8);
  return {
    events: [happensAt(tick, { kind: "purged", service, only: "poison" })],
    until: tick + 1,
    text:
      `${were(depth, "waiting message")} looked through in ${service} for ${lengthOfTicks(tick - run.tick)}; ` +
      "those that kept failing were set aside.",
    undo: null,
  };
}

/** Messages waiting in a queue, good or not, as last measured. */
export function waiting(run: Controls, queue: string): number {
  return measured(run, "level", queue) + measured(run, "poison", queue);
}

function workOff(run: Controls, { service, minutes }: Drain, luck: Luck): Order {
  const from = run.tick + luck.integer("provisioning", 2, 4);
  const before = standing(run, `drain/${service}@`);
  const ticks = (minutes ?? DRAIN_MINUTES) * TICKS_PER_MINUTE;
  const consumers = consumersOf(run.plan, service);
  if (ticks === 0) {
    const events = before === null ? [] : [happensAt(run.tick + 1, { kind: "reverted", id: before })];
    return { events, until: run.tick + 2, text: `${list(consumers)} went back to their usual size.`, undo: null };
  }
  const id = `drain/${service}@${run.tick}`;
  const changes: Change[] = consumers.flatMap((consumer) =>
    groupsIn(run.plan, consumer).map((group) => {
      const own = wantedReplicas(run, group);
      return {
        service: consumer,
        zone: group.zone,
        parameter: "replicas",
        op: "plus",
        value: Math.max(0, Math.min(own, MOST_REPLICAS - own)),
      };
    }),
  );
  const added = changes.reduce((sum, change) => sum + change.value, 0);
  return {
    events: [
      ...(before === null ? [] : [happensAt(from, { kind: "reverted", id: before } as const)]),
      happensAt(from, { kind: "changed", id, changes }),
      happensAt(from + ticks, { kind: "reverted", id }),
    ],
    until: from + 1,
    text:
      `${count(added, "more replica")} of ${list(consumers)} work on ${service} for ${lengthOfTicks(ticks)}, starting ` +
      `${lengthOfTicks(from - run.tick)} after the order; about ${were(waiting(run, service), "message")} waiting.`,
    undo: { verb: "drain_queue", service, mode: "process", minutes: 0 },
  };
}
