/** The worlds there are. Each is loaded on first use, so that nothing heavy is evaluated before somebody plays. */
import { ScenarioError, type World, type WorldId } from "../core/world";

const LOADERS: Partial<Record<WorldId, () => Promise<World>>> = {
  alerts: async () => (await import("./alerts/world")).alertsWorld as unknown as World,
};

/** Worlds that can be loaded, in listing order. */
export const worldIds: readonly WorldId[] = Object.keys(LOADERS) as WorldId[];

/** @throws ScenarioError when this version has no such world. */
export function loadWorld(id: string): Promise<World> {
  const load = (LOADERS as Partial<Record<string, () => Promise<World>>>)[id];
  if (load && Object.hasOwn(LOADERS, id)) return load();
  return Promise.reject(
    new ScenarioError(`There is no world "${id}" in this version; use one of: ${worldIds.join(", ")}.`),
  );
}
