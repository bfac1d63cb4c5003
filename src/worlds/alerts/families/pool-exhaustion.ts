import { bySize, type Family, held } from "./family";
import { rises } from "./tells";

/** Sessions that are never given back fill the connection pool; the database behind it is idle. */
export const poolExhaustion: Family = {
  mechanism: "pool_exhaustion",
  kinds: ["api"],
  confusers: ["lock_contention", "network_loss", "bad_deploy", "traffic_surge"],
  tells: [
    rises("poolUse", { present: [0, 0.91], absent: [0, 0.87] }),
    rises("poolPending", { present: [1, 0.9], absent: [1, 0.5] }),
  ],
  heals: false,
  fits: (_place, has) => has("pool"),
  strike({ place, onset, healed, size, stream }) {
    const idle = bySize(size, 0.53, 0.8) * stream.between(0.985, 1.015);
    return {
      effects: [{ service: place.name, parameter: "held", profile: held({ onset, healed }, 2.5, idle) }],
      changes: [],
      facets: [],
      story: `idle sessions hold ${Math.floor(idle * 100)} % of the connections of ${place.name}, so that requests wait for the rest`,
    };
  },
};
