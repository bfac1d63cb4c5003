/** What happened to a system, as sentences. */
import { round } from "../../core/math";
import type { SystemEvent } from "../../engine/events";
import { type Change, TICKS_PER_MINUTE } from "../../engine/spec";

export function minuteOf(tick: number): number {
  return tick / TICKS_PER_MINUTE;
}

/** One line without a full stop. */
export function eventText(event: SystemEvent): string {
  switch (event.kind) {
    case "changed":
      return `${event.id}: ${event.changes.map(changeText).join(", ")}`;
    case "reverted":
      return `${event.id} ended`;
    case "deployed":
      return `${event.deployable} ${event.version} deployed${inZone(event)}${event.share < 1 ? ` to ${percent(event.share)} of requests` : ""}`;
    case "scaled":
      return `${event.service} scaled to ${event.replicas} replicas a zone${inZone(event)}`;
    case "restarted":
      return `${event.service} restarted${inZone(event)}${event.share < 1 ? `, ${percent(event.share)} of its replicas` : ""}`;
    case "cache_flushed":
      return `${event.service} lost ${percent(event.share)} of its entries${inZone(event)}`;
    case "connections_cleared":
      return `connections of ${event.service} cleared`;
    case "failed_over":
      return `failover of ${event.service} started`;
    case "purged":
      return `${event.only ? "poison messages of" : "all messages of"} ${event.service} thrown away`;
    case "poisoned":
      return `${event.messages} poison messages put into ${event.service}`;
    case "traffic_shifted":
      return `${percent(event.weight)} of the usual users of ${event.zone} sent there`;
    case "oom_killed":
      return `${event.service} in ${event.zone}: replica killed for memory`;
    case "replica_ready":
      return `${event.service} in ${event.zone}: ${event.replicas} ready`;
    case "autoscaled":
      return `${event.service} in ${event.zone}: autoscaled from ${event.from} to ${event.to}`;
    case "breaker_opened":
      return `${event.call} in ${event.zone}: breaker opened`;
    case "breaker_closed":
      return `${event.call} in ${event.zone}: breaker closed`;
    case "promoted":
      return `${event.service} promoted in ${event.zone}, ${round(event.lostWrites)} writes lost`;
    case "disk_filled":
      return `${event.service} in ${event.zone}: disk full`;
  }
}

function inZone(event: { readonly zone?: string }): string {
  return event.zone ? ` in ${event.zone}` : "";
}

function changeText(change: Change): string {
  const place = "service" in change ? change.service : "call" in change ? change.call : change.link;
  const sign = { set: "=", times: "×", plus: "+" }[change.op];
  return `${place}.${change.parameter} ${sign} ${change.value}`;
}

function percent(share: number): string {
  return `${round(100 * share, 1)} %`;
}
