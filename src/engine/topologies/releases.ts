/** What can be deployed in a generated system: every service's releases, configuration, limits, flags, certificates and jobs. */
import type { Stream } from "../../core/rng";
import { callName, type Deployable } from "../spec";
import { callChange, certificate, code, config, dnsZone, flag, job, limit, serviceChange } from "./deployables";
import type { CallDraft, ServiceDraft, Structure } from "./structure";

export function drawDeployables(stream: Stream, structure: Structure): Deployable[] {
  const list: Deployable[] = [];
  const serials = drawSerials(stream);
  for (const service of structure.services) {
    const draw = stream.fork(service.name);
    const isCalled = structure.calls.some((call) => call.to === service.name && call.kind !== "consume");
    if (isCalled) list.push(dnsZone(service.name, serials, requests(structure, service)));
    // A supplier's releases and certificates are its own.
    if (service.kind === "third_party") continue;
    if (isCalled) list.push(certificate(service.name, ["2025-b", "2026-a", "2026-b"], requests(structure, service)));
    list.push(drawCode(draw, structure.company.tag, service.name), drawConfig(draw, service.name));
    list.push(...limitsOf(draw, service, structure.calls), ...jobsOf(draw, service));
  }
  for (const call of structure.calls) list.push(...flagsOf(stream.fork(callName(call.from, call.to)), call, structure));
  return list;
}

function requests({ calls }: Structure, { name }: ServiceDraft): CallDraft[] {
  return calls.filter((call) => call.to === name && call.kind !== "consume");
}

/** A DNS zone's serial is a date and a count of that day. */
function drawSerials(stream: Stream): string[] {
  const day = () => String(stream.integer(1, 28)).padStart(2, "0");
  return [`202607${day()}01`, `202609${day()}02`, `202611${day()}01`];
}

function drawCode(stream: Stream, tag: string, service: string): Deployable {
  const count = stream.integer(3, 5);
  let [minor, patch] = [stream.integer(2, 60), stream.integer(0, 4)];
  const major = stream.integer(1, 5);
  const versions: string[] = [];
  for (let i = 0; i < count; i++) {
    versions.push(`${tag}${major}.${minor}.${patch}`);
    if (stream.chance(0.5)) patch++;
    else [minor, patch] = [minor + 1, 0];
  }
  return code(
    service,
    versions,
    versions.slice(1).map(() => aBit(stream)),
  );
}

function drawConfig(stream: Stream, service: string): Deployable {
  const first = stream.integer(12, 340);
  const versions = Array.from({ length: stream.integer(3, 4) }, (_, i) => `c${first + i}`);
  return config(
    service,
    versions,
    versions.slice(1).map(() => aBit(stream)),
  );
}

/** How older versions differ: some were a little slower, some a little faster. */
function aBit(stream: Stream): number {
  return stream.integer(96, 107) / 100;
}

function limitsOf(stream: Stream, { name, kind, parameters }: ServiceDraft, calls: readonly CallDraft[]): Deployable[] {
  const list: Deployable[] = [];
  const cores = parameters.cores ?? 1;
  if (kind !== "database")
    list.push(
      limit("cpu-quota", name, [0.85 * cores, 0.95 * cores, cores], (value) =>
        serviceChange(name, "cores", "set", value),
      ),
    );
  const connections = parameters.maxConnections ?? 0;
  if (connections)
    list.push(
      limit(
        "connections",
        name,
        [0.9, 0.9, 1].map((share) => Math.ceil(share * connections)),
        (value) => serviceChange(name, "maxConnections", "set", value),
      ),
    );
  for (const call of calls) {
    const pool = call.parameters.pool ?? 0;
    if (call.from !== name || pool === 0) continue;
    const change = (value: number) => callChange(callName(call.from, call.to), "pool", "set", value);
    list.push(
      limit(`${call.to}-pool`, name, [Math.ceil(0.8 * pool), Math.ceil(stream.between(0.8, 1) * pool), pool], change),
    );
  }
  return list;
}

/** Retries and optional calls can be switched off, reads ahead of need as well. */
function flagsOf(stream: Stream, call: CallDraft, { services }: Structure): Deployable[] {
  const name = callName(call.from, call.to);
  const list: Deployable[] = [];
  if ((call.parameters.retries ?? 0) > 0 && call.kind === "call")
    list.push(flag(`${call.from}-${call.to}-retries`, call.from, "on", [callChange(name, "retries", "set", 0)]));
  const isSupplier = services.some((each) => each.name === call.to && each.kind === "third_party");
  if (isSupplier && call.parameters.critical === 0)
    list.push(flag(`${call.from}-${call.to}`, call.from, "on", [callChange(name, "enabled", "set", 0)]));
  if (call.behind) {
    const both = [name, callName(call.from, call.behind)];
    const more = stream.pick([1.5, 2, 2.5]);
    list.push(
      flag(
        `${call.from}-shadow-reads`,
        call.from,
        "off",
        both.map((each) => callChange(each, "enabled", "times", more)),
      ),
      flag(
        `${call.from}-prefetch`,
        call.from,
        "on",
        both.map((each) => callChange(each, "enabled", "times", 0.8)),
      ),
    );
  }
  return list;
}

function jobsOf(stream: Stream, { name, kind }: ServiceDraft): Deployable[] {
  if (kind === "database") {
    const share = stream.integer(10, 25) / 100;
    return [
      job(`${name}-migration`, name, [serviceChange(name, "ownTime", "times", 1 + share)]),
      job(`${name}-backup`, name, [serviceChange(name, "cpuTime", "times", 1 + share / 2)]),
    ];
  }
  return kind === "worker" ? [job(`${name}-rerun`, name, [serviceChange(name, "cpuTime", "times", 1.1)])] : [];
}
