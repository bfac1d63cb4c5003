/** The player that always gives one answer, whatever it sees. */
import type { PlayerFactory } from "../../../core/player";
import { type Script, scripted } from "../../../core/script";
import type { Disposition } from "../dispositions";
import type { Severity, Team } from "../draw";
import type { Mechanism } from "../mechanisms";
import type { AlertsObservation } from "../observation";
import { acts } from "./acts";
import { alertedServices, idsOf, incidentByLook, loudestService, noiseByLook, oldestService } from "./page-guesses";
import { citable } from "./probes";

/** The best constant answer, and where it comes from. */
export interface ConstantAnswer {
  readonly severity: Severity;
  readonly team: Team;
  readonly component: "oldest" | "loudest" | "first";
  readonly mechanism: Mechanism;
  readonly disposition: Disposition;
  readonly noise: "none" | "all" | "not firing" | "other services";
  readonly confidence: number;
  /** Read before answering and cited: the cheapest legal prelude. */
  readonly prelude: "none" | "changes" | "graph" | "impact" | "changes and impact";
}

/**
 * The answer that scored best on the train split.
 * Worked out by `FIREDRILL_CONSTANT_SEEDS=0..5 npx vitest run -c test/proof/vitest.config.ts constant`, which enumerates the grid.
 */
export const BEST_CONSTANT: ConstantAnswer = {
  severity: "P2",
  team: "app",
  component: "loudest",
  mechanism: "cpu_throttling",
  disposition: "no_fault",
  noise: "all",
  confidence: 0.2,
  prelude: "changes and impact",
};

/** A player that always gives one answer. */
export function constantPlayer(answer: ConstantAnswer): PlayerFactory {
  return scripted<AlertsObservation>(
    {
      name: "constant",
      title: "Constant",
      summary: "Always gives the one answer that scored best on the train split, after the cheapest read.",
      knowsTruth: false,
    },
    function* ({ first }) {
      yield* answerConstant(first, answer);
    },
  );
}

function* answerConstant(first: AlertsObservation, answer: ConstantAnswer): Script<AlertsObservation> {
  const component = componentOf(first, answer);
  let seen = first;
  if (answer.prelude.startsWith("changes")) seen = yield acts.changes();
  if (answer.prelude === "graph") seen = yield acts.graph();
  if (answer.prelude.endsWith("impact"))
    for (const service of alertedServices(first).slice(0, 3)) seen = yield acts.impact(service);
  const noise = noiseOf(first, answer, component);
  if (noise.length > 0) seen = yield acts.snooze(noise);
  if (answer.disposition === "routed" || answer.disposition === "escalated") {
    const real = idsOf(first).filter((id) => !noise.includes(id));
    seen = yield acts.group(real.length > 0 ? real : idsOf(first));
    const group = seen.groups[0]?.id ?? "g1";
    const { mechanism, confidence } = answer;
    yield acts.declare(group, { component, mechanism, confidence, evidence: citable(seen) });
    yield acts.route(group, answer.severity, answer.team);
    if (answer.disposition === "escalated") yield acts.escalate(answer.team, "cannot tell", group);
  }
  yield acts.close(answer.disposition);
}

function componentOf(first: AlertsObservation, { component }: ConstantAnswer): string {
  if (component === "oldest") return oldestService(incidentByLook(first));
  return component === "loudest" ? loudestService(incidentByLook(first)) : (first.alerts[0]?.service ?? "");
}

function noiseOf(first: AlertsObservation, { noise }: ConstantAnswer, component: string): string[] {
  if (noise === "all") return idsOf(first);
  if (noise === "not firing") return noiseByLook(first);
  return noise === "none" ? [] : first.alerts.filter((row) => row.service !== component).map((row) => row.id);
}

export const constant: PlayerFactory = constantPlayer(BEST_CONSTANT);
