/** Every number of the strict grade of this world, in one table. Shares are 0..1, times are simulated minutes. */
export const SCALE = {
  /** G = min(caps, O · (floor + (1 − floor) · P)). */
  processFloor: 0.6,
  /** Shares of the process; divided by the sum of those an episode has. */
  process: { evidence: 0.3, diagnosis: 0.25, verification: 0.2, communication: 0.15, efficiency: 0.1 },
  /** Of the cause. */
  cause: { component: 0.5, mechanism: 0.5 },
  /** Severity right, one level off, further off. */
  severity: { right: 1, oneOff: 0.5, wrong: 0 },
  /** Evidence before the claim: what supports it, what excludes another cause, and how much of what was cited tells. */
  evidence: { supports: 0.4, excludes: 0.3, cited: 0.3 },
  /** The same where nothing can tell: kinds of sources looked at, and whether what is missing was among them. */
  openEvidence: { sources: 0.5, gap: 0.5 },
  diagnosis: { answer: 0.8, confidence: 0.2 },
  /** Kinds of sources (alert, history, changes, impact) to look at before "nothing was wrong" or "cannot tell" counts. */
  sources: 2,
  /** A player's group stands for an incident when at least this share of it belongs there. */
  overlap: 0.5,
  /** Steps beside the evidence reads that an incident takes: group, declare, route, look again. */
  stepsPerIncident: 4,
  /** Steps once an episode: acknowledge, mute the noise, close. */
  stepsOnce: 3,
  /** Efficiency and communication are whole up to `full` times par and nothing at `none` times par. */
  par: { full: 1.25, none: 3 },
  caps: {
    catastrophe: 0.15,
    falseClaim: 0.3,
    falseClaimNothingDone: 0.05,
    wrongDecision: 0.3,
    unresolved: 0.35,
    noEvidence: 0.5,
  },
} as const;
