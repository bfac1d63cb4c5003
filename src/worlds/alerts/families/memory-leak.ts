import { bySize, type Family, held } from "./family";
import { counts, peaks } from "./tells";

/** Memory grows until the process is killed, again and again; collection slows it down before each kill. */
export const memoryLeak: Family = {
  mechanism: "memory_leak",
  kinds: ["api", "worker"],
  confusers: ["cpu_throttling", "traffic_surge", "bad_deploy"],
  tells: [peaks("memory", 0.9, 0.84), counts("restarts")],
  heals: false,
  lead: [14, 25],
  strike({ place, onset, size, stream }) {
    const minutesToKill = bySize(size, 13, 5) * stream.between(0.9, 1.1);
    const rate = (1 - place.memory) / minutesToKill;
    return {
      effects: [
        // The fuller heap costs collection time all along, not only before a kill.
        { service: place.name, parameter: "cost", profile: held({ onset, healed: null }, 4, bySize(size, 0.22, 0.9)) },
        {
          service: place.name,
          parameter: "leak",
          profile: [
            [onset, 0],
            [onset + 0.25, rate],
          ],
        },
      ],
      changes: [],
      facets: [],
      story: `the memory of ${place.name} grows until it is killed about every ${Math.floor(minutesToKill + 0.5)} minutes`,
    };
  },
};
