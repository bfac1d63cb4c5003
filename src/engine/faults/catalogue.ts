/** All fault families. */

import { badConfig } from "./bad-config";
import { badDeploy } from "./bad-deploy";
import { cacheHerd } from "./cache-herd";
import { certificateExpiry } from "./certificate-expiry";
import { cpuThrottling } from "./cpu-throttling";
import { diskFull } from "./disk-full";
import { dns } from "./dns";
import type { Family } from "./family";
import { flagStorm } from "./flag-storm";
import { hotKey } from "./hot-key";
import { memoryLeak } from "./memory-leak";
import { migrationLock } from "./migration-lock";
import { noFault } from "./no-fault";
import { poisonBacklog } from "./poison-backlog";
import { poolExhaustion } from "./pool-exhaustion";
import { retryStorm } from "./retry-storm";
import { slowThirdParty } from "./slow-third-party";
import { twoFaults } from "./two-faults";
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
  cpuThrottling,
  badConfig,
  migrationLock,
  retryStorm,
  diskFull,
  slowThirdParty,
  noFault,
  hotKey,
  cacheHerd,
  twoFaults,
];
