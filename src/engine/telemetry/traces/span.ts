/** What a trace is when it is read, with OpenTelemetry's names. */

export interface SpanLink {
  readonly trace_id: string;
  readonly span_id: string;
}

export interface Span {
  readonly span_id: string;
  /** Empty for the root. */
  readonly parent_span_id: string;
  readonly name: string;
  readonly kind: "server" | "client" | "producer" | "consumer";
  readonly "service.name": string;
  readonly "service.version": string;
  readonly "service.instance.id": string;
  readonly "cloud.availability_zone": string;
  /** Microseconds since the start of history. */
  readonly start: number;
  /** Seconds. */
  readonly duration: number;
  readonly status: "ok" | "error";
  readonly "error.type"?: string;
  /** The other end of a call. */
  readonly "server.address"?: string;
  readonly "http.response.status_code"?: number;
  /** How often the call had been tried before this attempt; only where it may be tried again. */
  readonly "http.request.resend_count"?: number;
  readonly links?: readonly SpanLink[];
}

export interface Trace {
  readonly trace_id: string;
  readonly tick: number;
  /** Service of the root. */
  readonly service: string;
  readonly start: number;
  readonly duration: number;
  readonly status: "ok" | "error";
  /** Parents before children. */
  readonly spans: readonly Span[];
  /** Spans that are left out of a trace with very many. */
  readonly left: number;
}

/** Most spans of a trace that are kept. */
export const MOST_SPANS = 120;
