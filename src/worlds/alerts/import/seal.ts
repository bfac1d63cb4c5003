/**
 * The author's truth, apart from what may be shown: packed as it stands in the scenario file, and the seal that stands for it
 * in everything published before the end.
 *
 * A queue has few possible answers — closings, teams, mechanisms, who belongs to which incident — so whoever had a plain hash
 * of the true ones could try them all. The seal is therefore a hash of the answers with a salt: 128 bits of chance that stay
 * where the answers stay. 64 bits are all the seal has, so every answer fits it with about 2^64 salts, and it favours none;
 * this holds however weak the hash is. It binds against accidents, not forgers: who edits a file on purpose can cheat himself.
 */
import { digest } from "../../../core/json";
import { decodeJson, encodeJson } from "./base64";
import type { FileText } from "./scenario-schema";
import type { TruthDraft } from "./truth-draft";

export type FileTruth = Pick<TruthDraft, "disposition" | "incidents">;

/** The truth as a file holds it: base64 of canonical JSON. */
export function packTruth(truth: FileTruth, salt: string): string {
  return encodeJson({ ...plainTruth(truth), salt });
}

/** The truth in a packed text of `packTruth`, and its salt. */
export function unpackTruth(packed: string): FileTruth & { readonly salt: string } {
  return decodeJson(packed) as FileTruth & { readonly salt: string };
}

/** 16 hexadecimal digits. */
export function sealOf(truth: FileTruth, salt: string): string {
  return digest({ salt, truth: plainTruth(truth) });
}

/** The answers alone, in a fixed order of keys. */
export function plainTruth({ disposition, incidents }: FileTruth): Omit<FileText["truth"], "salt"> {
  return {
    disposition,
    incidents: incidents.map(({ component, mechanism, severity, team, alerts }) => ({
      component,
      mechanism,
      severity,
      team,
      alerts: alerts.slice(),
    })),
  };
}
