/**
 * The rows of a record, packed. Most columns of a system say nothing most of the time: cohorts that nobody uses, failures that do not occur.
 * Columns are therefore kept in sections, and a section takes memory only for those hours in which one of its columns is not zero.
 * Hours that are over are never written again, so forks share them.
 */
const CHUNK_TICKS = 60;

type Chunk = (Float32Array | null)[];

/** Where the columns of a row are kept; shared by all runs of a plan. */
export interface Layout {
  /** Of each column: its section, or NOWHERE for one that is always zero. */
  readonly section: Uint8Array;
  /** Of each column: its place within the section. */
  readonly place: Int32Array;
  /** Of each section: its columns, in the order of their places. Section 0 is always kept. */
  readonly columns: readonly Int32Array[];
}

export const NOWHERE = 255;

/** @param section of each column: 0 for one that is always kept, 1 … for those kept when needed, NOWHERE for none */
export function layoutOf(section: Uint8Array): Layout {
  const place = new Int32Array(section.length);
  const columns: number[][] = [];
  for (let column = 0; column < section.length; column++) {
    const of = section[column] as number;
    if (of === NOWHERE) continue;
    while (columns.length <= of) columns.push([]);
    const list = columns[of] as number[];
    place[column] = list.length;
    list.push(column);
  }
  return { section, place, columns: columns.map((list) => Int32Array.from(list)) };
}

export class Rows {
  private readonly chunks: Chunk[];

  constructor(
    private readonly layout: Layout,
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

  get(column: number, tick: number): number {
    const section = this.layout.section[column] as number;
    if (section === NOWHERE) return 0;
    const part = this.chunks[Math.floor(tick / CHUNK_TICKS)]?.[section];
    if (!part) return 0;
    const width = (this.layout.columns[section] as Int32Array).length;
    return part[(tick % CHUNK_TICKS) * width + (this.layout.place[column] as number)] as number;
  }

  /** Keeps a whole row. Ticks must come one after the other. */
  put(tick: number, row: Float32Array): void {
    const { columns } = this.layout;
    const index = Math.floor(tick / CHUNK_TICKS);
    let chunk = this.chunks[index];
    if (!chunk) {
      chunk = columns.map((list, section) => (section === 0 ? new Float32Array(list.length * CHUNK_TICKS) : null));
      this.chunks[index] = chunk;
    }
    const line = tick % CHUNK_TICKS;
    for (let section = 0; section < columns.length; section++) {
      const list = columns[section] as Int32Array;
      let part = chunk[section] as Float32Array | null;
      if (!part) {
        if (!anyOf(row, list)) continue;
        part = new Float32Array(list.length * CHUNK_TICKS);
        chunk[section] = part;
      }
      const at = line * list.length;
      for (let i = 0; i < list.length; i++) part[at + i] = row[list[i] as number] as number;
    }
  }

  /** All that is kept as 32-bit words, part after part, for a hash; absent parts are empty. */
  words(): Uint32Array[] {
    return this.chunks.flatMap((chunk) => chunk.map((part) => (part ? new Uint32Array(part.buffer) : EMPTY)));
  }
}

const EMPTY = new Uint32Array();

function anyOf(row: Float32Array, columns: Int32Array): boolean {
  for (let i = 0; i < columns.length; i++) if (row[columns[i] as number] !== 0) return true;
  return false;
}
