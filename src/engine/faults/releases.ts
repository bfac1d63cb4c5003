/**
 * New versions of what can be deployed, and their roll-out as events. A version that will do harm is made, named and rolled out by
 * the same functions as one that will not, so that nothing but its effect tells them apart.
 */
import type { Stream } from "../../core/rng";
import type { EventOrigin, SystemEvent } from "../events";
import { builtWith } from "../parameters";
import { happensAt } from "../remedies/order";
import { restartOf, wavesOf } from "../remedies/roll-out";
import type { Change, Deployable, ServiceSpec, SystemSpec } from "../spec";

/** @throws RangeError when the system has no such deployable. */
export function deployableIn(system: SystemSpec, id: string): Deployable {
  const found = system.deployables.find((each) => each.id === id);
  if (!found) throw new RangeError(`The system ${system.id} has no deployable ${id}.`);
  return found;
}

/** @throws RangeError when the system has no such service. */
export function serviceIn(system: SystemSpec, name: string): ServiceSpec {
  const found = system.services.find((each) => each.name === name);
  if (!found) throw new RangeError(`The system ${system.id} has no service ${name}.`);
  return found;
}

/** A copy of a system in which one deployable is another. */
export function withDeployable(system: SystemSpec, deployable: Deployable): SystemSpec {
  return { ...system, deployables: system.deployables.map((each) => (each.id === deployable.id ? deployable : each)) };
}

/** A copy of a system in which a version of a deployable does something else. */
export function withVersion(
  system: SystemSpec,
  deployable: Deployable,
  version: string,
  changes: readonly Change[],
): SystemSpec {
  const versions = deployable.versions.map((each) => (each.version === version ? { ...each, changes } : each));
  return withDeployable(system, { ...deployable, versions });
}

/** A copy of a system in which a service's parameters differ. */
export function withService(system: SystemSpec, name: string, parameters: ServiceSpec["parameters"]): SystemSpec {
  const services = system.services.map((each) =>
    each.name === name ? { ...each, parameters: { ...each.parameters, ...parameters } } : each,
  );
  return { ...system, services };
}

/** A copy of a system in which a call's parameters differ. */
export function withCall(
  system: SystemSpec,
  from: string,
  to: string,
  parameters: SystemSpec["calls"][number]["parameters"],
): SystemSpec {
  const calls = system.calls.map((each) =>
    each.from === from && each.to === to ? { ...each, parameters: { ...each.parameters, ...parameters } } : each,
  );
  return { ...system, calls };
}

/** Adds a version with these changes behind the last; its name follows from the last one's. */
export function withNextVersion(
  system: SystemSpec,
  id: string,
  changes: readonly Change[],
  stream: Stream,
): { readonly system: SystemSpec; readonly version: string } {
  const deployable = deployableIn(system, id);
  const last = deployable.versions[deployable.versions.length - 1]?.version ?? "1";
  const version = nextVersion(last, stream);
  const versions = [...deployable.versions, { version, changes }];
  return { system: withDeployable(system, { ...deployable, versions }), version };
}

/** "v3.19.0" → "v3.19.1" or "v3.20.0"; "c120" → "c121"; "2026111201" → "2026111202". The last number of the name grows, or the one before. */
function nextVersion(last: string, stream: Stream): string {
  const parts = last.split(/(\d+)/);
  const numbers = parts.map((part, index) => (/^\d+$/.test(part) ? index : -1)).filter((index) => index >= 0);
  const final = numbers[numbers.length - 1];
  if (final === undefined) return `${last}-2`;
  const before = numbers.length >= 3 ? numbers[numbers.length - 2] : undefined;
  const minor = before !== undefined && stream.chance(0.5);
  const grown = minor ? before : final;
  return parts
    .map((part, index) => {
      if (minor && index === final) return "0";
      if (index !== grown) return part;
      const next = String(Number(part) + 1);
      return part.startsWith("0") ? next.padStart(part.length, "0") : next;
    })
    .join("");
}

/** The roll-out of a version as events: code restarts replicas in waves, zone after zone; everything else just takes effect. */
export function rollOutOf(
  system: SystemSpec,
  id: string,
  version: string,
  tick: number,
  origin: EventOrigin,
  share = 1,
): SystemEvent[] {
  const deployable = deployableIn(system, id);
  if (deployable.kind !== "code" || share < 1)
    return [{ kind: "deployed", deployable: id, version, share, tick, origin }];
  const service = serviceIn(system, deployable.service);
  const replicas = Math.floor(builtWith(service, "replicas") + 0.5);
  const { sizes, half, ticks } = wavesOf(replicas, builtWith(service, "startSeconds"));
  const events: SystemEvent[] = [];
  let at = tick;
  for (const zone of [...service.zones].sort())
    sizes.forEach((size, wave) => {
      if (wave === half) events.push({ kind: "deployed", deployable: id, version, share, zone, tick: at, origin });
      events.push(happensAt(at, restartOf(service.name, zone, size, replicas), origin));
      at += ticks;
    });
  return events;
}
