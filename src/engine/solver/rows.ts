/**
 * The memory of a record: hours of float32 rows. The columns of a system are kept in sections, and a section takes memory only in
 * those hours in which it has something to say: cohorts that nobody uses and failures that do not occur take none. Hours that are over
 * are never written again, so forks share them.
 */
import type { Row } from "../run";

export const CHUNK_TICKS = 60;

type Chunk = (Float32Array | null)[];

export class Rows {
  private readonly chunks: Chunk[];

  /** @param widths columns of each section */
  constructor(
    private readonly widths: readonly number[],
    from?: Rows,
  ) {
    this.chunks = from ? from.chunks.slice() : [];
    const last = this.chunks.length - 1;
    if (last >= 0) this.chunks[last] = (this.chunks[last] as Chunk).map((part) => (part ? part.slice() : null));
  }

  /** Bytes held, those shared with forks included. */
  get size(): number {
    let bytes = 0;
    for (const chunk of this.chunks) for (const part of chunk) bytes += part ? part.byteLength : 0;
    return bytes;
  }

  /** The number at a place of a section's row; 0 where the section is not kept. */
  get(section: number, place: number, tick: number): number {
    if (tick < 0) return 0;
    // Whole numbers: engines divide them by multiplying.
    const index = (tick / CHUNK_TICKS) | 0;
    const part = this.chunks[index]?.[section];
    return part ? (part[(tick - index * CHUNK_TICKS) * (this.widths[section] as number) + place] as number) : 0;
  }

  /** Points at a section's row from a place on; at zeros where the section is not kept. */
  find(section: number, place: number, tick: number, row: Row): void {
    const index = (tick / CHUNK_TICKS) | 0;
    const part = tick < 0 ? null : this.chunks[index]?.[section];
    row.values = part ?? ZEROS;
    row.at = part ? (tick - index * CHUNK_TICKS) * (this.widths[section] as number) + place : 0;
  }

  /** The hour of a section that holds a tick, made where it is not kept yet. */
  need(section: number, tick: number): Float32Array {
    const index = Math.floor(tick / CHUNK_TICKS);
    const chunk = this.chunks[index] ?? this.widths.map(() => null);
    this.chunks[index] = chunk;
    const part = chunk[section] ?? new Float32Array((this.widths[section] as number) * CHUNK_TICKS);
    chunk[section] = part;
    return part;
  }

  /** All that is kept as 32-bit words, part after part, for a hash; absent parts are empty. */
  words(): Uint32Array[] {
    return this.chunks.flatMap((chunk) => chunk.map((part) => (part ? new Uint32Array(part.buffer) : EMPTY)));
  }
}

const EMPTY = new Uint32Array();
/** As long as the longest row of a place. */
const ZEROS = new Float32Array(64);
