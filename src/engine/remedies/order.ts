/** What every verb makes of its arguments: things that will happen, until when, what to say, and what would undo it. */
import type { EventOrigin, Happening, SystemEvent } from "../events";
import type { Remedy } from "./verbs";

export interface Order {
  readonly events: readonly SystemEvent[];
  /** The tick at which the last of its effects has held for a tick, so that it has been measured. */
  readonly until: number;
  /** What was done, in the numbers of the run; sentences. */
  readonly text: string;
  /** The order that takes it back; null where nothing does. */
  readonly undo: Remedy | null;
}

/** Something as an event, by default one that a responder ordered. */
export function happensAt(tick: number, happening: Happening, origin: EventOrigin = "action"): SystemEvent {
  return { ...happening, tick, origin };
}
