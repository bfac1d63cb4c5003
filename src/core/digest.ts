/** The digest that stands for a whole observation in a recording, or for the content of a scenario. */
import { keptText } from "./json-text";

/**
 * A 64-bit digest of a JSON value as 16 hexadecimal digits. Equal JSON text gives an equal digest; key order counts.
 * It detects accidents, not forgers.
 */
export function digest(value: unknown): string {
  const sum = new DigestSum();
  sum.put(value, 0);
  return sum.text();
}

/** Lists and objects this deep are digested by their text: the fields of a row, say. */
export const DEEPEST = 3;

const ROOT_A = 0x66697265;
const ROOT_B = 0x6472696c;
// What a value is, in its digest.
const OBJECT = 0x6f626a65;
const ARRAY = 0x61727279;
const NULL = 0x6e756c6c;
const TRUE = 0x74727565;
const FALSE = 0x66616c73;
const NUMBER = 0x6e756d62;
const TEXT = 0x74657874;
const TREE = 0x74726565;

const BITS = new DataView(new ArrayBuffer(8));

/** What lists of level 1 add to a sum, with the lanes of the path that they were found at. */
const LISTS = new WeakMap<
  object,
  { readonly pathA: number; readonly pathB: number; readonly a: number; readonly b: number }
>();

// The lanes of the text read last: returning pairs would make an object for each.
let laneA = 0;
let laneB = 0;

/**
 * A digest that can be changed where its value changes. Every value down to level `DEEPEST`, the root being level 0, is mixed
 * with the path that leads to it (by MurmurHash3, on two 32-bit lanes), and the digest is the sum of these: what has changed is
 * taken out and put in anew, at the cost of the change.
 */
export class DigestSum {
  private a = 0;
  private b = 0;
  /** The lanes of the path to the value in hand, at each level. */
  private readonly pathA = new Int32Array(DEEPEST + 1).fill(ROOT_A);
  private readonly pathB = new Int32Array(DEEPEST + 1).fill(ROOT_B);

  /** Goes from the object in hand at `level` to a member; `place` counts the members that JSON writes. */
  enterMember(level: number, key: string, place: number): void {
    readText(key);
    const word = Math.imul(place + 1, 0x9e3779b1);
    this.pathA[level + 1] = mix(this.pathA[level] as number, laneA ^ word);
    this.pathB[level + 1] = mix(this.pathB[level] as number, (laneB + word) | 0);
  }

  /** Goes from the list in hand at `level` to an item. */
  enterItem(level: number, index: number): void {
    const word = Math.imul(index + 1, 0x9e3779b1);
    this.pathA[level + 1] = mix(this.pathA[level] as number, word);
    this.pathB[level + 1] = mix(this.pathB[level] as number, word);
  }

  /** Puts the value in hand at `level` in. */
  put(value: unknown, level: number): void {
    this.add(value, level, 1);
  }

  /** Takes the value that was in hand at `level` out. */
  take(value: unknown, level: number): void {
    this.add(value, level, -1);
  }

  /** The sum so far, to go back to. */
  mark(): readonly [number, number] {
    return [this.a, this.b];
  }

  backTo([a, b]: readonly [number, number]): void {
    this.a = a;
    this.b = b;
  }

  text(): string {
    return hex(this.a) + hex(this.b);
  }

  private add(value: unknown, level: number, sign: 1 | -1): void {
    if (typeof value === "string") {
      readText(value);
      this.addLanes(TEXT, level, sign);
    } else if (typeof value === "number" && Number.isFinite(value)) this.addNumber(value, level, sign);
    else if (typeof value !== "object" || value === null)
      this.addKind(value === true ? TRUE : value === false ? FALSE : NULL, level, sign);
    else if (level === DEEPEST) this.addTree(value, level, sign);
    else if (Array.isArray(value)) {
      if (level === 1) this.addListOnce(value, sign);
      else this.addList(value, level, sign);
    } else this.addObject(value as Record<string, unknown>, level, sign);
  }

  /** Lists that many episodes begin with, such as the first alerts of a draw, are read once. */
  private addListOnce(values: readonly unknown[], sign: 1 | -1): void {
    const [pathA, pathB] = [this.pathA[1] as number, this.pathB[1] as number];
    let known = LISTS.get(values);
    if (!known || known.pathA !== pathA || known.pathB !== pathB) {
      const { a, b } = this;
      this.addList(values, 1, 1);
      known = { pathA, pathB, a: (this.a - a) | 0, b: (this.b - b) | 0 };
      this.a = a;
      this.b = b;
      if (values.length > 0) LISTS.set(values, known);
    }
    this.a = (this.a + sign * known.a) | 0;
    this.b = (this.b + sign * known.b) | 0;
  }

  private addList(values: readonly unknown[], level: number, sign: 1 | -1): void {
    this.addKind(ARRAY, level, sign);
    for (let i = 0; i < values.length; i++) {
      this.enterItem(level, i);
      this.add(values[i], level + 1, sign);
    }
  }

  private addObject(value: Record<string, unknown>, level: number, sign: 1 | -1): void {
    this.addKind(OBJECT, level, sign);
    let place = 0;
    for (const key of Object.keys(value)) {
      const item = value[key];
      // JSON leaves such members out.
      if (item === undefined) continue;
      this.enterMember(level, key, place++);
      this.add(item, level + 1, sign);
    }
  }

  private addTree(value: object, level: number, sign: 1 | -1): void {
    if (!Array.isArray(value)) {
      // Objects are mostly one run's own, so that keeping their texts does not pay.
      readText(JSON.stringify(value));
      this.addLanes(TREE, level, sign);
      return;
    }
    const kept = keptText(value);
    if (kept.digested) {
      laneA = kept.a;
      laneB = kept.b;
    } else {
      readCharacters(kept.text);
      kept.a = laneA;
      kept.b = laneB;
      kept.digested = true;
    }
    this.addLanes(TREE, level, sign);
  }

  /** By its bits, which is much faster than by its decimal digits; −0 is written as 0. */
  private addNumber(value: number, level: number, sign: 1 | -1): void {
    BITS.setFloat64(0, value + 0, true);
    const low = BITS.getInt32(0, true);
    const high = BITS.getInt32(4, true);
    laneA = mix(low, high);
    laneB = mix(high, low);
    this.addLanes(NUMBER, level, sign);
  }

  private addKind(kind: number, level: number, sign: 1 | -1): void {
    laneA = 0;
    laneB = 0;
    this.addLanes(kind, level, sign);
  }

  private addLanes(kind: number, level: number, sign: 1 | -1): void {
    this.a = (this.a + sign * finish(mix((this.pathA[level] as number) ^ kind, laneA))) | 0;
    this.b = (this.b + sign * finish(mix((this.pathB[level] as number) ^ kind, laneB))) | 0;
  }
}

/** Long texts read lately: the one that a text takes the place of is usually among them. */
const LONG = 48;
const LATELY: string[] = ["", "", "", ""];
const LATELY_A = new Int32Array(LATELY.length);
const LATELY_B = new Int32Array(LATELY.length);
let nextLately = 0;

function readText(text: string): void {
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
function readCharacters(text: string): void {
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

function mix(h: number, k: number): number {
  let x = Math.imul(k, 0xcc9e2d51);
  x = (x << 15) | (x >>> 17);
  let y = h ^ Math.imul(x, 0x1b873593);
  y = (y << 13) | (y >>> 19);
  return (Math.imul(y, 5) + 0xe6546b64) | 0;
}

function finish(h: number): number {
  let x = h ^ (h >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return (x ^ (x >>> 16)) | 0;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex(h: number): string {
  return `${HEX[h >>> 24]}${HEX[(h >>> 16) & 255]}${HEX[(h >>> 8) & 255]}${HEX[h & 255]}`;
}
