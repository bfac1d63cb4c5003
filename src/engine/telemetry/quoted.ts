/** What somebody typed, in a message: no longer than a sentence can bear. */
export function quoted(typed: unknown): string {
  const text = `${typed}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const LONGEST = 60;
