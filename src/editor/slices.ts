/** Long work in short pieces, so that the editor stays responsive. */

/** Milliseconds a piece of work may hold the thread before it lets others run; well under 50. */
const SLICE_MS = 12;

export interface SliceOptions {
  /** Called at most once a slice. */
  readonly onProgress?: (() => void) | undefined;
  /** Asked between slices; true ends the work early. */
  readonly isCancelled?: (() => boolean) | undefined;
  readonly milliseconds?: () => number;
}

/**
 * Runs a generator, letting other work run whenever a slice is used up. Each `yield` is a place where it may stop.
 * Resolves with the generator's result, or undefined when it was cancelled.
 */
export async function inSlices<T>(work: Iterator<unknown, T>, options: SliceOptions = {}): Promise<T | undefined> {
  const milliseconds = options.milliseconds ?? (() => performance.now());
  let started = milliseconds();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
    if (milliseconds() - started < SLICE_MS) continue;
    options.onProgress?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (options.isCancelled?.()) return undefined;
    started = milliseconds();
  }
}
