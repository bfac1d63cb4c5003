import { bySize, type Family, held } from "./family";
import { rises } from "./tells";

/** A long transaction holds locks: queries wait while the database's CPU is idle. */
export const lockContention: Family = {
  mechanism: "lock_contention",
  kinds: ["database"],
  confusers: ["pool_exhaustion", "disk_full", "network_loss", "traffic_surge"],
  tells: [
    rises("lockWait", { present: [1, 4.8], absent: [1, 3.2] }),
    rises("oldestTransaction", { present: [1, 60], absent: [1, 25] }),
  ],
  heals: true,
  strike({ place, onset, healed, size, stream }) {
    const wait = bySize(size, 7, 420) * stream.between(0.8, 1.2);
    const end = healed ?? onset + 240;
    const work = stream.pick([
      "index rebuild",
      "nightly reconciliation",
      "schema migration, step 3",
      "bulk correction",
    ]);
    return {
      effects: [
        { service: place.name, parameter: "lockWait", profile: held({ onset, healed }, 1, wait) },
        {
          service: place.name,
          parameter: "oldestTransaction",
          profile: [
            [onset - 1, 0],
            [end, 60 * (end - onset + 1)],
            [end + 0.25, 0],
          ],
        },
      ],
      changes: stream.chance(0.5)
        ? [
            {
              minute: Math.floor(onset) - 1,
              service: place.name,
              kind: stream.pick(["migration", "job"]),
              text: `${work} started`,
            },
          ]
        : [],
      facets: [],
      story: `a long transaction (${work}) holds locks on ${place.name}, and other queries wait behind it`,
    };
  },
};
