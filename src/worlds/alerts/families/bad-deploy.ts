import { bySize, type Family, held, versions } from "./family";
import { splits } from "./tells";

/** A new version answers part of its requests wrongly and slowly; the old version beside it is well. */
export const badDeploy: Family = {
  mechanism: "bad_deploy",
  kinds: ["api", "worker"],
  confusers: ["bad_config", "traffic_surge", "cpu_throttling", "network_loss"],
  tells: [splits("errors", "version", 3, 0.006), splits("latency", "version", 1.3, 0)],
  needsChange: ["deploy"],
  heals: true,
  strike({ place, onset, healed, size, calmLatency, stream }) {
    const [old, next] = versions(stream);
    const share = stream.between(0.3, 0.7);
    const bad = { key: "version", value: next, share };
    const fail = bySize(size, 0.016, 0.75) * stream.between(0.8, 1.2);
    const delay = calmLatency * bySize(size, 0.5, 5);
    const percent = Math.floor(share * 100);
    const back =
      healed === null
        ? []
        : [
            {
              minute: Math.ceil(healed),
              service: place.name,
              kind: "deploy",
              text: `${place.name} ${next} to ${old}, automatic rollback`,
            },
          ];
    return {
      effects: [
        {
          service: place.name,
          parameter: "fail",
          facet: bad,
          profile: held({ onset, healed }, 1, Math.min(fail, 0.95)),
        },
        { service: place.name, parameter: "delay", facet: bad, profile: held({ onset, healed }, 1, delay) },
      ],
      changes: [
        {
          minute: Math.floor(onset),
          service: place.name,
          kind: "deploy",
          text: `${place.name} ${old} to ${next}, ${percent} % of instances`,
        },
        ...back,
      ],
      facets: [
        { service: place.name, facet: { key: "version", value: old, share: 1 - share }, since: -1000 },
        { service: place.name, facet: bad, since: onset },
      ],
      story: `version ${next} of ${place.name}, rolled out to ${percent} % of its instances, fails and answers slowly`,
    };
  },
};
