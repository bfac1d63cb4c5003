/**
 * What can be deployed on a service, with a history of versions: code, configuration, flags, certificates, DNS zones, limits and
 * jobs. Older versions differ a little from the current one, as real ones do, so that rolling back is always possible and is
 * never quite the same; the current version of each is neutral.
 */
import type { CallParameter, ServiceParameter } from "../parameters";
import { type CallSpec, type Change, callName, type Deployable } from "../spec";

type Version = Deployable["versions"][number];

/** Versions from old to new with what the older ones changed; the last is current and neutral. */
function history(versions: readonly Version[], id: string, kind: Deployable["kind"], service: string): Deployable {
  return { id, kind, service, versions, current: (versions[versions.length - 1] as Version).version };
}

/**
 * The code of a service. `cpu` has for each older version how many times the CPU of the current one a request costs.
 * @throws RangeError when there are not as many factors as versions before the current one.
 */
export function code(service: string, versions: readonly string[], cpu: readonly number[]): Deployable {
  if (cpu.length !== versions.length - 1)
    throw new RangeError(`${service} has ${versions.length} versions and ${cpu.length} factors for the older ones.`);
  const list = versions.map((version, i) => ({
    version,
    changes: i < cpu.length ? [serviceChange(service, "cpuTime", "times", cpu[i] as number)] : [],
  }));
  return history(list, service, "code", service);
}

/**
 * The configuration of a service: log level, buffer sizes and the like. `ownTime` has for each older version how many times the
 * current one's own time a request takes. @throws RangeError as `code` does.
 */
export function config(service: string, versions: readonly string[], ownTime: readonly number[]): Deployable {
  if (ownTime.length !== versions.length - 1)
    throw new RangeError(`${service} has ${versions.length} configurations and ${ownTime.length} factors.`);
  const list = versions.map((version, i) => ({
    version,
    changes: i < ownTime.length ? [serviceChange(service, "ownTime", "times", ownTime[i] as number)] : [],
  }));
  return history(list, `${service}/config`, "config", service);
}

/** A flag: `changes` are those of the state that is not in force at first. */
export function flag(name: string, service: string, current: "off" | "on", changes: readonly Change[]): Deployable {
  const of = (version: "off" | "on") => ({ version, changes: version === current ? [] : changes });
  return { id: `flag/${name}`, kind: "flag", service, versions: [of("off"), of("on")], current };
}

/** A job that is stopped at first: `changes` hold while it runs. */
export function job(name: string, service: string, changes: readonly Change[]): Deployable {
  const versions = [
    { version: "stopped", changes: [] },
    { version: "running", changes },
  ];
  return { id: `job/${name}`, kind: "job", service, versions, current: "stopped" };
}

const DAY = 86_400;
/** When certificates end, in seconds from the start of history: the last one, the present one, the one issued to follow it. */
const ENDS = [-41 * DAY, 49 * DAY, 414 * DAY] as const;

/**
 * The certificate that a service shows its callers. The first version has expired (new handshakes with it fail), the second is
 * in force, the third is issued and not yet in use. A company renews all of them at the same dates.
 */
export function certificate(
  service: string,
  versions: readonly [string, string, string],
  calls: readonly CallSpec[],
): Deployable {
  const [expired, current, next] = versions;
  const failing = callersOf(service, calls).map((call) => callChange(call, "handshakeFailure", "set", 1));
  return {
    id: `cert/${service}`,
    kind: "certificate",
    service,
    versions: [
      { version: expired, changes: failing, expiresAt: ENDS[0] },
      { version: current, changes: [], expiresAt: ENDS[1] },
      { version: next, changes: [], expiresAt: ENDS[2] },
    ],
    current,
  };
}

/** The DNS zone that has a service's name; older serials had shorter-lived records. */
export function dnsZone(service: string, serials: readonly string[], calls: readonly CallSpec[]): Deployable {
  const list = serials.map((version, i) => ({
    version,
    changes:
      i < serials.length - 1 ? callersOf(service, calls).map((call) => callChange(call, "nameTtl", "times", 0.5)) : [],
  }));
  return history(list, `dns/${service}`, "dns_zone", service);
}

/** A limit: what older versions set, and last the value that holds anyway. */
export function limit(
  name: string,
  service: string,
  values: readonly number[],
  change: (value: number) => Change,
): Deployable {
  const list = values.map((value, i) => ({
    version: `r${i + 1}`,
    changes: i < values.length - 1 ? [change(value)] : [],
  }));
  return history(list, `${service}/${name}`, "limit", service);
}

type Op = Change["op"];

export function serviceChange(service: string, parameter: ServiceParameter, op: Op, value: number): Change {
  return { service, parameter, op, value };
}

export function callChange(call: string, parameter: CallParameter, op: Op, value: number): Change {
  return { call, parameter, op, value };
}

/** Names of the calls that open connections to a service. */
function callersOf(service: string, calls: readonly CallSpec[]): string[] {
  return calls.filter((call) => call.to === service).map((call) => callName(call.from, call.to));
}
