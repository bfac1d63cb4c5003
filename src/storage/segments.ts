/**
 * Segments: pieces of a recording that are written whole, for file systems that cannot append. A segment says where in
 * the recording it belongs and how long it is, so that joining can be broken off and done again at any point.
 */

/** `<recording>.<writer>.<nnnnn>.seg` */
export function segmentName(recording: string, writer: string, number: number): string {
  return `${recording}.${writer}.${String(number).padStart(5, "0")}${SEGMENT_SUFFIX}`;
}

export const SEGMENT_SUFFIX = ".seg";

/** Whether a file is a segment of the recording. */
export function isSegmentOf(recording: string, name: string): boolean {
  return name.startsWith(`${recording}.`) && name.endsWith(SEGMENT_SUFFIX);
}

export interface Segment {
  readonly name: string;
  /** Offset in the joined recording, in bytes. */
  readonly at: number;
  readonly content: Uint8Array;
}

const NEWLINE = 10;

/** A segment as it is written: one line of facts, then the content. */
export function encodeSegment(at: number, content: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${JSON.stringify({ at, bytes: content.length })}\n`);
  return concat([head, content]);
}

/** A segment read back, or null when its writing was cut off: nobody was told that it was written. */
export function decodeSegment(name: string, bytes: Uint8Array): Segment | null {
  const end = bytes.indexOf(NEWLINE);
  if (end < 0) return null;
  try {
    const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as { at?: unknown; bytes?: unknown };
    const content = bytes.subarray(end + 1);
    if (!Number.isSafeInteger(facts.at) || content.length !== facts.bytes) return null;
    return { name, at: facts.at as number, content };
  } catch {
    return null;
  }
}

/**
 * The recording that a base file and segments make up. A base that was cut off counts up to its last whole line. What is
 * there twice is taken once. A segment that leaves a hole, or says something else where others have spoken, is `left`.
 */
export function joinSegments(base: Uint8Array, segments: readonly Segment[]): { joined: Uint8Array; left: Segment[] } {
  const inOrder = [...segments].sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
  const left: Segment[] = [];
  let joined = wholeLines(base);
  for (const segment of inOrder) {
    const shared = joined.subarray(segment.at, segment.at + segment.content.length);
    if (segment.at > joined.length || !startsWith(segment.content, shared)) left.push(segment);
    else if (shared.length < segment.content.length) joined = concat([joined, segment.content.subarray(shared.length)]);
  }
  return { joined, left };
}

/** What of a cut-off segment is not in the joined recording already. */
export function tornPart(bytes: Uint8Array, joined: Uint8Array): Uint8Array {
  const end = bytes.indexOf(NEWLINE);
  if (end < 0) return new Uint8Array();
  const content = bytes.subarray(end + 1);
  const [, at] = /"at":(\d+)/.exec(new TextDecoder().decode(bytes.subarray(0, end))) ?? [];
  return startsWith(joined.subarray(Number(at ?? 0)), content) ? new Uint8Array() : content;
}

export function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  if (start.length > bytes.length) return false;
  for (let i = 0; i < start.length; i++) if (bytes[i] !== start[i]) return false;
  return true;
}

/** The bytes up to and with the last newline. */
export function wholeLines(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
