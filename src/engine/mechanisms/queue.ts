/**
 * A queue with poison. Consumers draw good and poison messages in proportion; a message whose processing failed is delivered again,
 * up to a limit, then set aside as a dead letter. Of failures, the share that was the last allowed delivery is e^(n−1) for good messages (each
 * delivery fails with e) and 1/n for poison, which fails every time.
 */

/** Share of failed deliveries of good messages after which the message is set aside. `limit` 0 is never. */
export function lastDelivery(failure: number, limit: number): number {
  if (limit <= 0) return 0;
  let power = 1;
  for (let i = 1; i < limit && power > 1e-12; i++) power *= failure;
  return power;
}

/** The same of poison messages: all deliveries fail, so one in `limit` is the last. */
export function lastPoisonDelivery(limit: number): number {
  return limit > 0 ? 1 / limit : 0;
}

/** How much a broker slows its publishers once `depth` passes the high-water mark (flow control): time × this. */
export function flowControl(depth: number, highWater: number): number {
  return depth > highWater ? 1 + 4 * (depth / highWater - 1) : 1;
}
