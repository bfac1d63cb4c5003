/** How much of the proof is run: `FIREDRILL_PROOF_SEEDS=0..49`, or a stated fraction of it where nothing is set. */
const FRACTION = "0..7";

/** The seeds to run, both ends included. @throws Error when the variable is no range. */
export function proofSeeds(variable = "FIREDRILL_PROOF_SEEDS", fallback = FRACTION): number[] {
  const text = process.env[variable] ?? fallback;
  const range = /^(\d+)\.\.(\d+)$/.exec(text);
  if (!range) throw new Error(`${variable} must be a range such as 0..49, not "${text}".`);
  const [from, to] = [Number(range[1]), Number(range[2])];
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
