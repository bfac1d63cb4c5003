/** The digest that stands for a whole observation in a recording, or for the content of a scenario. */
import { forgetLast, keptText, textOfLast } from "./json-text";
import { Place } from "./place";
import { finish, laneA, laneB, mix, readCharacters, readNumber, readText, setLanes } from "./text-lanes";

/**
 * A 64-bit digest of a JSON value as 16 hexadecimal digits. Equal JSON text gives an equal digest; key order counts.
 * It detects accidents, not forgers.
 */
export function digest(value: unknown): string {
  forgetLast();
  const sum = new DigestSum();
  sum.put(value, Place.root());
  return sum.text();
}

/** Lists and objects this deep are digested by their text: the fields of a row, say. */
export const DEEPEST = 3;

// What a value is, in its digest.
const OBJECT = 0x6f626a65;
const ARRAY = 0x61727279;
const NULL = 0x6e756c6c;
const TRUE = 0x74727565;
const FALSE = 0x66616c73;
const NUMBER = 0x6e756d62;
const TEXT = 0x74657874;
const TREE = 0x74726565;

/** What lists of level 1 add to a sum, with the lanes of the path that they were found at. */
const LISTS = new WeakMap<
  object,
  { readonly pathA: number; readonly pathB: number; readonly a: number; readonly b: number }
>();

/**
 * A digest that can be changed where its value changes. Every value down to level `DEEPEST`, the root being level 0, is mixed
 * with the path that leads to it (by MurmurHash3, on two 32-bit lanes), and the digest is the sum of these: what has changed is
 * taken out and put in anew, at the cost of the change.
 */
export class DigestSum {
  private a = 0;
  private b = 0;

  /** Puts a value in at its place. */
  put(value: unknown, place: Place): void {
    this.add(value, place, 1);
  }

  /** Takes the value out that was in at a place. */
  take(value: unknown, place: Place): void {
    this.add(value, place, -1);
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

  private add(value: unknown, place: Place, sign: 1 | -1): void {
    if (typeof value === "string") {
      readText(value);
      this.addLanes(TEXT, place, sign);
    } else if (typeof value === "number" && Number.isFinite(value)) {
      readNumber(value);
      this.addLanes(NUMBER, place, sign);
    } else if (typeof value !== "object" || value === null)
      this.addKind(value === true ? TRUE : value === false ? FALSE : NULL, place, sign);
    else if (place.level === DEEPEST) this.addTree(value, place, sign);
    else if (Array.isArray(value)) {
      if (place.level === 1) this.addListOnce(value, place, sign);
      else this.addList(value, place, sign);
    } else this.addObject(value as Record<string, unknown>, place, sign);
  }

  /** Lists that many episodes begin with, such as the first alerts of a draw, are read once. */
  private addListOnce(values: readonly unknown[], place: Place, sign: 1 | -1): void {
    let known = LISTS.get(values);
    if (!known || known.pathA !== place.a || known.pathB !== place.b) {
      const { a, b } = this;
      this.addList(values, place, 1);
      known = { pathA: place.a, pathB: place.b, a: (this.a - a) | 0, b: (this.b - b) | 0 };
      this.a = a;
      this.b = b;
      if (values.length > 0) LISTS.set(values, known);
    }
    this.a = (this.a + sign * known.a) | 0;
    this.b = (this.b + sign * known.b) | 0;
  }

  private addList(values: readonly unknown[], place: Place, sign: 1 | -1): void {
    this.addKind(ARRAY, place, sign);
    for (let i = 0; i < values.length; i++) this.add(values[i], place.item(i), sign);
  }

  private addObject(value: Record<string, unknown>, place: Place, sign: 1 | -1): void {
    this.addKind(OBJECT, place, sign);
    let position = 0;
    for (const key of Object.keys(value)) {
      const item = value[key];
      // JSON leaves such members out.
      if (item !== undefined) this.add(item, place.member(key, position++), sign);
    }
  }

  private addTree(value: object, place: Place, sign: 1 | -1): void {
    if (Array.isArray(value)) {
      const kept = keptText(value);
      if (kept.digested) setLanes(kept.a, kept.b);
      else {
        readCharacters(kept.text);
        kept.a = laneA;
        kept.b = laneB;
        kept.digested = true;
      }
    } else {
      // Objects are mostly one run's own, so that keeping their texts does not pay.
      readText(textOfLast(value));
    }
    this.addLanes(TREE, place, sign);
  }

  private addKind(kind: number, place: Place, sign: 1 | -1): void {
    setLanes(0, 0);
    this.addLanes(kind, place, sign);
  }

  private addLanes(kind: number, place: Place, sign: 1 | -1): void {
    this.a = (this.a + sign * finish(mix(place.a ^ kind, laneA))) | 0;
    this.b = (this.b + sign * finish(mix(place.b ^ kind, laneB))) | 0;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex(h: number): string {
  return `${HEX[h >>> 24]}${HEX[(h >>> 16) & 255]}${HEX[(h >>> 8) & 255]}${HEX[h & 255]}`;
}
