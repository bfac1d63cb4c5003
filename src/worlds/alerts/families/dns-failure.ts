import { bySize, type Family, held } from "./family";
import { rises } from "./tells";

/** Names do not resolve for a share of the lookups; it spreads as cached answers run out. */
export const dnsFailure: Family = {
  mechanism: "dns_failure",
  kinds: ["dns"],
  confusers: ["network_loss", "third_party_slow", "certificate_expired"],
  tells: [
    rises("lookupErrors", { present: [1, 0.013], absent: [1, 0.005] }),
    rises("nxdomain", { present: [1.4, 0], absent: [1.35, 0] }),
  ],
  heals: true,
  strike({ place, onset, healed, size, stream }) {
    const share = bySize(size, 0.02, 0.6) * stream.between(0.85, 1.15);
    return {
      effects: [{ service: place.name, parameter: "names", profile: held({ onset, healed }, 3, share) }],
      changes: stream.chance(0.4)
        ? [
            {
              minute: Math.floor(onset) - 1,
              service: place.name,
              kind: "config",
              text: `zone serial ${stream.integer(2020, 2999)} published`,
            },
          ]
        : [],
      facets: [],
      story: `${Math.floor(share * 100)} % of the lookups at ${place.name} get no address`,
    };
  },
};
