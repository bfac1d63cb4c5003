/**
 * The strict grade of the alerts world: G = min(caps, O · (0.6 + 0.4 · P)).
 *
 *   O  outcome   = mean over incidents (team × severity × cause; an invented one counts 0) × noise F1 × closing decision
 *   P  process   = evidence, diagnosis, verification, communication, efficiency
 *   caps           catastrophe, false claim, wrong decision, unresolved, no evidence
 *
 * The numbers stand in `grading/scale.ts`; each part says in one line what decided it.
 */
import { capped, type GradePart, leaf, product } from "../../core/rubric";
import type { Grade } from "../../core/world";
import { NO_REWARD, type Play } from "./episode";
import { capsOf } from "./grading/caps";
import { caseOf } from "./grading/case";
import { outcomeOf } from "./grading/outcome";
import { processOf } from "./grading/process";
import { SCALE } from "./grading/scale";
import { Sealed } from "./truth";
import { truthView } from "./truth-view";

export function gradeAlerts(play: Play): Grade {
  const truth = Sealed.open(play.prepared.draw.truth);
  const found = caseOf(play, truth);
  const outcome = outcomeOf(found);
  const share = processShare(processOf(found));
  const earned = product("outcome × process", [outcome.tree, share], "what came of it, and how it was found");
  const tree = capped("grade", earned, capsOf(found, outcome));
  return {
    ungraded: null,
    strict: tree.value,
    published: null,
    strictTree: tree,
    publishedTree: null,
    rewards: play.acts.map(() => NO_REWARD),
    truth: truthView(truth, found.par),
  };
}

function processShare(found: GradePart): GradePart {
  const { processFloor } = SCALE;
  const value = processFloor + (1 - processFloor) * found.value;
  return {
    ...leaf("process share", value, `${processFloor} + ${1 - processFloor} × process`),
    kind: "scale",
    parts: [found],
  };
}
