/** Changes to the truth a person writes for imported alerts. Pure: every function gives a new draft. */
import type { TruthDraft } from "../../src/panel-protocol";

type Incident = TruthDraft["incidents"][number];
export type IncidentField = Exclude<keyof Incident, "alerts">;

const EMPTY: Incident = { component: "", mechanism: "", severity: "", team: "", alerts: [] };

export function withIncident(draft: TruthDraft): TruthDraft {
  return { ...draft, incidents: [...draft.incidents, EMPTY] };
}

export function withoutIncident(draft: TruthDraft, at: number): TruthDraft {
  return { ...draft, incidents: draft.incidents.filter((_, i) => i !== at) };
}

export function withField(draft: TruthDraft, at: number, field: IncidentField, value: string): TruthDraft {
  return { ...draft, incidents: draft.incidents.map((one, i) => (i === at ? { ...one, [field]: value } : one)) };
}

/** Puts alerts into one incident, or into none where `at` is null; an alert belongs to one at most. */
export function assigned(draft: TruthDraft, ids: readonly string[], at: number | null): TruthDraft {
  const moved = new Set(ids);
  return {
    ...draft,
    incidents: draft.incidents.map((one, i) => {
      const kept = one.alerts.filter((id) => !moved.has(id));
      return i === at
        ? { ...one, alerts: [...kept, ...ids] }
        : kept.length === one.alerts.length
          ? one
          : { ...one, alerts: kept };
    }),
  };
}

/** Which incident each alert is in. */
export function memberships(draft: TruthDraft): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  draft.incidents.forEach((one, i) => {
    for (const id of one.alerts) found.set(id, i);
  });
  return found;
}

/** `A` for the first incident. */
export function letter(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : String(at + 1);
}

const PLACES: Readonly<Record<string, string>> = {
  title: "Title",
  brief: "Brief",
  disposition: "Right decision",
  incidents: "Incidents",
  component: "component",
  mechanism: "mechanism",
  severity: "severity",
  team: "team",
  alerts: "alerts",
};

/** Where a problem is, as the form names it: `/incidents/0/alerts/3` → `Incident A, alerts`. */
export function placeText(pointer: string): string {
  const [first = "", incident = "", field = ""] = pointer.split("/").slice(1);
  if (first !== "incidents" || !/^\d+$/.test(incident)) return PLACES[first] ?? "Alerts";
  return `Incident ${letter(Number(incident))}${PLACES[field] ? `, ${PLACES[field]}` : ""}`;
}
