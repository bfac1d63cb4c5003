/** Which graded runs this person has been shown, kept across windows, so that a replay of a known answer is marked. */
import type { Memento } from "vscode";
import type { ShownGrades } from "../core/runs";

const KEY = "firedrill.shownGrades";
/** The newest keys are kept: about 150 kB. */
const BOUND = 2000;

export function rememberShownGrades(memento: Memento): ShownGrades {
  const read = (): readonly string[] => memento.get<readonly string[]>(KEY) ?? [];
  return {
    has: (key) => read().includes(key),
    add: (key) => {
      const known = read();
      if (!known.includes(key)) void memento.update(KEY, [...known, key].slice(-BOUND));
    },
  };
}
