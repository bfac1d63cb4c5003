/**
 * What a fault family is: where it can strike, which parameters it changes, which changes people made about it, and by which
 * measured values it shows. One family a file.
 */
import type { Stream } from "../../../core/rng";
import type { Effect, Facet, Profile, Quantity, ServiceKind, ServiceSpec } from "../dependency-model/system";
import type { ChangeEvent, HistorySeries } from "../draw";
import type { Mechanism } from "../mechanisms";

/** One fault as it was drawn. Minutes count from the page. */
export interface Strike {
  readonly place: ServiceSpec;
  readonly onset: number;
  /** When it heals by itself; null when it goes on. */
  readonly healed: number | null;
  /** 0 (just felt) … 1 (severe). */
  readonly size: number;
  readonly zones: readonly string[];
  /** Calm p95 of the place, ms. */
  readonly calmLatency: number;
  /** The worker that consumes the place, where the place is a queue. */
  readonly consumer: string | null;
  readonly stream: Stream;
}

/** A facet that a service is measured by from a minute on. */
export interface ShownFacet {
  readonly service: string;
  readonly facet: Facet;
  readonly since: number;
}

export interface Fault {
  readonly effects: readonly Effect[];
  readonly changes: readonly ChangeEvent[];
  readonly facets: readonly ShownFacet[];
  /** What happened, for the debrief: a plain sentence without the time. */
  readonly story: string;
}

/** `unclear`: the displayed points do not decide. */
export type Verdict = "present" | "absent" | "unclear";

/** What a tell looks at: displayed values only. */
export interface Shown {
  readonly series: HistorySeries;
  readonly siblings: readonly HistorySeries[];
  /** Points before `from` or after `to` belong to the time without the fault. */
  readonly from: number;
  readonly to: number;
  /** The quiet value of the metric at that service. */
  readonly calm: number;
}

/** A metric that shows, or rules out, a mechanism at a service. */
export interface Tell {
  readonly quantity: Quantity;
  judge(shown: Shown): Verdict;
}

export interface Family {
  readonly mechanism: Mechanism;
  /** Kinds of service it can strike. */
  readonly kinds: readonly ServiceKind[];
  /** Mechanisms that look alike when the page comes. */
  readonly confusers: readonly Mechanism[];
  /** Two independent ways to see it at the component. */
  readonly tells: readonly [Tell, Tell];
  /** A change event whose absence rules it out, e.g. no deploy. */
  readonly needsChange?: readonly string[];
  /** Whether it can end without anybody's doing. */
  readonly heals: boolean;
  /** Extra condition on the place beyond its kind. */
  readonly fits?: (place: ServiceSpec, has: (relation: "pool" | "consumer" | "callers") => boolean) => boolean;
  /** Range of minutes before the page in which it may begin, when not 3–25. */
  readonly lead?: readonly [number, number];
  strike(strike: Strike): Fault;
}

/** A change that comes up over `ramp` minutes, holds, and ends within a minute of `healed`. */
export function held(strike: Pick<Strike, "onset" | "healed">, ramp: number, amount: number): Profile {
  const { onset, healed } = strike;
  const up: [number, number][] = [
    [onset, 0],
    [onset + Math.max(ramp, 0.25), amount],
  ];
  if (healed === null) return up;
  return [...up, [Math.max(healed, onset + ramp + 0.25), amount], [Math.max(healed, onset + ramp + 0.25) + 1, 0]];
}

/** `low` at size 0, `high` at size 1. */
export function bySize(size: number, low: number, high: number): number {
  return low + (high - low) * size;
}

/** A version number such as 4.12.3 and its successor. */
export function versions(stream: Stream): readonly [string, string] {
  const major = stream.integer(1, 9);
  const minor = stream.integer(0, 30);
  const patch = stream.integer(0, 9);
  return [
    `${major}.${minor}.${patch}`,
    stream.chance(0.6) ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`,
  ];
}

/** A configuration revision such as r412 and its successor. */
export function revisions(stream: Stream): readonly [string, string] {
  const first = stream.integer(100, 980);
  return [`r${first}`, `r${first + stream.integer(1, 3)}`];
}
