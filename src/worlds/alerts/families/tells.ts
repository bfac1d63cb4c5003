/** Predicates over displayed values. A verdict needs at least `LEAST_POINTS` measured points within the fault's time. */
import { quantile } from "../../../core/math";
import type { Quantity } from "../dependency-model/system";
import type { HistorySeries } from "../draw";
import type { Shown, Tell, Verdict } from "./family";

const LEAST_POINTS = 3;
/** Only the latest points count, as faults grow. */
const LATEST = 10;

/** Present where the metric stays above `present` × calm + `presentPlus`; absent where it never passes `absent` × calm + `absentPlus`. */
export function rises(
  quantity: Quantity,
  bounds: { present: readonly [number, number]; absent: readonly [number, number] },
): Tell {
  return {
    quantity,
    judge(shown) {
      if (shown.series.facet !== "") return facetRise(shown, bounds.present);
      const values = within(shown.series, shown);
      if (values.length < LEAST_POINTS) return "unclear";
      const [factor, plus] = bounds.present;
      if (quantile(values, 0.5) > factor * shown.calm + plus) return "present";
      const [least, more] = bounds.absent;
      return quantile(values, 0.95) < least * shown.calm + more ? "absent" : "unclear";
    },
  };
}

/** A part of a service may show what the whole hides; a part that is well proves nothing about the rest. */
function facetRise(shown: Shown, [factor, plus]: readonly [number, number]): Verdict {
  const values = within(shown.series, shown);
  return values.length >= LEAST_POINTS && quantile(values, 0.5) > factor * shown.calm + plus ? "present" : "unclear";
}

/** As `rises`, for a metric that falls. */
export function falls(
  quantity: Quantity,
  bounds: { present: readonly [number, number]; absent: readonly [number, number] },
): Tell {
  return {
    quantity,
    judge(shown) {
      const values = within(shown.series, shown);
      if (shown.series.facet !== "" || values.length < LEAST_POINTS) return "unclear";
      const [factor, plus] = bounds.present;
      if (quantile(values, 0.5) < factor * shown.calm + plus) return "present";
      const [least, more] = bounds.absent;
      return quantile(values, 0.05) > least * shown.calm + more ? "absent" : "unclear";
    },
  };
}

/** Present where the highest values pass a level (growth that ends in a kill); absent where none comes near. */
export function peaks(quantity: Quantity, present: number, absent: number): Tell {
  return {
    quantity,
    judge(shown) {
      const values = within(shown.series, shown, 40);
      if (shown.series.facet !== "" || values.length < LEAST_POINTS) return "unclear";
      if (quantile(values, 0.95) > present) return "present";
      return quantile(values, 1) < absent ? "absent" : "unclear";
    },
  };
}

/** Present where a counter went up by at least one within the time; a counter that stands still proves nothing yet. */
export function counts(quantity: Quantity): Tell {
  return {
    quantity,
    judge(shown) {
      const values = within(shown.series, shown, 60);
      if (shown.series.facet !== "" || values.length < LEAST_POINTS) return "unclear";
      return quantile(values, 1) - quantile(values, 0) >= 1 ? "present" : "unclear";
    },
  };
}

/** Present where one value of a facet (`version`, `config`) is far worse than another; absent where there is one value or all are alike. */
export function splits(quantity: Quantity, key: string, factor: number, plus: number): Tell {
  return {
    quantity,
    judge(shown) {
      const whole = shown.siblings.find((series) => series.facet === "");
      if (whole === undefined || within(whole, shown).length < LEAST_POINTS) return "unclear";
      const parts = shown.siblings.filter((series) => series.facet.startsWith(`${key}=`));
      if (parts.length < 2) return "absent";
      const middles = parts
        .map((series) => within(series, shown))
        .map((values) => (values.length < LEAST_POINTS ? null : quantile(values, 0.5)));
      if (middles.includes(null)) return "unclear";
      const levels = middles as number[];
      const worst = Math.max(...levels);
      const best = Math.min(...levels);
      if (worst > factor * best + plus) return "present";
      return worst < (1 + 0.35 * (factor - 1)) * best + 0.35 * plus ? "absent" : "unclear";
    },
  };
}

/** The latest measured values within the fault's time, leaving out its first minute. */
function within(series: HistorySeries, shown: Pick<Shown, "from" | "to">, latest = LATEST): number[] {
  const values: number[] = [];
  for (const [i, minute] of series.minutes.entries()) {
    const value = series.values[i];
    if (minute > shown.from + 1 && minute <= shown.to && value !== null && value !== undefined) values.push(value);
  }
  return values.slice(Math.max(0, values.length - latest));
}
