/**
 * What was true. Only the generator, the grader, the oracles and the debrief import this file (the layering lint says so);
 * observations are built without it.
 */
import type { Disposition } from "./dispositions";
import type { ChangeEvent, HistorySeries, ImpactReading, Severity } from "./draw";
import type { Mechanism } from "./mechanisms";

export { DISPOSITIONS, type Disposition } from "./dispositions";

/** A displayed item as the evidence predicates see it: values only, never which read was called. */
export type DisplayedFact =
  | {
      readonly kind: "history";
      readonly id: string;
      readonly minute: number;
      readonly series: HistorySeries;
      /** All series the same read displayed, this one included: facets are judged against each other. */
      readonly siblings: readonly HistorySeries[];
    }
  | {
      readonly kind: "changes";
      readonly id: string;
      readonly minute: number;
      readonly events: readonly ChangeEvent[];
      readonly from: number;
      /** The service asked about, or null for all: an empty answer about one service says nothing of another. */
      readonly service: string | null;
    }
  | { readonly kind: "impact"; readonly id: string; readonly minute: number; readonly reading: ImpactReading }
  | {
      readonly kind: "alert";
      readonly id: string;
      readonly minute: number;
      readonly alert: string;
      readonly value: number | null;
    };

export interface IncidentTruth {
  readonly id: string;
  readonly component: string;
  readonly mechanism: Mechanism;
  readonly severity: Severity;
  readonly team: string;
  /** Alerts that would not have fired without this incident. */
  readonly alerts: readonly string[];
  readonly onset: number;
  /** The minute it healed by itself; null while it goes on. */
  readonly healed: number | null;
  /** False when what can be read does not tell the mechanism. */
  readonly determined: boolean;
  /** Whether a displayed item supports the mechanism, decided by its values. */
  supports(fact: DisplayedFact): boolean;
  /** The other mechanisms a displayed item rules out, decided by its values. */
  excludes(fact: DisplayedFact): readonly Mechanism[];
  /** Reads the oracles make to show it: two routes, each enough on its own. */
  readonly routes: readonly (readonly OracleRead[])[];
  /** One plain sentence for the debrief. */
  readonly story: string;
}

export interface OracleRead {
  readonly action: "query_history" | "recent_changes" | "impact" | "inspect_alert" | "service_graph";
  readonly args: Readonly<Record<string, unknown>>;
}

export interface AlertsTruth {
  /** Name of the family that drew the episode, for tables over seeds; a file's episodes have none. */
  readonly family?: string;
  readonly incidents: readonly IncidentTruth[];
  /** Alerts of no incident. */
  readonly noise: readonly string[];
  /** What each noise alert came from, for the debrief: alert id → one sentence. */
  readonly noiseStories: Readonly<Record<string, string>>;
  readonly disposition: Disposition;
  /** Other closings that are as true. */
  readonly alsoTrue: readonly Disposition[];
  /** Canary of a test build; stands in every truth text. */
  readonly canary: string;
}

/** A box that shows nothing when it is printed, spread or turned into JSON; only `open` gives the truth out. */
export class Sealed {
  readonly #truth: AlertsTruth | null;
  /** Null for what is played again from a recording that holds no truth yet. */
  constructor(truth: AlertsTruth | null) {
    this.#truth = truth;
  }
  /** @throws Error when there is none. */
  static open(box: Sealed): AlertsTruth {
    if (!box.#truth) throw new Error("What was true is not in an unfinished recording; finish the run first.");
    return box.#truth;
  }
  toJSON(): string {
    return "sealed";
  }
}
