/** Recordings in memory: for players that nobody keeps, and for tests. */
import {
  RECORD_SUFFIX,
  type RecordEntry,
  RecordError,
  type RecordSink,
  type RecordStore,
  type ScenarioStore,
  scenarioCopyName,
} from "../core/recorder";
import { copyName } from "./scenario-folder";

export class MemoryRecordStore implements RecordStore {
  private readonly texts = new Map<string, string>();
  private readonly open = new Set<string>();
  /** Copies of scenario files by their names. */
  readonly copies = new Map<string, string>();
  readonly scenarios: ScenarioStore = {
    keep: async (hash, text) => {
      this.copies.set(copyName(hash), text);
    },
    find: async (hash) => this.copies.get(scenarioCopyName(hash) ?? "") ?? null,
  };

  /** Adds or replaces a recording as it would stand in a file, torn tail and all. */
  put(name: string, text: string): void {
    this.texts.set(name, text);
  }

  async create(name: string): Promise<RecordSink> {
    if (this.texts.has(name) || this.open.has(name))
      throw new RecordError(`${name} exists already; choose another name.`, "exists");
    return this.sink(name);
  }

  async resume(name: string): Promise<{ sink: RecordSink; text: string; torn: string }> {
    const all = this.textOf(name);
    if (this.open.has(name)) throw new RecordError(`${name} is being written already; close it first.`, "busy");
    const text = wholeLines(all);
    this.texts.set(name, text);
    return { sink: this.sink(name), text, torn: all.slice(text.length) };
  }

  async read(name: string): Promise<string> {
    return wholeLines(this.textOf(name));
  }

  async list(): Promise<readonly RecordEntry[]> {
    const names = [...this.texts.keys()].filter((name) => name.endsWith(RECORD_SUFFIX)).reverse();
    return names.map((name, i) => ({
      name,
      location: `memory:${name}`,
      bytes: new TextEncoder().encode(this.texts.get(name)).length,
      modified: names.length - i,
    }));
  }

  async remove(name: string): Promise<void> {
    this.textOf(name);
    if (this.open.has(name)) throw new RecordError(`${name} is being written; end that run first.`, "busy");
    this.texts.delete(name);
  }

  private sink(name: string): RecordSink {
    this.open.add(name);
    return {
      location: `memory:${name}`,
      append: async (text) => {
        if (!this.open.has(name)) throw new RecordError(`${name} is closed; open the run again.`, "other");
        this.texts.set(name, (this.texts.get(name) ?? "") + text);
      },
      sync: async () => {},
      close: async () => {
        this.open.delete(name);
      },
    };
  }

  private textOf(name: string): string {
    const text = this.texts.get(name);
    if (text === undefined) throw new RecordError(`There is no recording ${name}; check the name.`, "gone");
    return text;
  }
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}
