/** Which parts of a grade cost how much: each part is set to full marks in turn and the tree is worked out again. */
import type { GradePart } from "../../core/rubric";
import type { LostPoint } from "../../panel-protocol";

/** Losses smaller than this are not worth a line. */
const WORTH_TELLING = 0.0005;

/**
 * The measured parts that cost points, dearest first. `lost` is what the grade would have gained had that part alone been
 * perfect; where no single part would have helped (several are 0 in a product), it is what the part costs by itself.
 */
export function lostPoints(root: GradePart): LostPoint[] {
  const leaves = leavesOf(root, root.name);
  const whole = worth(root, (leaf) => leaf.value);
  const gain = leaves.map(({ part }) => worth(root, (leaf) => (leaf === part ? 1 : leaf.value)) - whole);
  const someHelps = gain.some((lost) => lost > WORTH_TELLING);
  const perfect = worth(root, () => 1);
  return leaves
    .map(({ path, part }, i) => ({
      path,
      lost: someHelps ? (gain[i] as number) : perfect - worth(root, (leaf) => (leaf === part ? leaf.value : 1)),
      reason: part.reason,
      evidence: part.evidence,
    }))
    .filter((point) => point.lost > WORTH_TELLING)
    .sort((a, b) => b.lost - a.lost || (a.path < b.path ? -1 : 1));
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
