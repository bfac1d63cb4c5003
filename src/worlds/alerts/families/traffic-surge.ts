import { bySize, type Family, held } from "./family";
import { rises } from "./tells";

/** More clients ask for more than the service can do. */
export const trafficSurge: Family = {
  mechanism: "traffic_surge",
  kinds: ["api", "edge"],
  confusers: ["cpu_throttling", "bad_deploy", "memory_leak", "network_loss"],
  tells: [
    rises("load", { present: [1.45, 0], absent: [1.25, 0] }),
    rises("clients", { present: [1.45, 0], absent: [1.25, 0] }),
  ],
  heals: true,
  strike({ place, onset, healed, size, stream }) {
    const factor = (bySize(size, 0.77, 1.9) / place.utilisation) * stream.between(0.97, 1.03);
    return {
      effects: [{ service: place.name, parameter: "demand", profile: held({ onset, healed }, 2.5, factor - 1) }],
      changes: [],
      facets: [],
      story: `${Math.floor(factor * 10) / 10} times the usual requests reach ${place.name}, more than it can serve`,
    };
  },
};
