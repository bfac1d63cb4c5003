import { bySize, type Family, held, revisions } from "./family";
import { splits } from "./tells";

/** Instances that loaded a new configuration revision reject and delay requests, whatever version they run. */
export const badConfig: Family = {
  mechanism: "bad_config",
  kinds: ["api", "edge"],
  confusers: ["bad_deploy", "certificate_expired", "network_loss", "traffic_surge"],
  tells: [splits("errors", "config", 3, 0.006), splits("latency", "config", 1.3, 0)],
  needsChange: ["config", "flag"],
  heals: false,
  strike({ place, onset, healed, size, calmLatency, stream }) {
    const [old, next] = revisions(stream);
    const share = stream.between(0.35, 0.8);
    const bad = { key: "config", value: next, share };
    const fail = Math.min(0.95, bySize(size, 0.016, 0.7) * stream.between(0.8, 1.2));
    const delay = calmLatency * bySize(size, 0.5, 4);
    const subject = stream.pick(["time-outs", "routing table", "feature set", "request limits"]);
    return {
      effects: [
        { service: place.name, parameter: "fail", facet: bad, profile: held({ onset, healed }, 0.5, fail) },
        { service: place.name, parameter: "delay", facet: bad, profile: held({ onset, healed }, 0.5, delay) },
      ],
      changes: [
        {
          minute: Math.floor(onset),
          service: place.name,
          kind: "config",
          text: `${subject}: ${old} to ${next}, staged`,
        },
      ],
      facets: [
        { service: place.name, facet: { key: "config", value: old, share: 1 - share }, since: -1000 },
        { service: place.name, facet: bad, since: onset },
      ],
      story: `configuration ${next} (${subject}) makes the instances of ${place.name} that loaded it reject and delay requests`,
    };
  },
};
