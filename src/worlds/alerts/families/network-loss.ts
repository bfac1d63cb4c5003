import { bySize, type Family, held } from "./family";
import { rises } from "./tells";

/** Packets to a service are lost, in one zone or in all. */
export const networkLoss: Family = {
  mechanism: "network_loss",
  kinds: ["api", "database", "cache", "replica", "third_party", "queue"],
  confusers: ["certificate_expired", "pool_exhaustion", "third_party_slow", "dns_failure", "traffic_surge"],
  tells: [
    rises("loss", { present: [1, 0.012], absent: [1, 0.005] }),
    rises("retransmits", { present: [1, 0.018], absent: [1, 0.007] }),
  ],
  heals: true,
  fits: (_place, has) => has("callers"),
  strike({ place, onset, healed, size, zones, stream }) {
    const average = bySize(size, 0.018, 0.3) * stream.between(0.85, 1.15);
    const zone = stream.chance(0.7) ? stream.pick(zones) : null;
    const facet = zone === null ? {} : { facet: { key: "zone", value: zone, share: 1 / zones.length } };
    const loss = zone === null ? average : Math.min(0.95, average * zones.length);
    return {
      effects: [{ service: place.name, parameter: "loss", profile: held({ onset, healed }, 0.5, loss), ...facet }],
      changes: [],
      facets: [],
      story: `${Math.floor(loss * 100)} % of the packets to ${place.name}${zone === null ? "" : ` in zone ${zone}`} are lost`,
    };
  },
};
