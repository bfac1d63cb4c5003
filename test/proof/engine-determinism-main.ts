/** `node scripts/run.mjs test/proof/engine-determinism-main.ts 0 10000`: compares so many runs from a seed on; ends with 1 where one differs. */
import { findChromium } from "../../scripts/editor.mjs";
import { chromium, compareMachines, node, quickJs } from "./engine-determinism-machines";

const [from = 0, runs = 1] = process.argv.slice(2).map(Number);
const machines = [await node(), await quickJs(), ...((await findChromium()) ? [await chromium()] : [])];
try {
  const { different } = await compareMachines(machines, from, runs, (done) => {
    if (done % 1000 === 0) console.log(`${done} of ${runs} runs`);
  });
  const names = machines.map((machine) => machine.name).join(", ");
  console.log(different.length ? different.join("\n") : `${runs} runs are the same in ${names}`);
  if (different.length) process.exitCode = 1;
} finally {
  for (const machine of machines) await machine.close();
}
