/** The closed list of causes a player may declare, in the field's words. The generator's families use the same list. */
export const MECHANISMS = {
  bad_deploy: "a new version behaves worse",
  bad_config: "a configuration change is wrong",
  memory_leak: "memory grows until the process is killed",
  cpu_throttling: "a CPU quota is too small",
  pool_exhaustion: "all pooled connections are in use",
  lock_contention: "a long transaction or migration holds locks",
  cache_loss: "the cache lost its entries or is bypassed",
  disk_full: "a disk is full or about to be",
  network_loss: "packets are lost or a zone is cut off",
  dns_failure: "names do not resolve",
  certificate_expired: "a certificate is no longer valid",
  third_party_slow: "a vendor answers slowly or not at all",
  traffic_surge: "more requests arrive than capacity allows",
  poison_messages: "messages that always fail block a queue",
  replication_lag: "a replica falls behind its primary",
  undetermined: "what can be read does not tell",
} as const;
export type Mechanism = keyof typeof MECHANISMS;
export const MECHANISM_NAMES = Object.keys(MECHANISMS) as readonly Mechanism[];
