/**
 * What requests are counted by: the outcomes that the metrics of a server, of a client and of users tell apart, with their
 * OpenTelemetry attributes. The outcomes of a place add up to all of its requests.
 *
 * `error.type` is the status code where there is one and a short name of the failure otherwise, and is not set on success.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
 * @see https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/
 */
import { seriesKey } from "../../../core/rng";
import type { ServiceKind } from "../../spec";
import type { Samples } from "./samples";

/** What series can be grouped and filtered by. `shard` has no convention; the others are OpenTelemetry's. */
export const ATTRIBUTES = [
  "cloud.availability_zone",
  "service.version",
  "server.address",
  "http.response.status_code",
  "error.type",
  "db.client.connection.state",
  "http.connection.state",
  "shard",
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];
export type Attributes = { readonly [A in Attribute]?: string };

/** One outcome. */
export interface Part {
  readonly attributes: Attributes;
  readonly failed: boolean;
  /** Noise key of its counts. */
  readonly key: number;
  /** Requests a second with this outcome, exact. */
  rate(samples: Samples, place: number, tick: number): number;
}

function part(family: string, attributes: Attributes, failed: boolean, rate: Part["rate"]): Part {
  const name = `${attributes["http.response.status_code"] ?? ""}/${attributes["error.type"] ?? ""}`;
  return { attributes, failed, key: seriesKey(`${family}/${name}`), rate };
}

function status(code: string): Attributes {
  return code < "500"
    ? { "http.response.status_code": code }
    : { "http.response.status_code": code, "error.type": code };
}

function error(type: string): Attributes {
  return { "error.type": type };
}

const served: Part["rate"] = (samples, node, tick) => samples.node("served", node, tick);
const failed: Part["rate"] = (samples, node, tick) => samples.node("failed", node, tick);
const rejected: Part["rate"] = (samples, node, tick) => samples.node("rejected", node, tick);

/** Of the attempts of a node that failed at its callees: the share that ran into a time-out, and whether there were any. */
function lateShare(samples: Samples, node: number, tick: number): number {
  let late = 0;
  let all = 0;
  for (const call of samples.callsFrom[node] as readonly number[]) {
    const timedOut = samples.call("timedOut", call, tick);
    late += timedOut;
    all += timedOut + samples.call("errored", call, tick) + samples.call("refused", call, tick);
    all += samples.call("unacquired", call, tick) + samples.call("unreached", call, tick);
  }
  return all > 0 ? late / all : -1;
}

/** A proxy answers 504 when the server behind it was late, 502 when that failed otherwise, 500 when it failed by itself (RFC 9110, 15.6). */
const EDGE: readonly Part[] = [
  part("server", status("200"), false, served),
  part("server", status("500"), true, (s, node, tick) => (lateShare(s, node, tick) < 0 ? failed(s, node, tick) : 0)),
  part("server", status("502"), true, (s, node, tick) => {
    const late = lateShare(s, node, tick);
    return late < 0 ? 0 : failed(s, node, tick) * (1 - late);
  }),
  part("server", status("503"), true, rejected),
  part("server", status("504"), true, (s, node, tick) => {
    const late = lateShare(s, node, tick);
    return late < 0 ? 0 : failed(s, node, tick) * late;
  }),
];

const API: readonly Part[] = [
  part("server", status("200"), false, served),
  part("server", status("500"), true, failed),
  part("server", status("503"), true, rejected),
];

const WORKER: readonly Part[] = [
  part("server", {}, false, served),
  part("server", error("processing_error"), true, failed),
];

const DATABASE: readonly Part[] = [
  part("server", {}, false, served),
  part("server", error("query_error"), true, failed),
  part("server", error("too_many_connections"), true, rejected),
];

const STORE: readonly Part[] = [
  part("server", {}, false, served),
  part("server", error("command_error"), true, failed),
  part("server", error("overloaded"), true, rejected),
];

/** Outcomes of the requests that a service of a kind answers. */
export const SERVER_PARTS: Readonly<Record<ServiceKind, readonly Part[]>> = {
  edge: EDGE,
  api: API,
  worker: WORKER,
  database: DATABASE,
  cache: STORE,
  queue: STORE,
  third_party: [],
};

const CLIENT_FAILURES: readonly (readonly [string, Part["rate"]])[] = [
  ["timeout", (s, call, tick) => s.call("timedOut", call, tick)],
  ["connection_refused", (s, call, tick) => s.call("refused", call, tick)],
  ["pool_timeout", (s, call, tick) => s.call("unacquired", call, tick)],
  ["name_resolution_error", (s, call, tick) => s.call("nameFailed", call, tick)],
  ["tls_handshake_error", (s, call, tick) => s.call("handshakeFailed", call, tick)],
  [
    "connection_timeout",
    (s, call, tick) =>
      Math.max(
        0,
        s.call("unreached", call, tick) - s.call("nameFailed", call, tick) - s.call("handshakeFailed", call, tick),
      ),
  ],
  // A breaker stands in front of everything else: it rejects its share of all attempts.
  ["circuit_open", (s, call, tick) => s.call("attempts", call, tick) * s.call("broken", call, tick)],
];

const answeredBadly: Part["rate"] = (s, call, tick) => s.call("errored", call, tick);
const answeredWell: Part["rate"] = (s, call, tick) => {
  let left = s.call("attempts", call, tick) - answeredBadly(s, call, tick);
  for (const [, rate] of CLIENT_FAILURES) left -= rate(s, call, tick);
  return Math.max(0, left);
};

function clientParts(well: Attributes, badly: Attributes): readonly Part[] {
  return [
    part("client", well, false, answeredWell),
    part("client", badly, true, answeredBadly),
    ...CLIENT_FAILURES.map(([type, rate]) => part("client", error(type), true, rate)),
  ];
}

const HTTP_CLIENT = clientParts(status("200"), status("500"));
const DATABASE_CLIENT = clientParts({}, error("query_error"));
const MESSAGING_CLIENT = clientParts({}, error("broker_error"));

/** Outcomes of the attempts that a caller makes at a service of a kind. */
export function clientPartsOf(callee: ServiceKind): readonly Part[] {
  if (callee === "database" || callee === "cache") return DATABASE_CLIENT;
  return callee === "queue" ? MESSAGING_CLIENT : HTTP_CLIENT;
}

const userFailed: Part["rate"] = (s, entry, tick) => s.user("failed", entry, tick);
const userSlow: Part["rate"] = (s, entry, tick) => s.user("slow", entry, tick);

/** What users' browsers report: answered in time, answered late, failed. */
export const USER_PARTS = {
  well: part("users", {}, false, (s, entry, tick) =>
    Math.max(0, s.user("offered", entry, tick) - userFailed(s, entry, tick) - userSlow(s, entry, tick)),
  ),
  slow: part("users", error("slow"), false, userSlow),
  failed: part("users", error("failed"), true, userFailed),
} as const;
