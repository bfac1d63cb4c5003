/** `firedrill import alerts`: a payload of a real monitoring system as the skeleton of a scenario file. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ScenarioError } from "../../core/world";
import type { AlertSet } from "../../worlds/alerts/import";
import { newSalt, readText } from "../arguments";
import { couldNotRun, EXIT, type ExitCode, type Io, print } from "../io";
import { writeWhole } from "../write-file";

export interface ImportAlertsOptions {
  readonly out?: string;
  readonly json?: boolean;
}

export async function importAlertsCommand(file: string, options: ImportAlertsOptions, io: Io): Promise<ExitCode> {
  const { draftFrom, importAlerts, writeSkeleton } = await import("../../worlds/alerts/import");
  const text = await readText(file);
  let set: AlertSet;
  let skeleton: string;
  try {
    set = importAlerts(text);
    skeleton = writeSkeleton(set, draftFrom(set), newSalt(io));
  } catch (error) {
    if (error instanceof ScenarioError) throw couldNotRun(`${file}: ${error.message}`);
    throw error;
  }
  const out = options.out === undefined ? null : resolve(options.out);
  // Somebody's answers may stand in the file that is there.
  if (out && (await stat(out).catch(() => null))?.isFile())
    throw couldNotRun(`${out} exists already; choose another name or move it away.`);
  if (out) await writeWhole(out, skeleton);
  for (const note of set.source.notes) io.error(`${note}\n`);
  const value = { alerts: set.alerts.length, groups: set.source.groups, file: out };
  print(io, options.json, value, () => {
    const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
    const read = `${counted(value.alerts, "alert")} in ${counted(value.groups, "notification group")}.`;
    return out ? `${read}\nWritten to ${out}; add the truth there, then play it with --scenario ${options.out}.` : read;
  });
  return EXIT.done;
}
