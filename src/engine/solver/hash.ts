/** A 64-bit digest of a run, from 32-bit integer arithmetic only, so that it is the same on every engine. */

/** @returns 16 hexadecimal digits */
export function hashWords(parts: readonly Uint32Array[], text: string): string {
  const lanes: [number, number] = [0x811c9dc5, 0x9e3779b9];
  for (const words of parts) {
    for (let i = 0; i < words.length; i++) mix(lanes, words[i] as number);
    mix(lanes, words.length);
  }
  for (let i = 0; i < text.length; i++) mix(lanes, text.charCodeAt(i));
  return hex(finish(lanes[0])) + hex(finish(lanes[1]));
}

function mix(lanes: [number, number], word: number): void {
  let h = Math.imul(lanes[0] ^ word, 0x85ebca6b);
  lanes[0] = h ^ (h >>> 15);
  h = Math.imul(lanes[1] ^ word, 0xc2b2ae35) + lanes[0];
  lanes[1] = (h ^ (h >>> 13)) | 0;
}

function finish(lane: number): number {
  let h = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}
