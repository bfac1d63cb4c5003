import { bySize, type Family, held } from "./family";
import { falls } from "./tells";

/** The cache lost entries or is passed by; its misses fall on the store behind it. */
export const cacheLoss: Family = {
  mechanism: "cache_loss",
  kinds: ["cache"],
  confusers: ["traffic_surge", "network_loss", "lock_contention"],
  tells: [
    falls("hit", { present: [0.97, 0], absent: [0.982, 0] }),
    falls("keys", { present: [0.93, 0], absent: [0.965, 0] }),
  ],
  heals: false,
  strike({ place, onset, healed, size, stream }) {
    const lost = bySize(size, 0.036, 0.3) * stream.between(0.9, 1.1);
    return {
      effects: [{ service: place.name, parameter: "hit", profile: held({ onset, healed }, 1.5, 0 - lost) }],
      changes: stream.chance(0.4)
        ? [
            {
              minute: Math.floor(onset),
              service: place.name,
              kind: "restart",
              text: "one node restarted by its supervisor",
            },
          ]
        : [],
      facets: [],
      story: `${place.name} keeps losing entries, and the store behind it gets the misses`,
    };
  },
};
