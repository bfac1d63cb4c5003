/** Texts as somebody who looks for hidden ones would read them: as they are, and out of base64 and hexadecimal digits. */

/** How often one encoding may stand in another. */
const DEEPEST = 3;
const BASE64 = /[A-Za-z0-9+/_-]{8,}/g;
const HEX = /[0-9A-Fa-f]{16,}/g;

/** The text, and what every run of base64 or hexadecimal digits in it stands for, at any offset, encodings in encodings included. */
export function decoded(text: string, depth = 0): string[] {
  if (depth === DEEPEST) return [text];
  const found = [text];
  for (const [run] of text.matchAll(BASE64))
    for (let offset = 0; offset < 4; offset++) found.push(...inner(Buffer.from(run.slice(offset), "base64"), depth));
  for (const [run] of text.matchAll(HEX))
    for (let offset = 0; offset < 2; offset++) found.push(...inner(Buffer.from(run.slice(offset), "hex"), depth));
  return found;
}

/** Only what may be text again is looked into further; bytes at a wrong offset are noise. */
function inner(bytes: Buffer, depth: number): string[] {
  const text = bytes.toString("latin1");
  const plain = text.match(/[\x20-\x7e]{8,}/g) ?? [];
  return [text, ...plain.flatMap((part) => decoded(part, depth + 1))];
}

/** Which of the words show in a text, however encoded. */
export function shownIn(text: string, words: readonly string[]): string[] {
  const all = decoded(text).join("\n");
  return words.filter((word) => all.includes(word));
}
