/** How strong a fault must be for the severity that was drawn; found by a few short runs of the fault alone, one a piece. */
import type { Noise, Stream } from "../../../core/rng";
import type { CausalSystem } from "../dependency-model/system";
import { SEVERITIES, type Severity } from "../draw";
import type { Fault } from "../families/family";
import { nearThreshold, severityOf } from "../severity";
import { ImpactMeter } from "./measure";
import { Rejection } from "./rejection";

const MOST_TRIALS = 7;
/** The runs end here; severity must be plain by then. */
const UNTIL = 12;
const EARLIEST = -90;

/** A size in 0..1 at which the fault has the severity, well away from the thresholds. @throws Rejection when there is none. */
export function* sizeFor(
  system: CausalSystem,
  faultAt: (size: number) => Fault,
  aim: Severity,
  stream: Stream,
): Generator<void, number> {
  const weather = stream.fork("weather").noise();
  let low = 0;
  let high = 1;
  let size = stream.between(0.15, 0.6);
  for (let trial = 0; trial < MOST_TRIALS; trial++) {
    yield;
    const verdict = tried(system, faultAt(size), aim, weather);
    if (verdict === "fits") return size;
    const tooStrong = verdict === "strong";
    if (tooStrong) high = size;
    else low = size;
    if (high - low < 0.01) break;
    if (trial === 0) {
      // One look at the end of the range saves the whole search where not even that is enough.
      yield;
      if (tried(system, faultAt(tooStrong ? 0 : 1), aim, weather) === verdict) break;
    }
    size = low + (high - low) * 0.5;
  }
  throw new Rejection(`no size for ${aim}`);
}

function tried(system: CausalSystem, { effects }: Fault, aim: Severity, weather: Noise): "fits" | "strong" | "weak" {
  const starts = effects.map((effect) => effect.profile[0]?.[0] ?? 0).filter((minute) => minute > EARLIEST);
  const from = Math.max(EARLIEST, Math.floor(Math.min(0, ...starts)) - 1);
  const meter = new ImpactMeter(system.simulate(effects, from, UNTIL, weather, ["failing"]), weather);
  const readings = system.spec.services.map((service) => meter.reading(service, UNTIL));
  const found = severityOf(readings);
  if (found === aim && !nearThreshold(readings)) return "fits";
  const raised = severityOf(readings.map((reading) => ({ ...reading, worst: (reading.worst ?? 0) * 1.3 })));
  return rank(found) < rank(aim) || (found === aim && raised !== found) ? "strong" : "weak";
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}
