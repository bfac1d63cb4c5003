/** Follows an object from state to state: patches, their texts and digests at the cost of what has changed. */
import { compare, compareMembers, sameKeys, type Told } from "./compare";
import { DigestSum } from "./digest";
import { jsonText } from "./json-text";
import { Place } from "./place";

/** Operations as JSON writes their list, without making them. */
class PatchText implements Told {
  private operations = "";
  replace(place: Place, value: unknown): void {
    this.tell(place.replace, jsonText(value));
  }
  add(place: Place, value: unknown): void {
    this.tell(place.add, jsonText(value));
  }
  remove(place: Place): void {
    this.tell(place.remove, "");
  }
  text(): string {
    return this.operations ? `${this.operations}}]` : "[]";
  }
  private tell(operation: string, value: string): void {
    // The first follows none.
    this.operations = (this.operations ? this.operations + operation : `[${operation.slice(2)}`) + value;
  }
}

/** Compares operations with the text of a patch that was recorded, piece by piece: faster than to write them first. */
class PatchCheck implements Told {
  private first = true;
  /** `at` is where the text of the patch begins, and then how far it is the same; −1 once it differs. */
  constructor(
    private readonly recorded: string,
    private at: number,
  ) {}
  replace(place: Place, value: unknown): void {
    this.tell(place.replace);
    this.piece(jsonText(value));
  }
  add(place: Place, value: unknown): void {
    this.tell(place.add);
    this.piece(jsonText(value));
  }
  remove(place: Place): void {
    this.tell(place.remove);
  }
  /** Where the patch ends; −1 when it differs. */
  end(): number {
    this.piece(this.first ? "[]" : "}]");
    return this.at;
  }
  private tell(operation: string): void {
    if (!this.first) {
      this.piece(operation);
      return;
    }
    this.first = false;
    this.piece("[");
    this.piece(operation.slice(2));
  }
  private piece(text: string): void {
    const { at } = this;
    if (at < 0) return;
    const end = at + text.length;
    // Comparing slices is many times faster than `startsWith`.
    this.at = this.recorded.slice(at, end) === text ? end : -1;
  }
}

/** Where only digests are asked for. */
const NOBODY: Told = { replace: () => {}, add: () => {}, remove: () => {} };

/** How a state differs from the one before, and the digest of the whole. */
export interface Difference {
  /** The text of the patch; null for the first state. */
  readonly patch: string | null;
  readonly digest: string;
}

/** Follows an object from state to state at the cost of the changes. Nobody may change a state once given. */
export class Follower {
  private readonly sum = new DigestSum();
  private last: State | null = null;

  /** Goes on to a state. */
  next(state: object): Difference {
    const told = new PatchText();
    const patch = this.goOn(state, told) ? told.text() : null;
    return { patch, digest: this.sum.text() };
  }

  /** Goes on to a state and gives its digest alone. */
  digest(state: object): string {
    this.goOn(state, NOBODY);
    return this.sum.text();
  }

  /**
   * Goes on to a state that is not the first. Gives its digest, and where the text of its patch ends that begins at `at` in a
   * recorded text; −1 when another one begins there, or `at` is −1.
   */
  check(state: object, recorded: string, at: number): { readonly end: number; readonly digest: string } {
    const told = new PatchCheck(recorded, at);
    const end = this.goOn(state, told) ? told.end() : -1;
    return { end, digest: this.sum.text() };
  }

  /** What `next` would give, without going on. */
  look(state: object): Difference {
    const { last, sum } = this;
    const mark = sum.mark();
    const difference = this.next(state);
    this.last = last;
    sum.backTo(mark);
    return difference;
  }

  /** False for the first state. */
  private goOn(state: object, told: Told): boolean {
    const { last, sum } = this;
    const place = Place.root();
    const now: State = { state, keys: Object.keys(state), values: Object.values(state) };
    this.last = now;
    if (!last) sum.put(state, place);
    else if (!(sameKeys(last.keys, now.keys) && compareMembers(last.values, now.values, now.keys, place, sum, told)))
      compare(last.state, state, place, sum, told);
    return last !== null;
  }
}

/** A state taken apart once. */
interface State {
  readonly state: object;
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}
