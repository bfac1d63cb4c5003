/** All fault families. */
import { badDeploy } from "./bad-deploy";
import type { Family } from "./family";
import { memoryLeak } from "./memory-leak";

export const FAMILIES: readonly Family[] = [badDeploy, memoryLeak];
