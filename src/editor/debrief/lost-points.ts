/** Which parts of a grade cost how much, so that the lines add up to what is missing from full marks. */
import { Stream } from "../../core/rng";
import type { GradePart } from "../../core/rubric";
import type { LostPoint } from "../../panel-protocol";

/** Losses smaller than this are not worth a line. */
const WORTH_TELLING = 0.0005;
/** Orders in which the parts are put right, drawn from a fixed seed: the same grade always gives the same lines. */
const ORDERS = 128;

/**
 * The measured parts that cost points, dearest first. In a product or under a cap what one part costs depends on the
 * others, so each gets its Shapley value: what putting it right gains, averaged over many orders of putting all of them
 * right (Shapley, A Value for n-Person Games, 1953). In every order the gains sum to 1 − grade, and so do the lines.
 */
export function lostPoints(root: GradePart): LostPoint[] {
  const leaves = leavesOf(root, root.name).filter(({ part }) => part.value < 1);
  const lost = sharesOf(root, leaves);
  return leaves
    .map(({ path, part }, i) => ({ path, lost: lost[i] as number, reason: part.reason, evidence: part.evidence }))
    .filter((point) => point.lost > WORTH_TELLING)
    .sort((a, b) => b.lost - a.lost || (a.path < b.path ? -1 : 1));
}

function sharesOf(root: GradePart, leaves: readonly Leaf[]): number[] {
  const shares = leaves.map(() => 0);
  const stream = Stream.of(0, "lost points");
  const places = leaves.map((_, i) => i);
  for (let n = 0; n < ORDERS; n++) {
    // Every second order is the one before turned round, which evens out who comes early.
    const order = n % 2 === 0 ? stream.shuffle(places) : places.reverse();
    if (n % 2 === 0) places.splice(0, places.length, ...order);
    const right = new Set<GradePart>();
    let before = worth(root, (leaf) => leaf.value);
    for (const i of order) {
      right.add((leaves[i] as Leaf).part);
      const after = worth(root, (leaf) => (right.has(leaf) ? 1 : leaf.value));
      shares[i] = (shares[i] as number) + (after - before) / ORDERS;
      before = after;
    }
  }
  return shares;
}

interface Leaf {
  readonly path: string;
  readonly part: GradePart;
}

function leavesOf(part: GradePart, path: string): Leaf[] {
  if (!part.parts?.length) return [{ path, part }];
  return part.parts.flatMap((child) => leavesOf(child, `${path} / ${child.name}`));
}

function worth(part: GradePart, leaf: (part: GradePart) => number): number {
  const parts = part.parts ?? [];
  if (parts.length === 0) return leaf(part);
  const values = parts.map((child) => worth(child, leaf));
  switch (part.kind) {
    case "sum":
      return parts.reduce((total, child, i) => total + (child.weight ?? 0) * (values[i] as number), 0);
    case "product":
      return values.reduce((total, value) => total * value, 1);
    case "cap":
      return capOf(part, parts, values);
    default:
      return scaled(part, parts, values);
  }
}

/** A part under caps is their least value; a lone part stands behind a gate, which is open or makes it 0. */
function capOf(part: GradePart, parts: readonly GradePart[], values: readonly number[]): number {
  if (parts.length > 1) return Math.min(...values);
  const closed = part.value < (parts[0]?.value ?? 0);
  return closed ? 0 : (values[0] ?? 0);
}

/** An affine scale reaches 1 at 1; its slope follows from the recorded point. */
function scaled(part: GradePart, parts: readonly GradePart[], values: readonly number[]): number {
  const before = parts[0]?.value ?? 1;
  if (before >= 1) return part.value;
  const slope = (1 - part.value) / (1 - before);
  return 1 - slope * (1 - (values[0] ?? 1));
}
