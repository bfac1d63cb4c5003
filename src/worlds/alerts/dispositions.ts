/** How an episode may be closed. Apart from the truth, because players name one as well. */
export const DISPOSITIONS = ["routed", "self_recovered", "no_fault", "escalated", "inconclusive"] as const;
export type Disposition = (typeof DISPOSITIONS)[number];
