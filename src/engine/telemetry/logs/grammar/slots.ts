/** What fills the slots of templates and the structured fields: numbers from the run's own record, names from the service's style. */
import { durationText } from "./durations";
import type { Facts } from "./facts";
import { FIELD_KEYS, type FieldName } from "./fields";
import type { Draw } from "./template";

const BYTES = Array.from({ length: 256 }, (_, i) => (i < 16 ? "0" : "") + i.toString(16));

/** A byte of an id. */
function byte(draw: Draw): string {
  return BYTES[draw.below(256)] as string;
}

function whole(x: number): string {
  return `${Math.floor(x + 0.5)}`;
}

function megabytes(mb: number): string {
  return mb >= 4096 ? `${Math.floor(mb / 102.4 + 0.5) / 10}GiB` : `${Math.floor(mb + 0.5)}MiB`;
}

const METHODS = ["GET", "GET", "GET", "POST", "PUT", "DELETE"] as const;

/** Draws what a line may name more than once. */
export function drawNames(facts: Facts, draw: Draw): void {
  facts.route = draw.pick(facts.style.routes);
  facts.method = draw.pick(METHODS);
  facts.operation = draw.pick(facts.style.operations);
  facts.table = draw.pick(facts.peer.tables);
}

export const SLOTS = {
  peer: (f: Facts) => f.peer.service,
  address: (f: Facts) => f.peer.address,
  self: (f: Facts) => f.style.service,
  duration: (f: Facts) => durationText(f.style, f.seconds),
  millis: (f: Facts) => whole(f.seconds * 1000),
  limitText: (f: Facts) => durationText(f.style, f.limit),
  attempt: (f: Facts) => `${f.attempt}`,
  attempts: (f: Facts) => `${f.attempts}`,
  route: (f: Facts) => f.route,
  method: (f: Facts) => f.method,
  operation: (f: Facts) => f.operation,
  peerOperation: (f: Facts, d: Draw) => d.pick(f.peer.operations),
  statusCode: (f: Facts) => `${f.status}`,
  capacity: (f: Facts) => whole(f.capacity),
  used: (f: Facts) => whole(f.used),
  waiting: (f: Facts) => whole(f.waiting),
  count: (f: Facts) => whole(f.count),
  table: (f: Facts) => f.table,
  otherTable: (f: Facts, d: Draw) => d.pick(f.peer.tables),
  queueName: (f: Facts) => `${f.table}.work`,
  messageId: (_: Facts, d: Draw) => byte(d) + byte(d) + byte(d) + byte(d) + byte(d) + byte(d),
  tenant: (_: Facts, d: Draw) => `${d.pick(["t-", "c-", "acct-"])}${1000 + d.below(9000)}`,
  requestId: (_: Facts, d: Draw) => byte(d) + byte(d) + byte(d) + byte(d),
  zoneName: (f: Facts) => f.zone,
  memoryText: (f: Facts) => megabytes(f.memory),
  memoryLimit: (f: Facts) => megabytes(f.capacity),
  percent: (f: Facts) => `${Math.floor(f.share * 1000 + 0.5) / 10}`,
  versionName: (f: Facts) => f.after || f.version,
  before: (f: Facts) => f.before,
  name: (f: Facts) => f.name,
  pod: (f: Facts) => f.pod,
  thread: (f: Facts, d: Draw) =>
    `${d.pick(["worker", "http", "pool", "exec"])}-${d.below(f.style.kind === "database" ? 200 : 24)}`,
  pid: (_: Facts, d: Draw) => `${1000 + d.below(60000)}`,
  line: (_: Facts, d: Draw) => `${20 + d.below(700)}`,
  days: (_: Facts, d: Draw) => `${21 + d.below(300)}`,
  small: (_: Facts, d: Draw) => `${2 + d.below(40)}`,
  smallMillis: (f: Facts, d: Draw) => durationText(f.style, (20 + d.below(380)) / 1000),
  day: (_: Facts, d: Draw) => `${1 + d.below(28)}`,
} as const satisfies Record<string, (facts: Facts, draw: Draw) => string> & Record<FieldName, unknown>;
export type SlotName = keyof typeof SLOTS;

/** A structured field; by number rather than by name, since most lines have several. */
export interface Field {
  /** Place among those of `FIELD_KEYS`. */
  readonly index: number;
  readonly fill: (facts: Facts, draw: Draw) => string;
}

const FIELDS: ReadonlyMap<FieldName, Field> = new Map(
  (Object.keys(FIELD_KEYS) as FieldName[]).map((name, index) => [name, { index, fill: SLOTS[name] }]),
);

export function fieldNamed(name: FieldName): Field {
  return FIELDS.get(name) as Field;
}
