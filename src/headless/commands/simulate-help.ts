/** What `firedrill simulate --help` lists after the options, taken from the engine's own tables. */
import { FAMILY_IDS } from "../../engine/faults/family";
import { CALL_PARAMETERS, type ParameterInfo, SERVICE_PARAMETERS } from "../../engine/parameters";
import { usage } from "../../engine/remedies/parse";
import { VERB_NAMES, VERBS } from "../../engine/remedies/verbs";
import { wrap } from "./simulate-chart";

const COLUMNS = 80;

export function simulateHelp(): string {
  return [
    "Fault families:",
    ...wrap(FAMILY_IDS.join(", "), COLUMNS - 2).map((line) => `  ${line}`),
    "",
    "Actions for --at (a name may be cut short as far as only one fits):",
    ...VERB_NAMES.flatMap((verb) => entry(usage(verb).replace("Usage: ", ""), VERBS[verb].help)),
    "",
    "Parameters of a service for --set, unit and usual value; a share is from 0 to 1:",
    ...parameters(SERVICE_PARAMETERS),
    "",
    "Parameters of a call (caller>callee):",
    ...parameters(CALL_PARAMETERS),
  ].join("\n");
}

function parameters(table: Readonly<Record<string, ParameterInfo>>): string[] {
  return Object.entries(table).flatMap(([name, { unit, initial, meaning }]) =>
    entry(`${name} (${unit}, ${initial})`, meaning),
  );
}

/** A name on a line, what it means beside it where there is room, else below. */
function entry(name: string, meaning: string): string[] {
  const indent = 35;
  const lines = wrap(meaning, COLUMNS - indent);
  const lead = `  ${name}`;
  const [first = "", ...rest] = lines;
  const beside = lead.length + 2 <= indent;
  const shown = beside ? [`${lead.padEnd(indent)}${first}`, ...rest.map(padded)] : [lead, ...lines.map(padded)];
  return shown;

  function padded(line: string): string {
    return `${" ".repeat(indent)}${line}`;
  }
}
