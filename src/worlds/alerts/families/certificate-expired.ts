import { bySize, type Family, held } from "./family";
import { falls, rises } from "./tells";

/** A certificate ran out: new connections fail, those that were open go on. */
export const certificateExpired: Family = {
  mechanism: "certificate_expired",
  kinds: ["api", "third_party", "edge"],
  confusers: ["network_loss", "dns_failure", "bad_config", "third_party_slow"],
  tells: [
    rises("handshake", { present: [1, 0.022], absent: [1, 0.007] }),
    falls("certificate", { present: [0, 0.05], absent: [0, 24] }),
  ],
  heals: false,
  strike({ place, onset, healed, size, stream }) {
    const share = Math.min(0.95, bySize(size, 0.03, 0.6) * stream.between(0.85, 1.15));
    const hour = 60;
    return {
      effects: [
        { service: place.name, parameter: "handshake", profile: held({ onset, healed }, 2, share) },
        { service: place.name, parameter: "certificate", profile: [[onset, onset / hour - 912]] },
      ],
      changes: [],
      facets: [],
      story: `the certificate of ${place.name} ran out, and ${Math.floor(share * 100)} % of the handshakes fail`,
    };
  },
};
