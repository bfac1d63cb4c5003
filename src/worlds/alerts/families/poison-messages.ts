import { bySize, type Family, held } from "./family";
import { rises } from "./tells";

/** Messages that always fail are delivered again and again; the good ones wait behind them. */
export const poisonMessages: Family = {
  mechanism: "poison_messages",
  kinds: ["queue"],
  confusers: ["disk_full", "memory_leak", "cpu_throttling", "bad_deploy"],
  tells: [
    rises("redelivered", { present: [1, 0.15], absent: [1, 0.06] }),
    rises("attempts", { present: [1, 2.5], absent: [1, 1.5] }),
  ],
  heals: false,
  fits: (_place, has) => has("consumer"),
  strike({ place, onset, healed, size, consumer, stream }) {
    const share = bySize(size, 0.05, 0.5) * stream.between(0.95, 1.05);
    return {
      effects:
        consumer === null
          ? []
          : [{ service: consumer, parameter: "poison", profile: held({ onset, healed }, 1.5, share) }],
      changes: [],
      facets: [],
      story: `${Math.floor(share * 100)} % of the messages in ${place.name} always fail and are delivered again and again`,
    };
  },
};
