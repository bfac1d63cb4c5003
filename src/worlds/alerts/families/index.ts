/** All families, in the order of the catalogue of mechanisms. */

import type { Mechanism } from "../mechanisms";
import { badConfig } from "./bad-config";
import { badDeploy } from "./bad-deploy";
import { cacheLoss } from "./cache-loss";
import { certificateExpired } from "./certificate-expired";
import { cpuThrottling } from "./cpu-throttling";
import { diskFull } from "./disk-full";
import { dnsFailure } from "./dns-failure";
import type { Family } from "./family";
import { lockContention } from "./lock-contention";
import { memoryLeak } from "./memory-leak";
import { networkLoss } from "./network-loss";
import { poisonMessages } from "./poison-messages";
import { poolExhaustion } from "./pool-exhaustion";
import { replicationLag } from "./replication-lag";
import { thirdPartySlow } from "./third-party-slow";
import { trafficSurge } from "./traffic-surge";

export const FAMILIES: readonly Family[] = [
  badDeploy,
  badConfig,
  memoryLeak,
  cpuThrottling,
  poolExhaustion,
  lockContention,
  cacheLoss,
  diskFull,
  networkLoss,
  dnsFailure,
  certificateExpired,
  thirdPartySlow,
  trafficSurge,
  poisonMessages,
  replicationLag,
];

/** @throws RangeError when no family has the mechanism. */
export function familyOf(mechanism: Mechanism): Family {
  const family = FAMILIES.find((candidate) => candidate.mechanism === mechanism);
  if (family === undefined) throw new RangeError(`No family causes "${mechanism}".`);
  return family;
}
