/**
 * Trace ids. An id is the place of a trace in the run, put through a permutation that the seed keys (a Feistel network of three rounds over
 * 128 bits, Luby and Rackoff 1988): it opens the trace without anything being stored, looks like any other id, and no two
 * places share one. A fixed word inside tells ids of this run from others.
 */
import type { Noise } from "../../../core/rng";

export interface TracePlace {
  readonly tick: number;
  /** 0: a request of `root` picked by head sampling. 1 + c: the request that log cell c speaks of. */
  readonly pin: number;
  /** Entry of the users, or for a pinned trace 0. */
  readonly root: number;
  /** Which of the tick. */
  readonly k: number;
}

const ROUNDS = 3;
const CHECK = 0x6fd1a3c5;
const ROOT_SHIFT = 1 << 20;
/** Character codes of the hexadecimal digits. */
const DIGITS = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));

/** 32 hexadecimal digits. */
export function traceIdOf(noise: Noise, place: TracePlace): string {
  let a = place.tick | 0;
  let b = place.pin | 0;
  let c = (place.root * ROOT_SHIFT + place.k) | 0;
  let d = CHECK;
  for (let round = 0; round < ROUNDS; round++) {
    const [left, right] = [c, d];
    c = a ^ word(noise, left, right, round * 2);
    d = b ^ word(noise, left, right, round * 2 + 1);
    a = left;
    b = right;
  }
  return hex(a) + hex(b) + hex(c) + hex(d);
}

/** The place of an id; null when it is no id of this run. */
export function placeOfTrace(noise: Noise, id: string): TracePlace | null {
  if (!/^[0-9a-f]{32}$/.test(id)) return null;
  let a = unhex(id, 0);
  let b = unhex(id, 8);
  let c = unhex(id, 16);
  let d = unhex(id, 24);
  for (let round = ROUNDS - 1; round >= 0; round--) {
    const [left, right] = [a, b];
    a = c ^ word(noise, left, right, round * 2);
    b = d ^ word(noise, left, right, round * 2 + 1);
    c = left;
    d = right;
  }
  if (d !== (CHECK | 0) || a < 0 || b < 0 || c < 0) return null;
  return { tick: a, pin: b, root: Math.floor(c / ROOT_SHIFT), k: c % ROOT_SHIFT };
}

/** 16 hexadecimal digits: the id of a span by its number in the trace. */
export function spanIdOf(noise: Noise, place: TracePlace, span: number): string {
  const a = word(
    noise,
    place.tick ^ Math.imul(place.pin, 0x9e3779b1),
    (place.root * ROOT_SHIFT + place.k) | 0,
    64 + span,
  );
  return hex(a) + hex(word(noise, a, span, 63));
}

function word(noise: Noise, a: number, b: number, draw: number): number {
  return (noise.unit(a, b, draw) * 4294967296) | 0;
}

function hex(w: number): string {
  return String.fromCharCode(
    DIGITS[w >>> 28] as number,
    DIGITS[(w >>> 24) & 15] as number,
    DIGITS[(w >>> 20) & 15] as number,
    DIGITS[(w >>> 16) & 15] as number,
    DIGITS[(w >>> 12) & 15] as number,
    DIGITS[(w >>> 8) & 15] as number,
    DIGITS[(w >>> 4) & 15] as number,
    DIGITS[w & 15] as number,
  );
}

function unhex(text: string, at: number): number {
  let word = 0;
  for (let i = at; i < at + 8; i++) {
    const code = text.charCodeAt(i);
    word = (word << 4) | (code < 58 ? code - 48 : code - 87);
  }
  return word;
}
