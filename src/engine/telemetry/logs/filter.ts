/**
 * Text filters: literal text, in which `*` stands for anything. Letters' case does not count. A pattern matches anywhere in a line.
 * Pieces between stars are looked for from left to right and never tried again, so that no pattern makes a search slow: work is at most
 * proportional to the length of the line for each piece (Knuth, Morris and Pratt 1977).
 */

/** Longest pattern, in characters. */
const PATTERN_LENGTH = 200;

export class TextFilter {
  private readonly pieces: readonly Piece[];

  /** @throws RangeError when the pattern is longer than 200 characters. */
  constructor(pattern: string) {
    if (pattern.length > PATTERN_LENGTH)
      throw new RangeError(`The text to look for has ${pattern.length} characters; use at most ${PATTERN_LENGTH}.`);
    this.pieces = pattern
      .toLowerCase()
      .split("*")
      .filter((piece) => piece)
      .map((text) => ({ text, back: backOf(text) }));
  }

  matches(line: string): boolean {
    const text = line.toLowerCase();
    let at = 0;
    for (const piece of this.pieces) {
      at = find(text, piece, at);
      if (at < 0) return false;
    }
    return true;
  }
}

interface Piece {
  readonly text: string;
  /** Length of the longest proper prefix that is also a suffix, of each prefix. */
  readonly back: Uint8Array;
}

function backOf(piece: string): Uint8Array {
  const back = new Uint8Array(piece.length);
  for (let i = 1, same = 0; i < piece.length; i++) {
    while (same > 0 && piece[i] !== piece[same]) same = back[same - 1] as number;
    if (piece[i] === piece[same]) same++;
    back[i] = same;
  }
  return back;
}

/** Where the first occurrence from `from` on ends; −1 for none. Each character is compared at most twice. */
function find(text: string, piece: Piece, from: number): number {
  const wanted = piece.text;
  // The first character is found quickly; the rest is Knuth, Morris and Pratt.
  let at = text.indexOf(wanted[0] as string, from);
  if (at < 0) return -1;
  for (let same = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (same > 0 && code !== wanted.charCodeAt(same)) same = piece.back[same - 1] as number;
    if (code === wanted.charCodeAt(same)) same++;
    if (same === wanted.length) return at + 1;
  }
  return -1;
}
