import { bySize, type Family, held } from "./family";
import { falls, rises } from "./tells";

/** The CPU quota became too small: the container is stopped in most periods while its CPU use looks low. */
export const cpuThrottling: Family = {
  mechanism: "cpu_throttling",
  kinds: ["api", "worker"],
  confusers: ["traffic_surge", "memory_leak", "bad_deploy", "third_party_slow"],
  tells: [
    rises("throttled", { present: [1, 0.4], absent: [1, 0.2] }),
    falls("cpuLimit", { present: [0.8, 0], absent: [0.95, 0] }),
  ],
  heals: false,
  strike({ place, onset, healed, size, stream }) {
    // At a quota equal to the use the service is full; sizes go from just before that point to well past it.
    const quota = place.utilisation * bySize(size, 1.14, 0.7) * stream.between(0.97, 1.03);
    return {
      effects: [{ service: place.name, parameter: "quota", profile: held({ onset, healed }, 0.5, quota - 1) }],
      changes: [
        {
          minute: Math.floor(onset),
          service: place.name,
          kind: "scale",
          text: "resource recommendation applied by the autoscaler",
        },
      ],
      facets: [],
      story: `the autoscaler cut the CPU quota of ${place.name} to ${Math.floor(quota * 100)} % of what it was`,
    };
  },
};
