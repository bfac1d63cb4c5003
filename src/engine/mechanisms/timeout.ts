/**
 * Time-outs. The sojourn of a request is a deterministic wait W (the queue ahead of it, in the fluid limit) and a random rest with
 * mean R − W whose tail is taken as exponential; e^−x is (1 + x/256)^−256 (`decay`).
 */
import { decay } from "../../core/math";

/** e^−28 is below 1e-12: nobody. */
const NEVER = 28;

/** Share of requests whose sojourn exceeds `limit` seconds, 0..1. A limit of 0 lets nothing through. */
export function shareLaterThan(limit: number, sojourn: number, wait: number): number {
  if (limit <= wait) return 1;
  const rest = sojourn - wait;
  if (rest <= 1e-9) return 0;
  const x = (limit - wait) / rest;
  return x > NEVER ? 0 : decay(x);
}

/** Mean of min(sojourn, limit), s: how long a caller is really kept. `late` is `shareLaterThan` of the same. */
export function timeUpTo(limit: number, sojourn: number, wait: number, late: number): number {
  if (limit <= wait) return limit;
  return wait + (sojourn - wait) * (1 - late);
}
