/** All kinds of log lines by name. */
import { CHANGE_KINDS } from "./changes";
import { CONSUMER_KINDS, DEPENDENCY_KINDS } from "./dependencies";
import type { LogKind } from "./kind";
import { REQUEST_KINDS } from "./requests";
import { RESOURCE_KINDS } from "./resources";
import { ROUTINE_KINDS } from "./routine";
import { STORE_KINDS } from "./stores";

export const LOG_KINDS = {
  ...REQUEST_KINDS,
  ...DEPENDENCY_KINDS,
  ...CONSUMER_KINDS,
  ...STORE_KINDS,
  ...RESOURCE_KINDS,
  ...ROUTINE_KINDS,
  ...CHANGE_KINDS,
} as const satisfies Record<string, LogKind>;
export type LogKindName = keyof typeof LOG_KINDS;
