/** Two 32-bit lanes that stand for a text or a number: what digests are made of (mixing by MurmurHash3, public domain). */

// The lanes read last: returning pairs would make an object for each.
export let laneA = 0;
export let laneB = 0;

/** Sets the lanes to ones that were read before. */
export function setLanes(a: number, b: number): void {
  laneA = a;
  laneB = b;
}

const BITS = new DataView(new ArrayBuffer(8));

/** Reads a number by its bits, which is much faster than by its decimal digits; −0 is written as 0. */
export function readNumber(value: number): void {
  BITS.setFloat64(0, value + 0, true);
  const low = BITS.getInt32(0, true);
  const high = BITS.getInt32(4, true);
  laneA = mix(low, high);
  laneB = mix(high, low);
}

/** Long texts read lately: the one that a text takes the place of is usually among them. */
const LONG = 48;
const LATELY: string[] = ["", "", "", ""];
const LATELY_A = new Int32Array(LATELY.length);
const LATELY_B = new Int32Array(LATELY.length);
let nextLately = 0;

export function readText(text: string): void {
  if (text.length < LONG) {
    readCharacters(text);
    return;
  }
  for (let i = 0; i < LATELY.length; i++)
    if (LATELY[i] === text) {
      laneA = LATELY_A[i] as number;
      laneB = LATELY_B[i] as number;
      return;
    }
  readCharacters(text);
  LATELY[nextLately] = text;
  LATELY_A[nextLately] = laneA;
  LATELY_B[nextLately] = laneB;
  nextLately = (nextLately + 1) % LATELY.length;
}

/**
 * Called this way, and not as a method of the text: engines keep texts in many forms, and looking a method up on more than a
 * few of them takes several times as long as calling it.
 */
const { charCodeAt } = String.prototype;

/** Four characters a round, two in each lane; both lanes depend on all of them in the end. */
export function readCharacters(text: string): void {
  const { length } = text;
  let a = length;
  let b = 0x9e3779b1;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    a = ((a << 5) | (a >>> 27)) ^ (charCodeAt.call(text, i) | (charCodeAt.call(text, i + 1) << 16));
    b = ((b << 7) | (b >>> 25)) ^ (charCodeAt.call(text, i + 2) | (charCodeAt.call(text, i + 3) << 16));
    a = Math.imul(a, 0x01000193);
    b = Math.imul(b, 0x85ebca6b);
  }
  for (; i < length; i++) a = Math.imul(((a << 5) | (a >>> 27)) ^ charCodeAt.call(text, i), 0x01000193);
  laneA = finish(a ^ Math.imul(b, 0xcc9e2d51));
  laneB = finish(b ^ laneA);
}

export function mix(h: number, k: number): number {
  let x = Math.imul(k, 0xcc9e2d51);
  x = (x << 15) | (x >>> 17);
  let y = h ^ Math.imul(x, 0x1b873593);
  y = (y << 13) | (y >>> 19);
  return (Math.imul(y, 5) + 0xe6546b64) | 0;
}

export function finish(h: number): number {
  let x = h ^ (h >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return (x ^ (x >>> 16)) | 0;
}
