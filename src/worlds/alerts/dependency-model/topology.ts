/** The service graph as the simulation walks it: sorted by name, so that the order of declaration cannot matter. */
import type { EdgeSpec, SystemSpec } from "./system";

/** A service graph that cannot be simulated; the message names the place and the fix. */
export class TopologyError extends Error {
  override readonly name = "TopologyError";
}

/** Services with callers before what they call (ties by name). @throws TopologyError on unknown names, doubles or cycles. */
export function callOrder(spec: SystemSpec): readonly string[] {
  const names = spec.services.map((service) => service.name).sort();
  const known = new Set(names);
  if (known.size !== names.length) throw new TopologyError("Two services have the same name; rename one.");
  const waiting = new Map<string, number>(names.map((name) => [name, 0]));
  for (const edge of spec.edges) {
    for (const end of [edge.from, edge.to, edge.behind ?? edge.to]) {
      if (!known.has(end))
        throw new TopologyError(`An edge names "${end}", which is not a service; add it or fix the name.`);
    }
    if (orders(edge)) waiting.set(edge.to, (waiting.get(edge.to) ?? 0) + 1);
  }
  const order: string[] = [];
  const ready = names.filter((name) => waiting.get(name) === 0);
  while (ready.length > 0) {
    const next = ready.shift() as string;
    order.push(next);
    for (const edge of spec.edges) {
      if (edge.from !== next || !orders(edge)) continue;
      const left = (waiting.get(edge.to) ?? 0) - 1;
      waiting.set(edge.to, left);
      if (left === 0) insertSorted(ready, edge.to);
    }
  }
  if (order.length < names.length) {
    const stuck = names.filter((name) => !order.includes(name));
    throw new TopologyError(`The services ${stuck.join(", ")} call each other in a circle; remove one of the calls.`);
  }
  return order;
}

/** What a service depends on, sorted by name, each once. */
export function dependenciesOf(spec: SystemSpec, service: string): readonly string[] {
  return [...new Set(spec.edges.filter((edge) => edge.from === service).map((edge) => edge.to))].sort();
}

/** What depends on a service, sorted by name, each once. */
export function callersOf(spec: SystemSpec, service: string): readonly string[] {
  return [...new Set(spec.edges.filter((edge) => edge.to === service).map((edge) => edge.from))].sort();
}

/** Waiting for queued work looks at the last tick, so it does not order the graph. */
function orders(edge: EdgeSpec): boolean {
  return edge.kind !== "await";
}

function insertSorted(list: string[], name: string): void {
  let place = 0;
  while (place < list.length && (list[place] as string) < name) place++;
  list.splice(place, 0, name);
}
