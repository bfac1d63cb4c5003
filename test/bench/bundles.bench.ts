/** What is loaded: the minified bundles as they are packed. */
import { statSync } from "node:fs";
import type { Measurement } from "./measurement";

const KILOBYTE = 1000;

function size(file: string, most: number): Measurement {
  return {
    name: `size of ${file}`,
    unit: "kB",
    runs: 1,
    most,
    measure: () => statSync(`dist/${file}`).size / KILOBYTE,
  };
}

export const measurements: readonly Measurement[] = [
  size("extension.node.js", 1000),
  size("extension.web.js", 1000),
  ...["alerts", "debrief", "proof", "truth-form"].map((panel) => size(`webview/${panel}.js`, 400)),
];
