/** Bundled for Node and for a browser: the same sequences must give the same digest in both. */
import { digest } from "../../src/core/json";
import { loadWorld, worldIds } from "../../src/worlds/catalogue";
import { plansFor, playSequence } from "./sequences";

/** Plays `count` seeded sequences of every world and returns a digest of every byte they showed. */
export async function determinismDigest(count: number): Promise<string> {
  const digests: string[] = [];
  for (const id of worldIds) {
    const world = await loadWorld(id);
    for (const plan of plansFor(world, count)) digests.push(playSequence(world, plan).digest);
  }
  return digest(digests);
}
