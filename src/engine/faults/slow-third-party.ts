/**
 * A slow third party: another company's service answers late. Requests that wait for it hold their places, until a caller that does next to
 * nothing has none left: its CPU falls, and an autoscaler that looks at CPU takes replicas away.
 *
 * Facts: Slack, 4 January 2021: threads waited for a network that lost packets, CPU fell and autoscaling removed servers
 * (https://www.theregister.com/2021/02/02/slack_outage_aws_autoscaling/). Fastly, 8 June 2021: a customer's valid setting woke a latent
 * fault, and who depended on it could only wait (https://www.fastly.com/blog/summary-of-june-8-outage).
 */
import { round } from "../../core/math";
import type { Stream } from "../../core/rng";
import { builtWith, MOST_REPLICAS } from "../parameters";
import { type CallSpec, callName, type Deployable, type ServiceSpec, type SystemSpec } from "../spec";
import { callChange, dnsZone, flag } from "../topologies/deployables";
import { callAtRest, serviceAtRest } from "./at-rest";
import type { Drawn, Family } from "./family";
import { callsTo, innocentCode, moreCpu } from "./places";
import { serviceIn, withCall, withNextVersion, withService } from "./releases";
import { at, restart, rollBack, script } from "./scripts";

const LEAST_REACH = 0.13;
/** Share of all users' requests that find no place. */
const HURT = [0.14, 0.4] as const;
const MOST_REJECTED = 0.75;
/** How long a caller waits, s; and how long the third party takes, as a multiple. */
const PATIENCE = [1.5, 6] as const;
const SLOW = [3, 8] as const;
/** Places for the usual times, as a multiple of those in use; and the load of the quietest hours, which must be too much as well. */
const ROOM = 2.2;
const QUIET = 0.8;
/** A request waits for all its calls together about this long at most, s: answers that are late for everybody are an outage of all. */
const MOST_WAITING = 0.9;
/** Requests waiting at a replica, as a multiple of those it works on. */
const BACKLOG = 0.25;
/** Replicas that an autoscaler may leave, as a share. */
const LEAST_REPLICAS = 0.5;
/** Share of draws in which nothing but an escalation helps, where there is the choice. */
const ESCALATED = 0.25;
/** How much longer a time-out that somebody would try. */
const LONGER = [2, 3] as const;

export const slowThirdParty: Family = {
  id: "slow_third_party",
  draw(given, onset, stream): Drawn | null {
    const known = placesIn(given);
    const isKept = known.some((call) => flagOf(given, call)) || (known.length > 0 && stream.chance(ESCALATED));
    const system = isKept ? given : withThirdParty(given, known.length > 0 || stream.chance(1 - ESCALATED), stream);
    const places = placesIn(system);
    const optional = places.filter((call) => flagOf(system, call));
    if (!places.length) return null;
    const call = stream.pick(optional.length && !stream.chance(ESCALATED) ? optional : places);
    const { from, to } = call;
    const off = flagOf(system, call);
    const { each } = callAtRest(system, from, to);
    const most = MOST_WAITING / (each * attemptsOf(call));
    const patience = round(Math.max(1, Math.min(stream.between(...PATIENCE), most)), 1);
    const weak = fewPlaces(system, call, patience, stream);
    const longer = callChange(callName(from, to), "timeout", "set", round(patience * stream.between(...LONGER)));
    const config = `${from}/config`;
    const { system: whole, version } = withNextVersion(weak, config, [longer], stream);
    const caller = serviceIn(system, from);
    const other = innocentCode(system, [from], stream);
    const late = patience * stream.between(...SLOW);
    const disable = off && ({ verb: "disable_feature_flag", flag: off.id } as const);
    return {
      system: whole,
      component: to,
      mechanism: "slow_dependency",
      onset,
      events: [
        {
          kind: "changed",
          id: `${to} answers late`,
          changes: [{ service: to, parameter: "ownTime", op: "set", value: late }],
          tick: onset,
          origin: "fault",
        },
      ],
      dispositions: disable ? ["mitigated", "escalated"] : ["escalated"],
      right: disable
        ? [
            script(`switch ${off.id} off`, at(2, disable)),
            script(
              `shed, switch ${off.id} off`,
              at(1, { verb: "shed_load", service: from, percent: 40, minutes: 4 }),
              at(3, disable),
            ),
          ]
        : [script("escalate"), script("escalate later")],
      wrong: [
        script(`put ${config} ${version} in force`, at(2, { verb: "rollback_deploy", deployable: config, version })),
        restart(from),
        script(`more CPU for ${from}`, at(2, moreCpu(caller, 2))),
        rollBack(from),
        rollBack(other),
      ],
      ...(disable ? {} : { exempt: "escalate_only" as const }),
    };
  },
};

/** Calls of another company's service that an API which users hang on is alone to make. */
function placesIn(system: SystemSpec): readonly CallSpec[] {
  return system.calls.filter(
    ({ from, to }) =>
      serviceIn(system, to).kind === "third_party" &&
      serviceIn(system, from).kind === "api" &&
      callsTo(system, to).length === 1 &&
      serviceAtRest(system, from).reach >= LEAST_REACH,
  );
}

/** The flag that switches an optional call off. */
function flagOf(system: SystemSpec, { from, to, parameters }: CallSpec): Deployable | undefined {
  if (parameters?.critical !== 0) return undefined;
  return system.deployables.find(
    ({ kind, current, versions }) =>
      kind === "flag" &&
      current === "on" &&
      versions.some(({ version, changes }) =>
        changes.some(
          (change) =>
            version === "off" &&
            "call" in change &&
            change.call === callName(from, to) &&
            change.parameter === "enabled" &&
            change.value === 0,
        ),
      ),
  );
}

function attemptsOf({ parameters }: CallSpec): number {
  return 1 + (parameters?.retries ?? 0);
}

/**
 * A caller with fewer places than it needs while every attempt takes as long as it may: by Little's law rate × (usual time + calls ×
 * attempts × time-out), of which the share of those that find none is missing.
 */
function fewPlaces(system: SystemSpec, call: CallSpec, patience: number, stream: Stream): SystemSpec {
  const { from, to } = call;
  const service = serviceIn(system, from);
  const { rate, time, reach, cpu } = serviceAtRest(system, from);
  const replicas = builtWith(service, "replicas");
  const waiting = callAtRest(system, from, to).each * attemptsOf(call) * patience;
  const rejected = Math.min(MOST_REJECTED, stream.between(...HURT) / reach);
  const each = rate / (replicas * service.zones.length);
  const slots = Math.ceil(each * Math.max(ROOM * time, QUIET * (time + waiting) * (1 - rejected)));
  // No breaker: it would do what the flag does.
  const patient = withCall(system, from, to, { timeout: patience, breakerThreshold: 0 });
  return withService(patient, from, {
    slots,
    backlog: BACKLOG * slots,
    ...(stream.chance(0.5) ? scaler(replicas, cpu) : {}),
  });
}

/** An autoscaler that is content with the usual load. */
function scaler(replicas: number, cpu: number) {
  return {
    scaleMin: Math.max(1, Math.floor(replicas * LEAST_REPLICAS)),
    scaleMax: Math.min(MOST_REPLICAS, 2 * replicas),
    scaleTarget: Math.max(0.05, Math.min(1, cpu)),
  };
}

const SUPPLIERS = ["address-lookup", "exchange-rates", "device-check", "tax-rules"] as const;
const OUTSIDE = "internet";

/** A system in which some API asks another company's service; the system itself where there is no such API. */
function withThirdParty(system: SystemSpec, isOptional: boolean, stream: Stream): SystemSpec {
  const askers = system.services.filter(
    ({ name, kind }) => kind === "api" && serviceAtRest(system, name).reach >= LEAST_REACH,
  );
  if (!askers.length) return system;
  const asker = stream.pick(askers);
  const name = stream.pick(SUPPLIERS);
  const supplier: ServiceSpec = {
    name,
    kind: "third_party",
    team: asker.team,
    zones: [OUTSIDE],
    parameters: { ownTime: stream.between(0.06, 0.2) },
  };
  const call: CallSpec = {
    from: asker.name,
    to: name,
    kind: "call",
    parameters: { calls: stream.between(0.1, 0.4), timeout: 2, ...(isOptional ? { critical: 0 } : {}) },
  };
  const serials = system.deployables.find(({ kind }) => kind === "dns_zone")?.versions.map(({ version }) => version);
  return {
    ...system,
    zones: [...system.zones.filter((zone) => zone !== OUTSIDE), OUTSIDE],
    services: [...system.services, supplier],
    calls: [...system.calls, call],
    deployables: [
      ...system.deployables,
      ...(isOptional
        ? [
            flag(`${asker.name}-${name}`, asker.name, "on", [
              callChange(callName(asker.name, name), "enabled", "set", 0),
            ]),
          ]
        : []),
      ...(serials ? [dnsZone(name, serials, [call])] : []),
    ],
  };
}
