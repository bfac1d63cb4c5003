/**
 * One writer a recording. A writer leaves a claim, a small file of its own beside the recording, and only then looks for
 * others: of two that come at once at least one sees the other, so never do both go on. A claim is never overwritten or
 * reused, so removing a dead writer's claim cannot hit a living one.
 */
import { RecordError } from "../core/recorder";

/** Whether the process or browser tab behind a claim still runs. */
export interface Liveness {
  /** Where tokens can be judged, e.g. a host's name: a token from elsewhere is judged by its last sign of life. */
  readonly scope: string;
  /** Stands for this process or tab. */
  readonly token: string;
  isAlive(token: string): Promise<boolean>;
}

/** The few file operations a claim needs, in the folder of the recordings. */
export interface ClaimFiles {
  /** Creates or replaces a small file. */
  writeFile(name: string, bytes: Uint8Array): Promise<void>;
  readFile(name: string): Promise<Uint8Array>;
  /** Does nothing when the file is not there. */
  delete(name: string): Promise<void>;
  /** Names of the files in the folder. */
  names(): Promise<readonly string[]>;
}

export interface ClaimOptions {
  readonly files: ClaimFiles;
  readonly liveness: Liveness;
  /** A random text, new for every claim. */
  readonly writer: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Claim {
  readonly writer: string;
  /** Leaves a sign of life, for those who cannot tell by the token. */
  beat(): Promise<void>;
  release(): Promise<void>;
}

/** How often a holder leaves a sign of life, and after how long without one it counts as gone. Milliseconds. */
export const BEAT_EVERY_MS = 10_000;
export const GONE_AFTER_MS = 60_000;
export const CLAIM_SUFFIX = ".lock";

const READ_ATTEMPTS = 4;
const READ_AGAIN_MS = 25;

interface ClaimFacts {
  readonly scope: string;
  readonly token: string;
  readonly at: number;
}

/** Claims a recording. @throws RecordError `busy` when another living writer holds it. */
export async function claim(recording: string, options: ClaimOptions): Promise<Claim> {
  const { files, liveness, writer, now } = options;
  const own = `${recording}.${writer}${CLAIM_SUFFIX}`;
  const beat = () => {
    const facts: ClaimFacts = { scope: liveness.scope, token: liveness.token, at: now() };
    return files.writeFile(own, new TextEncoder().encode(JSON.stringify(facts)));
  };
  await beat();
  try {
    for (const other of await claimsOn(recording, files)) {
      if (other === own) continue;
      if (await holds(other, options)) throw busy(recording);
      await files.delete(other);
    }
  } catch (error) {
    await files.delete(own);
    throw error;
  }
  return { writer, beat, release: () => files.delete(own) };
}

/** Whether a living writer holds a recording. */
export async function isClaimed(recording: string, options: Omit<ClaimOptions, "writer">): Promise<boolean> {
  for (const other of await claimsOn(recording, options.files)) if (await holds(other, options)) return true;
  return false;
}

async function claimsOn(recording: string, files: ClaimFiles): Promise<string[]> {
  const names = await files.names();
  return names.filter((name) => name.startsWith(`${recording}.`) && name.endsWith(CLAIM_SUFFIX));
}

async function holds(name: string, { files, liveness, now }: Omit<ClaimOptions, "writer">): Promise<boolean> {
  const facts = await readClaim(name, files);
  // Unreadable for longer than a sign of life takes to write: its writer died while it claimed.
  if (!facts) return false;
  if (facts.scope === liveness.scope) return liveness.isAlive(facts.token);
  return now() - facts.at < GONE_AFTER_MS;
}

/** A claim, or null when it is gone or cut off. One that is just being written is given a moment. */
async function readClaim(name: string, files: ClaimFiles): Promise<ClaimFacts | null> {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    try {
      return JSON.parse(new TextDecoder().decode(await files.readFile(name))) as ClaimFacts;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
    }
  }
  return null;
}

function busy(recording: string): RecordError {
  return new RecordError(`Another window is writing ${recording}; go on there, or close it and try again.`, "busy");
}
