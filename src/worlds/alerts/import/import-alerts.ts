/** From the text of a payload to alerts with their firings. */
import { durationText } from "../../../core/clock";
import {
  type AlertSet,
  compareText,
  fingerprintOf,
  type ImportedAlert,
  MAX_ANNOTATION,
  nameOf,
  serviceOf,
  servicesOf,
} from "./alert-set";
import { parseJson } from "./json-text";
import { type Reading, readPayloads, type Sighting } from "./payload";

/**
 * Reads an Alertmanager webhook or a Prometheus answer.
 * Mentions with equal labels are one alert; its firings over all payloads are kept as spans. Durations count to the newest
 * time in the file. Missing labels, value and threshold stay missing.
 * @throws ScenarioError naming the place (line and column, or a JSON pointer) and the fix.
 */
export function importAlerts(text: string): AlertSet {
  const reading = readPayloads(parseJson(text, "alerts file"));
  const pageAt = newestTime(reading.sightings);
  const notes = new Notes();
  const alerts = [...byLabels(reading.sightings).values()].map((same) => merge(same, pageAt, notes));
  alerts.sort(
    (a, b) => firstFiring(a) - firstFiring(b) || compareText(a.fingerprint, b.fingerprint) || compareLabels(a, b),
  );
  const width = Math.max(2, String(alerts.length).length);
  const numbered = alerts.map((alert, index) => ({ ...alert, id: `a${String(index + 1).padStart(width, "0")}` }));
  return {
    source: {
      kind: reading.kind,
      payloads: reading.payloads,
      groups: reading.groupKeys.size,
      truncatedAlerts: reading.truncatedAlerts,
      pageAt,
      notes: notes.sentences(reading, numbered),
    },
    alerts: numbered,
    services: servicesOf(numbered),
  };
}

/** How long an alert has fired at the page, in words; for lists. */
export function firingText(alert: ImportedAlert, pageAt: number): string {
  const last = alert.spans[alert.spans.length - 1];
  if (!last) return "never fired";
  const minutes = ((last.to ?? pageAt) - last.from) / 60_000;
  return last.to === null ? `firing for ${durationText(minutes)}` : `fired for ${durationText(minutes)}`;
}

/** Things decided for the author, counted while alerts are merged. */
class Notes {
  unknownEnds = 0;
  lostEnds = 0;

  sentences(reading: Reading, alerts: readonly ImportedAlert[]): string[] {
    const pending = alerts.filter((alert) => alert.state === "pending").length;
    const nameless = alerts.filter((alert) => alert.labels.every(([name]) => name !== "alertname")).length;
    return [
      [reading.truncatedAlerts, "left out by the sender (truncatedAlerts), so the queue is smaller than the storm was"],
      [pending, "only pending: the rule has not fired, so they are not in the queue"],
      [nameless, "without an alertname label"],
      [this.unknownEnds, "reported as resolved without a usable end; the newest time of the file stands for it"],
      [this.lostEnds, "fired again before an end was reported; the new start stands for it"],
    ]
      .filter(([count]) => count !== 0)
      .map(([count, what]) => `${count} ${count === 1 ? "alert" : "alerts"}: ${what}.`)
      .concat(reading.cuts > 0 ? [`Annotations cut to ${MAX_ANNOTATION} characters: ${reading.cuts}.`] : []);
  }
}

function byLabels(sightings: readonly Sighting[]): ReadonlyMap<string, readonly Sighting[]> {
  const groups = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    const key = JSON.stringify(sighting.labels);
    const group = groups.get(key);
    if (group) group.push(sighting);
    else groups.set(key, [sighting]);
  }
  return groups;
}

function merge(same: readonly Sighting[], pageAt: number, notes: Notes): ImportedAlert {
  const last = same[same.length - 1] as Sighting;
  const spans = spansOf(same, pageAt, notes);
  const pending = same.filter((sighting) => sighting.pending);
  const state = spans.length === 0 ? "pending" : spans[spans.length - 1]?.to === null ? "firing" : "resolved";
  return {
    id: "",
    name: nameOf(last.labels),
    service: serviceOf(last.labels),
    fingerprint: fingerprintOf(last.labels),
    labels: last.labels,
    annotations: last.annotations,
    state,
    spans,
    pendingSince: state === "pending" ? (pending[0]?.from ?? null) : null,
    value: last.value,
    threshold: null,
  };
}

/** Firings by start: a known end wins over none, the latest over earlier ones; none reaches into the next. */
function spansOf(same: readonly Sighting[], pageAt: number, notes: Notes): ImportedAlert["spans"] {
  const ends = new Map<number, number | null>();
  for (const { from, to, endUnknown, pending } of same) {
    if (pending) continue;
    if (endUnknown) notes.unknownEnds++;
    const end = endUnknown ? pageAt : to;
    const known = ends.get(from) ?? null;
    ends.set(from, end === null ? known : Math.max(end, known ?? end));
  }
  const starts = [...ends.keys()].sort((a, b) => a - b);
  return starts.map((from, index) => {
    const to = ends.get(from) ?? null;
    const next = starts[index + 1];
    if (next === undefined || (to !== null && to <= next)) return { from, to };
    if (to === null) notes.lostEnds++;
    return { from, to: next };
  });
}

/** Of all times that happened: an alert that fires has no end yet, whatever its `endsAt` foresees. */
function newestTime(sightings: readonly Sighting[]): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { from, to } of sightings) newest = Math.max(newest, from, to ?? from);
  return newest;
}

function firstFiring(alert: ImportedAlert): number {
  return alert.spans[0]?.from ?? Number.MAX_SAFE_INTEGER;
}

function compareLabels(a: ImportedAlert, b: ImportedAlert): number {
  return compareText(JSON.stringify(a.labels), JSON.stringify(b.labels));
}
