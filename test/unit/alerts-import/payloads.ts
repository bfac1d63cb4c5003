/** Payloads built in code, for the tests of the importer and the scenario file. */
import type { AlertSet, TruthDraft } from "../../../src/worlds/alerts/import";

/** Stands for chance where a scenario is saved. */
export const SALT = "00112233445566778899aabbccddeeff";

export const NOT_ENDED = "0001-01-01T00:00:00Z";

/** One alert of a webhook; firing since 02:00 unless told otherwise. */
export function alert(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    status: "firing",
    labels: { alertname: "KilnHot", service: "kiln" },
    annotations: {},
    startsAt: "2030-01-01T02:00:00Z",
    endsAt: NOT_ENDED,
    ...changes,
  };
}

export function webhook(alerts: readonly unknown[], changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { version: "4", groupKey: "{}:{}", truncatedAlerts: 0, status: "firing", alerts, ...changes };
}

export function text(json: unknown): string {
  return JSON.stringify(json);
}

/** A storm of different alerts, every third resolved, on ten services. */
export function storm(count: number): Record<string, unknown> {
  return webhook(
    Array.from({ length: count }, (_, i) =>
      alert({
        labels: { alertname: `Rule${i % 7}`, service: `service-${i % 10}`, instance: `10.0.${i % 256}.${i}` },
        annotations: { summary: `alert number ${i}` },
        startsAt: `2030-01-01T02:${String(i % 60).padStart(2, "0")}:00Z`,
        ...(i % 3 === 0 ? { status: "resolved", endsAt: "2030-01-01T03:00:00Z" } : {}),
      }),
    ),
  );
}

/** The place and message of the error that a call throws; fails when it throws none or another. */
export function errorOf(call: () => unknown): { readonly name: string; readonly message: string } {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return { name: error.name, message: error.message };
  }
  throw new Error("The call should have thrown.");
}

/** A draft with one incident that holds the given alerts. */
export function draftOn(set: AlertSet, alerts: readonly string[], changes: Partial<TruthDraft> = {}): TruthDraft {
  const service = set.alerts.find((one) => one.id === alerts[0])?.service ?? "";
  const incident = { component: service, mechanism: "disk_full", severity: "P2", team: "sre", alerts };
  return { title: "A queue", brief: "Look at it.", disposition: "routed", incidents: [incident], ...changes };
}
