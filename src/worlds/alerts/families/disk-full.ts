import { bySize, type Family } from "./family";
import { rises } from "./tells";

/** The data volume fills up; writes are refused while reads still work. */
export const diskFull: Family = {
  mechanism: "disk_full",
  kinds: ["database", "queue"],
  confusers: ["lock_contention", "poison_messages", "network_loss", "pool_exhaustion"],
  tells: [
    rises("disk", { present: [0, 0.965], absent: [0, 0.94] }),
    rises("writeErrors", { present: [0, 0.02], absent: [0, 0.002] }),
  ],
  heals: false,
  strike({ place, onset, size, stream }) {
    // The volume begins to fill before anybody feels it; how full it stays (a cleaner works against it) sets the refused share.
    const before = stream.between(12, 28);
    const level = bySize(size, 0.967, 0.995);
    const start = onset - before;
    const rate = (level - (place.disk ?? 0.5)) / before;
    return {
      effects: [
        {
          service: place.name,
          parameter: "fill",
          profile: [
            [start, 0],
            [start + 0.25, rate],
            [onset, rate],
            [onset + 0.25, 0],
          ],
        },
      ],
      changes: [],
      facets: [],
      story: `the data volume of ${place.name} ran full and refuses writes`,
    };
  },
};
