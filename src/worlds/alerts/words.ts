/** What people read in place of a name in the data. Arguments, recordings and grades keep the names. */
import type { Choice } from "../../core/action";
import { DISPOSITIONS, type Disposition } from "./dispositions";
import { MECHANISM_NAMES, MECHANISMS, type Mechanism } from "./mechanisms";

export const DISPOSITION_WORDS: Readonly<Record<Disposition, string>> = {
  routed: "Routed to the teams",
  self_recovered: "Recovered by itself",
  no_fault: "Nothing was wrong",
  escalated: "Escalated",
  inconclusive: "Inconclusive",
};

export const MECHANISM_WORDS: Readonly<Record<Mechanism, string>> = {
  bad_deploy: "Bad deploy",
  bad_config: "Bad configuration",
  memory_leak: "Memory leak",
  cpu_throttling: "CPU throttling",
  pool_exhaustion: "Pool exhaustion",
  lock_contention: "Lock contention",
  cache_loss: "Cache loss",
  disk_full: "Full disk",
  network_loss: "Network loss",
  dns_failure: "DNS failure",
  certificate_expired: "Expired certificate",
  third_party_slow: "Slow third party",
  traffic_surge: "Traffic surge",
  poison_messages: "Poison messages",
  replication_lag: "Replication lag",
  undetermined: "Undetermined",
};

const DISPOSITION_MEANINGS: Readonly<Record<Disposition, string>> = {
  routed: "each incident is handed to the team that owns its cause",
  self_recovered: "it healed before anybody had to act",
  no_fault: "no alert belongs to an incident",
  escalated: "what can be read does not tell, and another team was called in",
  inconclusive: "what can be read does not tell",
};

export function dispositionChoices(): Choice[] {
  return DISPOSITIONS.map((value) => ({
    value,
    label: DISPOSITION_WORDS[value],
    detail: DISPOSITION_MEANINGS[value],
  }));
}

export function mechanismChoices(): Choice[] {
  return MECHANISM_NAMES.map((value) => ({ value, label: MECHANISM_WORDS[value], detail: MECHANISMS[value] }));
}
