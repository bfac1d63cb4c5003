export const MAY_IMPORT: Readonly<Record<string, readonly string[]>>;
export const PURE: readonly string[];
/** Breaches of one file, each one sentence; `file` is a path from the project's root. */
export function breaches(file: string, source: string): string[];
/** All source files the rules concern, as paths from the project's root. */
export function sources(root?: string): string[];
