/** Imported first by every panel: the moment the script's first line ran, in milliseconds of `performance.now()`. */
export const STARTED = performance.now();
