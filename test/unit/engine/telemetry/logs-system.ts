/** Hand-made runs for logs and traces: one in which nothing fails, and one in which everything does. */
import type { SystemEvent } from "../../../../src/engine/events";
import type { Run } from "../../../../src/engine/run";
import type { LogLine } from "../../../../src/engine/telemetry/logs/line";
import type { Logs } from "../../../../src/engine/telemetry/logs/logs";
import { type FakeColumns, fakeRun } from "./metrics-fake-run";

const SERVICES = ["front", "orders", "worker", "db", "cache", "jobs"] as const;

/** Requests flow, nothing fails. */
export const calm: FakeColumns = {
  nodes: Object.fromEntries(
    [...SERVICES, "vendor"].map((service) => [
      service,
      { arrivals: 20, served: 20, latencyMean: 0.02, latencySd: 0.01, inFlight: 1, level: 5, disk: 0.4, memory: 0.4 },
    ]),
  ),
  calls: {
    "front>orders": { attempts: 20, attemptTime: 0.02 },
    "orders>db": { attempts: 10, attemptTime: 0.02 },
    "orders>cache": { attempts: 40, attemptTime: 0.02 },
    "orders>jobs": { attempts: 10, attemptTime: 0.02 },
    "orders>vendor": { attempts: 2, attemptTime: 0.02 },
    "worker>db": { attempts: 30, attemptTime: 0.02 },
  },
  users: { front: { offered: 20 } },
};

/** Every way of failing at once. */
export const stormy: FakeColumns = {
  nodes: Object.fromEntries(
    SERVICES.map((service) => [
      service,
      {
        arrivals: 40,
        served: 20,
        failed: 10,
        rejected: 5,
        dropped: 5,
        latencyMean: 1.2,
        latencySd: 0.4,
        memory: 0.95,
        throttled: 0.5,
        ready: 2,
        starting: 1,
        disk: 0.9,
        redelivered: 1,
        inFlight: 200,
        level: 400,
      },
    ]),
  ),
  calls: {
    ...calm.calls,
    "orders>db": {
      attempts: 30,
      timedOut: 3,
      refused: 3,
      unacquired: 3,
      unreached: 9,
      nameFailed: 3,
      handshakeFailed: 3,
      errored: 3,
      broken: 0.1,
      attemptTime: 0.2,
      stale: 4,
    },
  },
  users: { front: { offered: 40, failed: 10 } },
};

export function run(columns: FakeColumns, seed = 11, ticks = 40, journal: readonly SystemEvent[] = []): Run {
  return fakeRun(columns, { seed, ticks, journal });
}

/** All lines that fit a query, oldest first, page by page. */
export function allLines(logs: Logs, query: Parameters<Logs["read"]>[0] = {}): LogLine[] {
  const pages: LogLine[][] = [];
  let cursor: number | null = null;
  do {
    const page = logs.read({ ...query, limit: 500, ...(cursor === null ? {} : { cursor }) });
    pages.unshift([...page.lines]);
    cursor = page.older;
  } while (cursor !== null);
  return pages.flat();
}

/** Lines that the shown ones stand for. */
export function counted(lines: readonly LogLine[]): number {
  return lines.reduce((sum, line) => sum + 1 + (line.suppressed ?? 0), 0);
}
