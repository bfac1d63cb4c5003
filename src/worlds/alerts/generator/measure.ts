/** Reads of a drawn run that are not plain metrics: customer impact, and the facets a service is measured by. */
import { clamp, round } from "../../../core/math";
import { type Noise, seriesKey } from "../../../core/rng";
import {
  type CausalSystem,
  type Facet,
  type Quantity,
  type Run,
  type ServiceSpec,
  TICKS_PER_MINUTE,
} from "../dependency-model/system";
import type { ImpactReading } from "../draw";
import type { ShownFacet } from "../families/family";
import { zoneFacet } from "../rules";
import { objectiveOf } from "../severity";

/** Minutes the worst share is taken over. */
export const IMPACT_WINDOW = 30;
const SPREAD = 0.02;

/** The customers' failing share of each minute, measured with a little noise, 0..1. */
export class ImpactMeter {
  private readonly known = new Map<string, Float64Array>();

  constructor(
    private readonly run: Run,
    private readonly noise: Noise,
  ) {}

  reading(service: ServiceSpec, minute: number): ImpactReading {
    const shares = this.shares(service.name);
    const objective = objectiveOf(service);
    const last = Math.floor(clamp(minute - this.run.fromMinute, 0, shares.length - 1));
    let worst = 0;
    for (let i = Math.max(0, last - IMPACT_WINDOW); i <= last; i++) worst = Math.max(worst, shares[i] as number);
    let first = last + 1;
    while (first > 0 && (shares[first - 1] as number) > objective) first--;
    return {
      service: service.name,
      customerFacing: service.customerFacing,
      revenue: service.revenue,
      failing: round(shares[last] as number, 4),
      worst: round(worst, 4),
      since: first > last ? null : this.run.fromMinute + first,
    };
  }

  private shares(service: string): Float64Array {
    let shares = this.known.get(service);
    if (shares === undefined) {
      shares = this.measure(service);
      this.known.set(service, shares);
    }
    return shares;
  }

  private measure(service: string): Float64Array {
    const column = this.run.column(service, "failing");
    const minutes = this.run.toMinute - this.run.fromMinute + 1;
    const shares = new Float64Array(minutes);
    if (column === undefined) return shares;
    const key = seriesKey(`${service}/failing`);
    for (let i = 0; i < minutes; i++) {
      let total = 0;
      let ticks = 0;
      for (let tick = Math.max(0, (i - 1) * TICKS_PER_MINUTE + 1); tick <= i * TICKS_PER_MINUTE; tick++, ticks++)
        total += column[tick] as number;
      shares[i] = clamp((total / Math.max(ticks, 1)) * (1 + SPREAD * this.noise.normal(key, i)));
    }
    return shares;
  }
}

/** The facets by which a service is measured: versions and configurations while two of them run, then its zones; packets know only zones. */
export function facetsOf(
  system: CausalSystem,
  service: string,
  quantity: Quantity,
  shown: readonly ShownFacet[],
): readonly { readonly facet: Facet; readonly since: number }[] {
  const zones = system.spec.zones.map((zone) => ({ facet: zoneFacet(system, zone), since: Number.NEGATIVE_INFINITY }));
  if (quantity === "loss") return zones;
  return [...shown.filter((entry) => entry.service === service), ...zones];
}
