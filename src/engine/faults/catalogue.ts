/** All fault families. */
import { badDeploy } from "./bad-deploy";
import type { Family } from "./family";

export const FAMILIES: readonly Family[] = [badDeploy];
