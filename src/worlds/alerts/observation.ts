/** What a player of the alerts world may know. Types only; `world.ts` builds it, `render.ts` turns it into text. */
import type { Observation } from "../../core/world";
import type { ChangeEvent, HistorySeries, ImpactReading, Severity } from "./draw";
import type { Mechanism } from "./mechanisms";

/** `pending` never shows. `flapping`: at least three firings in the last 30 minutes. */
export type AlertState = "firing" | "resolved" | "flapping";
export type Handling = "none" | "acknowledged" | "snoozed" | "silenced" | "maintenance";

/** One alert as the queue lists it. What has not been read is null: the panel says "not looked at". */
export interface AlertRow {
  readonly id: string;
  readonly name: string;
  readonly service: string;
  /** Minute of the (latest) firing, counted from the page; negative before it. */
  readonly since: number;
  readonly state: AlertState;
  readonly handling: Handling;
  /** Group it was put into by the player, e.g. `g1`. */
  readonly group: string | null;
  /** From `inspect_alert`, as of the minute of reading. */
  readonly known: KnownAlert | null;
}

export interface KnownAlert {
  /** Id of the read that gave it. */
  readonly item: string;
  readonly readAt: number;
  /** The rule's severity label; not the truth about impact. */
  readonly severity: string;
  readonly metric: string;
  readonly comparison: ">" | "<";
  readonly value: number | null;
  readonly threshold: number | null;
  readonly unit: string;
  readonly forMinutes: number | null;
  readonly keepFiringMinutes: number | null;
  readonly labels: readonly (readonly [string, string])[];
  readonly annotations: readonly (readonly [string, string])[];
  readonly fingerprint: string;
  /** Owner as labels or catalogue say; null when unknown. */
  readonly team: string | null;
  readonly firings: number;
}

/** Something a read displayed; its id may be cited. */
export type EvidenceItem =
  | {
      readonly id: string;
      readonly kind: "alert";
      readonly minute: number;
      readonly alert: string;
      readonly value: number | null;
    }
  | {
      readonly id: string;
      readonly kind: "history";
      readonly minute: number;
      readonly service: string;
      readonly metric: string;
      readonly series: readonly HistorySeries[];
      /** What was cut, or null. */
      readonly cut: string | null;
    }
  | {
      readonly id: string;
      readonly kind: "graph";
      readonly minute: number;
      readonly service: string | null;
      readonly services: readonly GraphService[];
      readonly cut: string | null;
    }
  | {
      readonly id: string;
      readonly kind: "changes";
      readonly minute: number;
      readonly service: string | null;
      /** First minute asked for. */
      readonly from: number;
      readonly events: readonly ChangeEvent[];
      readonly cut: string | null;
    }
  | { readonly id: string; readonly kind: "impact"; readonly minute: number; readonly reading: ImpactReading };

export interface GraphService {
  readonly name: string;
  readonly kind: string;
  readonly team: string | null;
  readonly dependsOn: readonly string[];
  readonly usedBy: readonly string[];
  readonly customerFacing: boolean;
  readonly revenue: boolean;
  readonly metrics: readonly string[];
}

export interface Silence {
  readonly id: string;
  readonly kind: "silence" | "snooze" | "maintenance";
  readonly matchers: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly reason: string;
  readonly hits: number;
}

/** An incident as the player has put it together. */
export interface AlertGroup {
  readonly id: string;
  readonly alerts: readonly string[];
  readonly route: { readonly severity: Severity; readonly team: string; readonly minute: number } | null;
  readonly cause: {
    readonly component: string;
    readonly mechanism: Mechanism;
    readonly summary: string;
    readonly confidence: number;
    readonly evidence: readonly string[];
    readonly minute: number;
  } | null;
  readonly escalated: boolean;
}

/** The published tasks show everything at once and take a whole triage a step. */
export interface PublishedView {
  readonly taskId: string;
  readonly servicesMap: Readonly<Record<string, string>>;
  readonly alerts: readonly {
    readonly alert_id: string;
    readonly service: string;
    readonly metric: string;
    readonly value: number;
    readonly threshold: number;
    readonly duration_s: number;
  }[];
  /** The last triage given, which counts. */
  readonly triage: {
    readonly severity: Severity;
    readonly team: string;
    readonly root_cause: string;
    readonly suppressed: readonly string[];
  } | null;
}

export interface AlertsObservation extends Observation {
  readonly world: "alerts";
  /** Alerts that have fired so far, oldest id first. */
  readonly alerts: readonly AlertRow[];
  readonly counts: {
    readonly firing: number;
    readonly flapping: number;
    readonly resolved: number;
    readonly quieted: number;
  };
  readonly groups: readonly AlertGroup[];
  readonly silences: readonly Silence[];
  /** Everything read so far, oldest first. */
  readonly items: readonly EvidenceItem[];
  /** How severity is judged, in words with numbers: the same for every episode. */
  readonly severityPolicy: readonly string[];
  readonly teams: readonly string[];
  readonly published: PublishedView | null;
}
