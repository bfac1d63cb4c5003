/** The grade's tree cut into the three storeys people read: what caps it, what came of it, how it was found. Pure. */
import type { GradePart } from "../../src/core/rubric";

export interface Storeys {
  /** Walls above the grade; a value below 1 is one that holds. */
  readonly gates: readonly GradePart[];
  readonly outcome: GradePart | null;
  readonly process: GradePart | null;
  /** Parts that belong to none of the three: a tree of another shape is shown as it is. */
  readonly rest: readonly GradePart[];
}

/** The storeys of a strict grade. Nothing is assumed about depth: parts are found by name. */
export function storeysOf(tree: GradePart): Storeys {
  const [earned, ...gates] = tree.kind === "cap" ? (tree.parts ?? []) : [tree];
  if (!earned) return { gates: [], outcome: null, process: null, rest: [tree] };
  const outcome = named(earned, "outcome");
  const process = named(earned, "process");
  return { gates, outcome, process, rest: outcome || process ? [] : [earned] };
}

function named(part: GradePart, name: string): GradePart | null {
  if (part.name.toLowerCase() === name) return part;
  for (const child of part.parts ?? []) {
    const found = named(child, name);
    if (found) return found;
  }
  return null;
}

/** A mark on the scale of a seed. */
export interface Mark {
  readonly label: string;
  readonly grade: number;
  readonly me: boolean;
  /** Row its label stands on: labels on one row do not touch. */
  readonly row: number;
}

/** Share of the scale a label needs. */
const LABEL_WIDTH = 0.2;

/** Places the labels of the scale; the player's own first, so that it keeps the row next to the line. */
export function placeMarks(
  mine: number | null,
  references: readonly { readonly player: string; readonly grade: number }[],
  label = "you",
): readonly Mark[] {
  const marks: Mark[] = [];
  if (mine !== null) marks.push({ label, grade: mine, me: true, row: 1 });
  for (const { player, grade } of references) {
    const free = [0, 1, 2].find((row) => marks.every((m) => m.row !== row || Math.abs(m.grade - grade) >= LABEL_WIDTH));
    marks.push({ label: player, grade, me: false, row: free ?? 2 });
  }
  return marks;
}

/** Who took the steps, each once: `you`, `rules`, `you + rules`; who opened the run while there are none. */
export function playedBy(steps: readonly { readonly actor: string }[], openedBy: string): string {
  const actors = steps.length > 0 ? [...new Set(steps.map(({ actor }) => actor))] : [openedBy];
  return actors.map((actor) => (actor === "human" ? "you" : actor.replace(/^(policy|model):/, ""))).join(" + ");
}

/** Path of a lost part without the names every path begins with. */
export function partName(path: string): string {
  const names = path.split(" / ").slice(1);
  const kept = names.filter((name) => name !== "outcome × process" && name !== "process share");
  return (kept.length > 0 ? kept : names.length > 0 ? names : [path]).join(", ");
}
