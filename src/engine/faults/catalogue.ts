/** All fault families. */
import { badDeploy } from "./bad-deploy";
import { certificateExpiry } from "./certificate-expiry";
import { dns } from "./dns";
import type { Family } from "./family";
import { flagStorm } from "./flag-storm";
import { memoryLeak } from "./memory-leak";
import { poisonBacklog } from "./poison-backlog";
import { poolExhaustion } from "./pool-exhaustion";
import { zonePartition } from "./zone-partition";

export const FAMILIES: readonly Family[] = [
  badDeploy,
  memoryLeak,
  flagStorm,
  poolExhaustion,
  poisonBacklog,
  zonePartition,
  certificateExpiry,
  dns,
];
