/**
 * How many lines a tick is expected to have, by service and severity: what the number of older lines is estimated from. Rows of the
 * record never change, so a tick is worked out once.
 */
import type { Run } from "../../run";
import { expectedLines } from "./expected";
import { SEVERITIES } from "./grammar/kind";
import type { Layout } from "./layout";
import type { SettingsByTick } from "./settings";

export class TickMeans {
  /** By tick and service (tick × services + service): of each severity the lines of that severity or worse. */
  private readonly known = new Map<number, Float32Array>();
  private readonly expected: Float64Array;

  constructor(
    private readonly layout: Layout,
    private readonly run: Run,
    private readonly settings: SettingsByTick,
  ) {
    this.expected = new Float64Array(layout.cells.length);
  }

  of(tick: number, services: readonly number[], severity: number): number {
    let sum = 0;
    for (const s of services) {
      const means = this.known.get(tick * this.layout.plan.services.length + s) ?? this.workOut(tick, s);
      sum += means[severity] as number;
    }
    return sum;
  }

  private workOut(tick: number, s: number): Float32Array {
    const { layout, expected } = this;
    const means = new Float32Array(SEVERITIES.length);
    expectedLines(layout, this.run, this.settings.at(tick), s, tick, expected);
    const end = layout.start[s + 1] as number;
    for (let c = layout.start[s] as number; c < end; c++) {
      const lines = expected[c] as number;
      if (lines === 0) continue;
      for (let level = layout.severity[c] as number; level >= 0; level--)
        means[level] = (means[level] as number) + lines;
    }
    this.known.set(tick * layout.plan.services.length + s, means);
    return means;
  }
}
