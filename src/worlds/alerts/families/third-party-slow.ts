import { bySize, type Family, held } from "./family";
import { rises } from "./tells";

/** A vendor answers late and fails more; callers' requests pile up waiting. */
export const thirdPartySlow: Family = {
  mechanism: "third_party_slow",
  kinds: ["third_party"],
  confusers: ["network_loss", "dns_failure", "certificate_expired"],
  tells: [
    rises("latency", { present: [1.55, 0], absent: [1.3, 0] }),
    rises("errors", { present: [1, 0.016], absent: [1, 0.008] }),
  ],
  heals: true,
  strike({ place, onset, healed, size, calmLatency, stream }) {
    return {
      effects: [
        {
          service: place.name,
          parameter: "delay",
          profile: held({ onset, healed }, 2, calmLatency * bySize(size, 0.75, 9) * stream.between(0.9, 1.1)),
        },
        { service: place.name, parameter: "fail", profile: held({ onset, healed }, 2, bySize(size, 0.022, 0.5)) },
      ],
      changes: [],
      facets: [],
      story: `the vendor behind ${place.name} answers slowly and fails more than usual`,
    };
  },
};
