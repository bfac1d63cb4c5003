/**
 * Two faults at once: independent ones at two places, or one that masks the other: a caller that gets less through than usual spares the database
 * behind it, which falls short once the caller is mended. Who closes after the first remedy leaves the second fault behind.
 *
 * Facts: Stripe, 10 July 2019: two faults of a database and, after the roll-back that mended the first outage, a setting that made the second
 * (https://stripe.com/rcas/2019-07-10). Roblox, 28 October 2021: a streaming feature and a storage library together, 73 hours
 * (https://blog.roblox.com/2022/01/roblox-return-to-service-10-28-10-31-2021/).
 */
import type { Stream } from "../../core/rng";
import type { Change, SystemSpec } from "../spec";
import { serviceAtRest } from "./at-rest";
import { badConfig } from "./bad-config";
import { badDeploy } from "./bad-deploy";
import { certificateExpiry } from "./certificate-expiry";
import { cpuThrottling } from "./cpu-throttling";
import { diskFull } from "./disk-full";
import { dns } from "./dns";
import type { Drawn, Family, Order, Script } from "./family";
import { memoryLeak } from "./memory-leak";
import { migrationLock } from "./migration-lock";
import { databaseOf } from "./places";
import { deployableIn, rollOutOf, withNextVersion } from "./releases";
import { at, restart, script } from "./scripts";
import { slowThirdParty } from "./slow-third-party";

const ONES: readonly Family[] = [
  badConfig,
  badDeploy,
  certificateExpiry,
  cpuThrottling,
  diskFull,
  dns,
  memoryLeak,
  migrationLock,
  slowThirdParty,
];
/** Those that let less through than is asked for, and so spare what is behind them. */
const MASKING: readonly Family[] = [cpuThrottling, slowThirdParty];
const TRIES = 8;
/** Ticks from one onset to the other: both before anybody is woken. */
const APART = [1, 8] as const;
/** Minutes after the first remedy, in which its effect is looked at. */
const LOOK = 3;
/** Work of the masked database at its usual load, as a multiple of what it can do. */
const MASKED_OVERLOAD = [1.03, 1.2] as const;

export const twoFaults: Family = {
  id: "two_faults",
  draw(system, onset, stream): Drawn | null {
    const isMasked = stream.chance(0.35);
    for (let i = 0; i < TRIES; i++) {
      const first = stream.pick(isMasked ? MASKING : ONES).draw(system, onset, stream);
      if (!first || first.exempt) continue;
      const later = onset + stream.integer(...APART);
      const second = isMasked
        ? shortDatabase(first, later, stream)
        : stream.pick(ONES).draw(first.system, later, stream);
      if (second && !second.exempt && areApart(first, second)) return together(first, second);
    }
    return null;
  },
};

/** Different places, and nothing that one remedy would mend for both. */
function areApart(first: Drawn, second: Drawn): boolean {
  const touched = (drawn: Drawn) =>
    drawn.events.flatMap((event) => (event.kind === "deployed" ? [event.deployable] : []));
  return first.component !== second.component && !touched(first).some((id) => touched(second).includes(id));
}

function together(first: Drawn, second: Drawn): Drawn {
  const both = (i: 0 | 1): Script => {
    const [one, other] = [first.right[i], second.right[i]];
    return { name: `${one.name}, then ${other.name}`, orders: [...one.orders, ...after(one.orders, other.orders)] };
  };
  return {
    system: second.system,
    component: first.component,
    mechanism: first.mechanism,
    second: { component: second.component, mechanism: second.mechanism },
    onset: first.onset,
    events: [...first.events, ...second.events],
    dispositions: ["fixed"],
    right: [both(0), both(1)],
    wrong: [first.right[0], second.right[0], ...first.wrong.slice(0, 2), ...second.wrong.slice(-1)],
  };
}

function after(before: readonly Order[], orders: readonly Order[]): Order[] {
  const last = before[before.length - 1]?.minute ?? 0;
  const first = orders[0]?.minute ?? 0;
  return orders.map((order) => ({ ...order, minute: last + LOOK + order.minute - first }));
}

/** A configuration with which the database behind a place is a little short, once all that is asked of it comes. */
function shortDatabase({ system, component }: Drawn, onset: number, stream: Stream): Drawn | null {
  const place = databaseBehind(system, component);
  if (!place) return null;
  const id = `${place}/config`;
  const value = stream.between(...MASKED_OVERLOAD) / serviceAtRest(system, place).cpu;
  const change: Change = { service: place, parameter: "cpuTime", op: "times", value };
  const { system: whole, version } = withNextVersion(system, id, [change], stream);
  const { current, versions } = deployableIn(system, id);
  const older = versions[versions.length - 2]?.version ?? current;
  const back = (to: string) =>
    script(`roll ${id} back to ${to}`, at(2, { verb: "rollback_deploy", deployable: id, version: to }));
  return {
    system: whole,
    component: place,
    mechanism: "query_planner",
    onset,
    events: rollOutOf(whole, id, version, onset, "fault"),
    dispositions: ["fixed"],
    right: [back(current), back(older)],
    wrong: [restart(place)],
  };
}

/** The database that a service asks, or that of the caller of a supplier. */
function databaseBehind(system: SystemSpec, component: string): string | undefined {
  const caller = system.calls.find(({ to, kind }) => to === component && kind === "call")?.from;
  const found = databaseOf(system, component) ?? (caller && databaseOf(system, caller));
  return found && system.deployables.some(({ id }) => id === `${found}/config`) ? found : undefined;
}
