/** Measurements taken in turn, so that what slows the machine down for a while does so for all of them. */
import type { Measurement } from "./measurement";

export interface Figure extends Omit<Measurement, "measure" | "runs"> {
  /** One figure. */
  figure(): number;
}

/** Takes `runs` figures of each, round by round, when the first is asked for. The first round, which pays for compiling, is not counted. */
export function interleaved(runs: number, figures: readonly Figure[]): Measurement[] {
  let taken: number[][] | null = null;
  const all = () => {
    if (taken) return taken;
    taken = figures.map(() => []);
    for (let round = 0; round <= runs; round++)
      for (const [i, { figure }] of figures.entries()) {
        const value = figure();
        if (round > 0) taken[i]?.push(value);
      }
    return taken;
  };
  return figures.map(({ figure: _, ...about }, i) => {
    let next = 0;
    return { ...about, runs, measure: () => all()[i]?.[next++] as number };
  });
}

/** CPU seconds this process has used. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
