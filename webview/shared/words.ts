/** Names of the data in running text, in the words people read. */

/** Names of two or more parts: a plain word such as `routed` is read as it is. */
const NAME = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g;

/** `said disk_full` → `said “Full disk”`; a name without words stays. */
export function inWords(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(NAME, (name) => (Object.hasOwn(words, name) ? `“${words[name]}”` : name));
}
