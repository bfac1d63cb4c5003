/**
 * Text filters: literal text, in which `*` stands for anything. Letters' case does not count. A pattern matches anywhere in a line.
 * Pieces between stars are looked for from left to right and never tried again, so that no pattern makes a search slow: lines and
 * patterns are short, and each piece is one `indexOf`.
 */

/** Longest pattern, in characters. */
const PATTERN_LENGTH = 200;

export class TextFilter {
  private readonly pieces: readonly string[];

  /** @throws RangeError when the pattern is longer than 200 characters. */
  constructor(pattern: string) {
    if (pattern.length > PATTERN_LENGTH)
      throw new RangeError(`The text to look for has ${pattern.length} characters; use at most ${PATTERN_LENGTH}.`);
    this.pieces = pattern
      .toLowerCase()
      .split("*")
      .filter((piece) => piece);
  }

  matches(line: string): boolean {
    const text = line.toLowerCase();
    let at = 0;
    for (const piece of this.pieces) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return true;
  }
}
