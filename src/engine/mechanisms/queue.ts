/**
 * A queue with poison. Consumers draw good and poison messages in proportion; a message whose processing failed is delivered again,
 * up to a limit, then set aside as a dead letter.
 */

/**
 * Share of failed deliveries of good messages after which the message is set aside. Failing with chance e, first, second, … n-th
 * failures occur as e : e² : … : eⁿ, and the n-th is the last: eⁿ ÷ (e + … + eⁿ). `limit` 0 is never.
 */
export function lastDelivery(failure: number, limit: number): number {
  if (limit <= 0) return 0;
  let power = 1;
  let sum = 1;
  for (let i = 1; i < limit && power > 1e-12; i++) {
    power *= failure;
    sum += power;
  }
  return power / sum;
}

/** The same of poison messages: all deliveries fail, so one in `limit` is the last. */
export function lastPoisonDelivery(limit: number): number {
  if (limit <= 0) return 0;
  return limit > 1 ? 1 / limit : 1;
}

/**
 * How much a broker slows its publishers once `depth` passes the high-water mark (flow control): time × this. The slope is a choice: at twice
 * the mark publishing takes five times as long.
 */
export function flowControl(depth: number, highWater: number): number {
  return depth > highWater ? 1 + FLOW_CONTROL_SLOPE * (depth / highWater - 1) : 1;
}

const FLOW_CONTROL_SLOPE = 4;
