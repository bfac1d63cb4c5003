/**
 * The record of an episode: JSON Lines, one object a line, each with `schema` and `type`. This file says what a line is;
 * trajectory-encoder.ts writes lines, trajectory.ts reads them; where they go is the recorder's business.
 *
 * Fields named `wall_*` hold wall-clock facts. They are never computed from and replay ignores them.
 */
import { z } from "zod";

export const SCHEMA = "firedrill/1";
/** The version that is written into recordings; kept equal to package.json's by a test. */
export const PROJECT_VERSION = "0.1.0";

/** `human`, `policy:rules`, `model:NAME`. */
export type Actor = string;

const action = z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) });
const problem = z.object({ code: z.string(), message: z.string(), field: z.string().optional() });
const observed = {
  /** The whole observation, in the first line that has one. */
  observation: z.record(z.string(), z.unknown()).optional(),
  /** RFC 6902 operations against the observation of the last step line above. */
  patch: z
    .array(z.object({ op: z.enum(["add", "remove", "replace"]), path: z.string(), value: z.unknown().optional() }))
    .optional(),
  /** Digest of the whole observation. */
  digest: z.string().regex(/^[0-9a-f]{16}$/),
};

export const episodeLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("episode"),
  run: z.string(),
  version: z.string(),
  content_hash: z.string(),
  world: z.string(),
  scenario: z.string(),
  title: z.string(),
  seed: z.number().int().min(0),
  options: z.record(z.string(), z.unknown()),
  rubric: z.enum(["strict", "published"]),
  split: z.string(),
  opened_by: z.string(),
  /** An imported scenario without its truth, so that the run replays anywhere: `ScenarioFile` of world.ts. */
  scenario_file: z
    .looseObject({ world: z.string(), info: z.looseObject({ id: z.string(), title: z.string() }), seal: z.string() })
    .optional(),
  /** The run and step this one was forked from. */
  parent: z.object({ run: z.string(), step: z.number().int().min(0) }).optional(),
  wall_opened_at: z.string(),
});

export const stepLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("step"),
  index: z.number().int().min(0),
  actor: z.string(),
  /** Who proposed the action, when somebody else did. */
  proposed_by: z.string().optional(),
  ...observed,
  action,
  reasoning: z.string().optional(),
  problem: problem.optional(),
  done: z.boolean(),
  /** True when a person acted after a grade of the same content, scenario and seed was shown; else left out. */
  hindsight: z.boolean().optional(),
  wall_think_ms: z.number().nullable().optional(),
  usage: z.record(z.string(), z.unknown()).optional(),
});

export const noteLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("note"),
  step: z.number().int().min(0),
  text: z.string(),
});

const gradePart = z.looseObject({
  name: z.string(),
  value: z.number(),
  weight: z.number().optional(),
  reason: z.string(),
  evidence: z.array(z.string()),
  get parts() {
    return z.array(gradePart).optional();
  },
});

const reward = z.looseObject({
  value: z.number(),
  parts: z.array(z.looseObject({ name: z.string(), value: z.number() })),
});

/** `Grade` of world.ts. */
const grade = z.looseObject({
  ungraded: z.string().nullable(),
  strict: z.number().nullable(),
  published: z.number().nullable(),
  strictTree: gradePart.nullable(),
  publishedTree: gradePart.nullable(),
  rewards: z.array(reward),
});

export const gradeLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("grade"),
  ...observed,
  grade,
  /** What the author of an imported scenario says was true, as its file packs it: with it the run regrades anywhere. */
  scenario_truth: z.string().optional(),
  /** True when a person acted after a graded run of the same content, scenario and seed was shown to them. */
  hindsight: z.boolean(),
});

export const abandonedLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("abandoned"),
  reason: z.string(),
  ...observed,
});

export const trajectoryLine = z.discriminatedUnion("type", [episodeLine, stepLine, noteLine, gradeLine, abandonedLine]);
export type EpisodeLine = z.infer<typeof episodeLine>;
export type StepLine = z.infer<typeof stepLine>;
export type NoteLine = z.infer<typeof noteLine>;
export type GradeLine = z.infer<typeof gradeLine>;
export type AbandonedLine = z.infer<typeof abandonedLine>;
export type TrajectoryLine = z.infer<typeof trajectoryLine>;

/** The JSON Schema of a line, published for other tools. */
export function trajectoryJsonSchema(): unknown {
  return z.toJSONSchema(trajectoryLine, { io: "input", unrepresentable: "any" });
}
