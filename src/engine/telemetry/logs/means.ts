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
  /** By tick; of each service and severity the lines of that severity or worse. */
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
    const means = this.known.get(tick) ?? this.workOut(tick);
    let sum = 0;
    for (const s of services) sum += means[s * SEVERITIES.length + severity] as number;
    return sum;
  }

  private workOut(tick: number): Float32Array {
    const { layout, expected } = this;
    const settings = this.settings.at(tick);
    const levels = SEVERITIES.length;
    const means = new Float32Array(layout.plan.services.length * levels);
    for (let s = 0; s < layout.plan.services.length; s++) {
      expectedLines(layout, this.run, settings, s, tick, expected);
      for (let c = layout.start[s] as number; c < (layout.start[s + 1] as number); c++)
        for (let level = layout.severity[c] as number; level >= 0; level--) {
          const at = s * levels + level;
          means[at] = (means[at] as number) + (expected[c] as number);
        }
    }
    this.known.set(tick, means);
    return means;
  }
}
