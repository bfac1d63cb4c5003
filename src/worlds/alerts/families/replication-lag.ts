import { bySize, type Family, held } from "./family";
import { rises } from "./tells";

/** The replica applies writes slower than they come; reads from it grow stale. */
export const replicationLag: Family = {
  mechanism: "replication_lag",
  kinds: ["replica"],
  confusers: ["network_loss", "lock_contention", "cache_loss"],
  tells: [rises("lag", { present: [1, 15], absent: [1, 5] }), rises("backlog", { present: [1, 27], absent: [1, 9] })],
  heals: false,
  lead: [8, 25],
  strike({ place, onset, healed, size, stream }) {
    const cut = bySize(size, 0.36, 0.72) * stream.between(0.97, 1.03);
    return {
      effects: [{ service: place.name, parameter: "apply", profile: held({ onset, healed }, 1, 0 - cut) }],
      changes: stream.chance(0.4)
        ? [
            {
              minute: Math.floor(onset) - 1,
              service: place.name,
              kind: "job",
              text: "export of history tables started",
            },
          ]
        : [],
      facets: [],
      story: `${place.name} applies writes slower than they come and falls further and further behind`,
    };
  },
};
