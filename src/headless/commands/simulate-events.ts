/** What happened to a system, as sentences. */
import { round } from "../../core/math";
import type { SystemEvent } from "../../engine/events";
import { CALL_PARAMETERS, type ParameterInfo, SERVICE_PARAMETERS } from "../../engine/parameters";
import { type Change, TICKS_PER_MINUTE } from "../../engine/spec";

const PARAMETERS: Readonly<Record<string, ParameterInfo>> = { ...SERVICE_PARAMETERS, ...CALL_PARAMETERS };

export function minuteOf(tick: number): number {
  return tick / TICKS_PER_MINUTE;
}

/** One line without a full stop. */
export function eventText(event: SystemEvent): string {
  switch (event.kind) {
    case "changed":
      return `${nameOf(event)}: ${event.changes.map(changeText).join(", ")}`;
    case "reverted":
      return `${nameOf(event)} ended`;
    case "deployed":
      return `${versionText(event)}${inZone(event)}${event.share < 1 ? ` to ${percent(event.share)} of requests` : ""}`;
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

/** The ids of responders' orders end in the tick of the order, which keeps them apart; its line has the minute. */
function nameOf({ id }: { readonly id: string }): string {
  return id.replace(/@\d+$/, "");
}

/** Flags and jobs have states where others have versions. */
function versionText({ deployable, version }: { readonly deployable: string; readonly version: string }): string {
  if (deployable.startsWith("flag/")) return `${deployable} switched ${version}`;
  if (deployable.startsWith("job/")) return `${deployable} is ${version}`;
  return `${deployable} ${version} deployed`;
}

function changeText(change: Change): string {
  const place = "service" in change ? change.service : "call" in change ? change.call : change.link;
  const sign = { set: "=", times: "×", plus: "+" }[change.op];
  const { unit = "" } = PARAMETERS[change.parameter] ?? {};
  // A share of a share has no unit; what is counted or multiplied needs none.
  const shown = unit === "share" && change.op !== "times" ? `${short(100 * change.value)} %` : `${short(change.value)}`;
  const bare = change.op === "times" || ["share", "count", "×", "0 or 1"].includes(unit);
  const where = "zone" in change && change.zone ? ` in ${change.zone}` : "";
  return `${place}.${change.parameter} ${sign} ${bare ? shown : `${shown} ${unit}`}${where}`;
}

/** Four digits that count: parameters are as small as a leak of a request and as large as a disk. */
function short(value: number): number {
  return Math.abs(value) < 1000 ? Number(value.toPrecision(4)) : round(value);
}

function percent(share: number): string {
  return `${round(100 * share, 1)} %`;
}
