/** The recordings of the chosen folder as a list: newest first, read once and again only when a file has changed. */
import type { RecordEntry, RecordStore } from "../../core/recorder";
import { actorsIn, type ListedRun, listed, unreadable } from "./listed-run";

/** How many runs a list shows before “Show More”. */
export const PAGE_OF_RUNS = 100;

export class RunLibrary {
  private readonly known = new Map<string, ListedRun>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly store: () => Promise<RecordStore>) {}

  onChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** The folder may have changed. */
  refresh(): void {
    for (const listener of [...this.listeners]) listener();
  }

  /** Summaries of the newest runs, at most `limit`, and how many there are in all. @throws RecordError */
  async newest(limit: number): Promise<{ readonly runs: readonly ListedRun[]; readonly total: number }> {
    const store = await this.store();
    const entries = await store.list();
    const runs: ListedRun[] = [];
    for (const entry of entries.slice(0, limit)) runs.push(await this.summary(store, entry));
    return { runs, total: entries.length };
  }

  /** One run by name; undefined when it is not there. */
  async find(name: string): Promise<ListedRun | undefined> {
    const store = await this.store();
    const entry = (await store.list()).find((each) => each.name === name);
    return entry && this.summary(store, entry);
  }

  async read(name: string): Promise<string> {
    return (await this.store()).read(name);
  }

  /** @throws RecordError when the file cannot be removed. */
  async remove(name: string): Promise<void> {
    await (await this.store()).remove(name);
    this.known.delete(name);
    this.refresh();
  }

  private async summary(store: RecordStore, entry: RecordEntry): Promise<ListedRun> {
    const known = this.known.get(entry.name);
    if (known && known.modified === entry.modified && known.bytes === entry.bytes && known.location === entry.location)
      return known;
    let found: ListedRun;
    try {
      const { summarise } = await import("../../storage/run-summary");
      const text = await store.read(entry.name);
      found = listed(entry, summarise(text), actorsIn(text));
    } catch (error) {
      found = unreadable(entry, error instanceof Error ? error.message : String(error));
    }
    this.known.set(entry.name, found);
    return found;
  }
}
