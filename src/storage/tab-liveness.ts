/** Whether a browser tab still runs, told by the Web Locks API: a tab's locks go when it is closed, reloaded or crashes. */
import type { Liveness } from "./claim";

/**
 * `id` is a random text. Where there are no Web Locks each tab is a scope of its own, so claims are judged by their last
 * sign of life.
 */
export function tabLiveness(id: string, locks: LockManager | undefined, origin: string): Liveness {
  if (!locks) return { scope: `tab@${origin}#${id}`, token: id, isAlive: async (token) => token === id };
  const name = (token: string): string => `firedrill:${token}`;
  const held = new Promise<void>((resolve, reject) => {
    locks
      .request(name(id), () => {
        resolve();
        // Held until the tab is gone.
        return new Promise<never>(() => {});
      })
      .catch(reject);
  });
  // A refusal is met where the lock is asked about.
  held.catch(() => undefined);
  return {
    scope: `tab@${origin}`,
    token: id,
    isAlive: async (token) => {
      await held;
      const { held: all = [] } = await locks.query();
      return all.some((lock) => lock.name === name(token));
    },
  };
}
