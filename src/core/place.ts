/**
 * Places in JSON values, and what is said of them again and again: their pointers, the text that begins an operation of a
 * patch, the lanes of their digests. States of a run change in the same places, so that places are kept and found by walking.
 */
import { quoted } from "./json-text";
import { laneA, laneB, mix, readText } from "./text-lanes";

const ROOT_A = 0x66697265;
const ROOT_B = 0x6472696c;
/** Places kept in all; beyond it they are made anew. A long run of a large queue has about 3,000. */
const MOST_KEPT = 20_000;
/** Items and members further on, and names beyond these at one position, are not kept: they come with data of any kind. */
const MOST_ITEMS = 1000;
const MOST_MEMBERS = 64;
const MOST_NAMES = 8;

let kept = 0;

export class Place {
  private readonly items: Place[] = [];
  /** By position; places with other names at the same position follow in `other`. */
  private readonly members: Place[] = [];
  private other: Place | null = null;
  private replacing = "";
  private adding = "";

  private constructor(
    /** 0 for the root. */
    readonly level: number,
    private readonly name: string,
    /** RFC 6901. */
    readonly pointer: string,
    readonly a: number,
    readonly b: number,
  ) {}

  /** The place of a whole value. */
  static root(): Place {
    if (kept > MOST_KEPT) {
      kept = 0;
      ROOT.items.length = 0;
      ROOT.members.length = 0;
    }
    return ROOT;
  }

  static first(): Place {
    return new Place(0, "", "", ROOT_A, ROOT_B);
  }

  item(index: number): Place {
    const known = this.items[index];
    if (known) return known;
    const word = Math.imul(index + 1, 0x9e3779b1);
    const made = new Place(this.level + 1, "", `${this.pointer}/${index}`, mix(this.a, word), mix(this.b, word));
    // Without gaps, so that the list stays a plain one.
    if (index < MOST_ITEMS && index === this.items.length) {
      this.items.push(made);
      kept++;
    }
    return made;
  }

  /** `position` counts the members that JSON writes. */
  member(name: string, position: number): Place {
    const { members } = this;
    let known = members[position];
    if (known?.name === name) return known;
    let names = 0;
    for (; known; known = known.other ?? undefined, names++) if (known.name === name) return known;
    readText(name);
    const word = Math.imul(position + 1, 0x9e3779b1);
    const pointer = `${this.pointer}/${escapeKey(name)}`;
    const made = new Place(this.level + 1, name, pointer, mix(this.a, laneA ^ word), mix(this.b, (laneB + word) | 0));
    if (position < MOST_MEMBERS && position <= members.length && names < MOST_NAMES) {
      made.other = members[position] ?? null;
      members[position] = made;
      kept++;
    }
    return made;
  }

  /** An operation up to its value, behind the end of another. */
  get replace(): string {
    this.replacing ||= `},{"op":"replace","path":${quoted(this.pointer)},"value":`;
    return this.replacing;
  }

  get add(): string {
    this.adding ||= `},{"op":"add","path":${quoted(this.pointer)},"value":`;
    return this.adding;
  }

  /** As a whole but for its end. */
  get remove(): string {
    return `},{"op":"remove","path":${quoted(this.pointer)}`;
  }
}

const ROOT = Place.first();

export function escapeKey(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}
