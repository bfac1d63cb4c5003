/** What a log line can be about. */
import type { FieldName } from "./fields";
import { type Field, fieldNamed } from "./slots";
import { capitalised, parse, type Template } from "./template";

export const SEVERITIES = ["DEBUG", "INFO", "WARN", "ERROR", "FATAL"] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface LogKind {
  readonly severity: Severity;
  /** OpenTelemetry's `error.type`; absent where nothing failed. */
  readonly errorType?: string;
  /** Status of the answer that the line is about; 0 for none. */
  readonly status: number;
  /** Whether a line belongs to one request and so to a trace. */
  readonly request: boolean;
  readonly message: Template;
  /** The same, for services that begin messages with a capital letter. */
  readonly capital: Template;
  readonly fields: readonly Field[];
}

interface Extra {
  readonly errorType?: string;
  readonly status?: number;
  readonly request?: true;
}

/** A kind whose messages are any of `messages` (templates). */
export function kind(
  severity: Severity,
  messages: readonly string[],
  fields: readonly FieldName[],
  extra: Extra = {},
): LogKind {
  const message = [{ form: 2, words: [], slot: null, of: messages.map(parse) }] as const;
  return {
    severity,
    ...(extra.errorType ? { errorType: extra.errorType } : {}),
    status: extra.status ?? 0,
    request: extra.request === true,
    message,
    capital: capitalised(message),
    fields: fields.map(fieldNamed),
  };
}
