/** What differs between the two extension hosts, and what must be replaceable in tests. */
import type { Uri } from "vscode";
import type { RecordStore } from "../../core/recorder";
import type { Seed } from "../../core/rng";

export interface Ports {
  readonly host: "node" | "web";
  /** Opens the folder where recordings are kept. It is made on the first write. */
  openStore(folder: Uri): Promise<RecordStore>;
  /** Eight hexadecimal digits that name a run. */
  randomId(): string;
  /** A seed from 0 to 999,999: short enough to read out to somebody. */
  randomSeed(): Seed;
  /** Text that makes a content security policy's nonce. */
  nonce(): string;
  /** Wall clock, ISO 8601. For file names and `wall_*` fields only. */
  now(): string;
  /** Wall clock in milliseconds, for the drill timer and thinking time. */
  milliseconds(): number;
}

export const SEED_BOUND = 1_000_000;

/** Builds the random ports from bytes. */
export function randomPorts(bytes: (n: number) => Uint8Array): Pick<Ports, "randomId" | "randomSeed" | "nonce"> {
  const hex = (n: number): string => [...bytes(n)].map((b) => b.toString(16).padStart(2, "0")).join("");
  return {
    randomId: () => hex(4),
    randomSeed: () => bytes(4).reduce((value, byte) => value * 256 + byte, 0) % SEED_BOUND,
    nonce: () => hex(16),
  };
}
