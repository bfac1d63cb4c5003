/** Turning users away for a while, and sending them to other zones. */

import { round } from "../../core/math";
import { TICKS_PER_MINUTE } from "../spec";
import { count, lengthOfTicks, number } from "../words";
import { type Controls, measured, standing, weightOf } from "./controls";
import type { Luck } from "./luck";
import { happensAt, type Order } from "./order";
import type { Remedy, RemedyOf } from "./verbs";
import { SHED_MINUTES } from "./verbs";

/** A new order replaces the one before; percent 0 ends it. */
export function orderShed(run: Controls, { service, percent, minutes }: RemedyOf<"shed_load">, luck: Luck): Order {
  const from = run.tick + luck.integer("start", 1, 2);
  const id = `shed/${service}@${run.tick}`;
  const ticks = (minutes ?? SHED_MINUTES) * TICKS_PER_MINUTE;
  const before = standing(run, `shed/${service}@`);
  const events = before === null ? [] : [happensAt(from, { kind: "reverted", id: before })];
  if (percent === 0) return { events, until: from + 1, text: `${service} takes all requests again.`, undo: null };
  const change = { service, parameter: "shed", op: "set", value: percent / 100 } as const;
  events.push(
    happensAt(from, { kind: "changed", id, changes: [change] }),
    happensAt(from + ticks, { kind: "reverted", id }),
  );
  const arriving = measured(run, "arrivals", service);
  return {
    events,
    until: from + 1,
    text:
      `${service} rejects ${number(percent)} % of its requests for ${lengthOfTicks(ticks)} from ${lengthOfTicks(from - run.tick)} ` +
      `after the order; ${count(arriving, "request")} a second were arriving.`,
    undo: { verb: "shed_load", service, percent: 0 },
  };
}

/** Half of the users move at once, the rest when their resolvers have looked the name up again. */
export function orderShift(run: Controls, { zone, percent }: RemedyOf<"shift_traffic">, luck: Luck): Order {
  const before = weightOf(run, zone);
  const after = 1 - percent / 100;
  const first = run.tick + 1;
  const rest = first + luck.integer("rest", 2, 5);
  const entries = run.plan.entries.filter((entry) => entry.zone === zone);
  const offered = run.tick
    ? entries.reduce((sum, entry) => sum + run.user("offered", entry.index, run.tick - 1), 0)
    : 0;
  const undo: Remedy | null =
    before === after ? null : { verb: "shift_traffic", zone, percent: round((1 - before) * 100, 6) };
  return {
    events: [
      happensAt(first, { kind: "traffic_shifted", zone, weight: (before + after) / 2 }),
      happensAt(rest, { kind: "traffic_shifted", zone, weight: after }),
    ],
    until: rest + 1,
    text:
      `${zone} gets ${number(after * 100)} % of its usual users instead of ${number(before * 100)} % after ` +
      `${lengthOfTicks(rest - run.tick)}; ${count(offered, "request")} a second were coming to it.`,
    undo,
  };
}
