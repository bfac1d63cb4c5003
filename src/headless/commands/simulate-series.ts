/** What a run did, as series: one value a tick for customers and for each service, from the record, without measuring noise. */
import { round } from "../../core/math";
import type { NodeColumn } from "../../engine/record";
import type { Run } from "../../engine/run";
import type { ServiceKind } from "../../engine/spec";
import { LatencyMixture } from "../../engine/telemetry/percentiles";

export interface CustomerPoint {
  /** Share of users' requests that failed, 0..1. */
  readonly errorRate: number;
  /** Seconds; null where nobody asked. */
  readonly p99: number | null;
}

/** By name; a value a tick. */
export type Series = Readonly<Record<string, readonly (number | null)[]>>;

export function customerSeries(run: Run): CustomerPoint[] {
  const mixture = new LatencyMixture();
  return ticks(run, (tick) => {
    let [offered, failed] = [0, 0];
    mixture.clear();
    for (const { index } of run.plan.entries) {
      const asked = run.user("offered", index, tick);
      const lost = run.user("failed", index, tick);
      offered += asked;
      failed += lost;
      mixture.add(asked - lost, run.user("latencyMean", index, tick), run.user("latencySd", index, tick));
    }
    return { errorRate: share(failed, offered), p99: rounded(mixture.quantile("p99")) };
  });
}

export function serviceSeries(run: Run): Record<string, Series> {
  return Object.fromEntries(
    run.plan.services.map(({ name, kind }) => {
      const nodes = run.plan.nodes.filter((node) => node.service.name === name).map((node) => node.index);
      return [name, seriesOf(new Place(run, nodes), kind)];
    }),
  );
}

function seriesOf(place: Place, kind: ServiceKind): Series {
  const common = {
    requestRate: place.sum("arrivals"),
    errorRate: place.errorRate(),
    p99: place.p99(),
    cpu: place.mean("cpu"),
    throttled: place.mean("throttled"),
    memory: place.most("memory"),
    inFlight: place.sum("inFlight"),
    replicas: place.sum("ready"),
    restarts: place.sum("restarts"),
  };
  switch (kind) {
    case "queue":
      return {
        ...common,
        ...{ depth: place.sum("level"), poison: place.sum("poison"), deadLetters: place.sum("deadLetters") },
        ...{ redelivered: place.sum("redelivered"), delay: place.most("delay"), disk: place.most("disk") },
      };
    case "cache":
      return { ...common, hitRatio: place.mean("level") };
    case "database":
      return {
        ...common,
        ...{ connections: place.sum("level"), idleSessions: place.sum("poison"), disk: place.most("disk") },
      };
    default:
      return common;
  }
}

/** The nodes of a service: sums and extremes over them, means weighted by their requests. */
class Place {
  constructor(
    private readonly run: Run,
    private readonly nodes: readonly number[],
  ) {}

  sum(column: NodeColumn): (number | null)[] {
    return ticks(this.run, (tick) => rounded(this.total(column, tick)));
  }

  most(column: NodeColumn): (number | null)[] {
    return ticks(this.run, (tick) => rounded(Math.max(...this.nodes.map((node) => this.run.node(column, node, tick)))));
  }

  mean(column: NodeColumn): (number | null)[] {
    return ticks(this.run, (tick) => {
      let [sum, weights] = [0, 0];
      for (const node of this.nodes) {
        const weight = this.run.node("arrivals", node, tick);
        sum += weight * this.run.node(column, node, tick);
        weights += weight;
      }
      return share(sum, weights);
    });
  }

  errorRate(): (number | null)[] {
    return ticks(this.run, (tick) => {
      const bad = this.total("failed", tick) + this.total("rejected", tick) + this.total("dropped", tick);
      return share(bad, this.total("served", tick) + bad);
    });
  }

  p99(): (number | null)[] {
    const mixture = new LatencyMixture();
    return ticks(this.run, (tick) => {
      mixture.clear();
      for (const node of this.nodes) {
        const answered = this.run.node("served", node, tick) + this.run.node("failed", node, tick);
        mixture.add(answered, this.run.node("latencyMean", node, tick), this.run.node("latencySd", node, tick));
      }
      return rounded(mixture.quantile("p99"));
    });
  }

  private total(column: NodeColumn, tick: number): number {
    let sum = 0;
    for (const node of this.nodes) sum += this.run.node(column, node, tick);
    return sum;
  }
}

function ticks<T>(run: Run, of: (tick: number) => T): T[] {
  return Array.from({ length: run.tick }, (_, tick) => of(tick));
}

function share(part: number, whole: number): number {
  return whole > 0 ? round(part / whole, 6) : 0;
}

function rounded(value: number | null): number | null {
  return value === null ? null : round(value, 6);
}
