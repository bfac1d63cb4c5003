/**
 * Lines about events of the journal. Who or what made an event happen is not looked at: a deploy that breaks something and one that
 * does not read alike. Changes of parameters by themselves leave no line; only what comes of them does.
 */
import type { SystemEvent } from "../../events";
import { groupsOf, type Plan } from "../../plan";
import type { Deployable } from "../../spec";
import { LOG_KINDS, type LogKindName } from "./grammar";
import type { LogKind } from "./grammar/kind";
import { safe } from "./grammar/style";

export interface EventLine {
  readonly name: LogKindName;
  readonly kind: LogKind;
  readonly node: number;
  /** Call it is about; −1 for none. */
  readonly call: number;
  /** What is filled into the line's facts. */
  readonly version: string;
  readonly before: string;
  readonly about: string;
  readonly count: number;
  readonly used: number;
  readonly share: number;
}

const OF_DEPLOYABLE: Readonly<Record<Deployable["kind"], LogKindName>> = {
  code: "code_deployed",
  config: "config_applied",
  flag: "flag_switched",
  certificate: "certificate_loaded",
  dns_zone: "zone_published",
  limit: "limit_set",
  job: "job_switched",
};

/**
 * The lines of one event, one for each zone that it concerns, in a fixed order.
 * @param before version of a deployable before the event
 */
export function linesOf(plan: Plan, event: SystemEvent, before: (deployable: string) => string): readonly EventLine[] {
  switch (event.kind) {
    case "deployed": {
      const deployable = plan.deployables.find((each) => each.id === event.deployable);
      if (!deployable) return [];
      const facts = {
        version: safe(event.version),
        before: safe(before(event.deployable)),
        about: safe(nameOf(deployable)),
      };
      const share = event.share;
      return perZone(plan, deployable.service, OF_DEPLOYABLE[deployable.kind], event.zone, { ...facts, share });
    }
    case "scaled":
      return perZone(plan, event.service, "scaled", event.zone, { count: event.replicas });
    case "restarted":
      return perZone(plan, event.service, "restarted", event.zone, { share: event.share });
    case "cache_flushed":
      return perZone(plan, event.service, "cache_flushed", "zone" in event ? event.zone : undefined, {
        share: event.share,
      });
    case "connections_cleared":
    case "failed_over":
    case "purged":
      return perZone(plan, event.service, event.kind, undefined, {}).slice(0, 1);
    case "traffic_shifted": {
      const edge = plan.entries[0];
      return edge
        ? perZone(plan, edge.service.name, "traffic_shifted", undefined, {
            about: event.zone,
            share: event.weight,
          }).slice(0, 1)
        : [];
    }
    case "oom_killed":
      return ofNode(plan, event.service, event.zone, event.cohort, "oom_killed");
    case "autoscaled":
      return perZone(plan, event.service, "autoscaled", event.zone, { count: event.to, used: event.from });
    case "breaker_opened":
    case "breaker_closed": {
      const call = plan.calls.find((each) => each.name === event.call && plan.nodes[each.from]?.zone === event.zone);
      return call ? [line(event.kind, call.from, { call: call.index })] : [];
    }
    case "promoted":
      return perZone(plan, event.service, "promoted", undefined, { count: event.lostWrites }).slice(0, 1);
    case "disk_filled":
      return perZone(plan, event.service, "disk_filled", event.zone, {});
    default:
      return [];
  }
}

type Details = Partial<Omit<EventLine, "name" | "kind" | "node">>;

function line(name: LogKindName, node: number, details: Details): EventLine {
  return {
    version: "",
    before: "",
    about: "",
    count: 0,
    used: 0,
    share: 1,
    call: -1,
    ...details,
    name,
    kind: LOG_KINDS[name],
    node,
  };
}

function perZone(
  plan: Plan,
  service: string,
  name: LogKindName,
  zone: string | undefined,
  details: Details,
): EventLine[] {
  const groups = groupsOf(plan, service).filter((group) => group.service.kind !== "third_party");
  const chosen = groups.filter((group) => zone === undefined || group.zone === zone);
  // After a failover a group answers from a zone that is not its own.
  return (chosen.length ? chosen : groups.slice(0, 1)).map((group) => line(name, group.first, details));
}

function ofNode(plan: Plan, service: string, zone: string, cohort: number, name: LogKindName): EventLine[] {
  const found = plan.nodes.find(
    (node) => node.service.name === service && node.zone === zone && node.cohort === cohort,
  );
  const node = found ?? plan.nodes.find((each) => each.service.name === service);
  return node && node.service.kind !== "third_party" ? [line(name, node.index, {})] : [];
}

/** What people call a deployable: its id without the service or the class in front. */
function nameOf(deployable: Deployable): string {
  return deployable.id.slice(deployable.id.indexOf("/") + 1);
}
