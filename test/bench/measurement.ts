/** What a file `test/bench/<name>.bench.ts` exports as `measurements`; `npm run bench` runs them and sums them up. */
export interface Measurement {
  /** What is measured, for reading. */
  readonly name: string;
  readonly unit: string;
  /** How often `measure` is called; the median of its figures is the result. */
  readonly runs: number;
  /** The agreed limits of the median. */
  readonly least?: number;
  readonly most?: number;
  measure(): number | Promise<number>;
}
