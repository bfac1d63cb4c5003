/**
 * Actions are data. A world declares each action once, as a zod schema with a title, a help sentence, a risk and a key;
 * palette prompts, webview forms, JSON Schema for tools, CLI help and manifest entries are all derived from that.
 */
import { z } from "zod";
import { type ArgumentCheck, argumentCheck } from "./argument-check";

/** What a player does: the action's name and its arguments, as plain JSON. */
export interface Action {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * `read` looks and changes nothing · `change` can be undone · `risky` may harm and is previewed · `final` ends the episode.
 */
export type Risk = "read" | "change" | "risky" | "final";

/** Why an action was not carried out. The world did not move and no step was spent. */
export interface Problem {
  readonly code: "unknown_action" | "invalid_arguments" | "not_allowed" | "episode_over";
  /** One sentence: what is wrong and what to do instead. */
  readonly message: string;
  /** The argument at fault, when there is one. */
  readonly field?: string;
}

/** One entry of a world's catalogue. */
export interface ActionSpec {
  /** snake_case, unique in its world. */
  readonly name: string;
  /** Title Case, as the palette shows it. */
  readonly title: string;
  /** One sentence for palette, form, tool description and CLI help. */
  readonly help: string;
  readonly risk: Risk;
  /** The single upper-case letter that starts it in the panel, or null when it stands under `?` only. */
  readonly key: string | null;
  /** Simulated minutes it takes; a function where an argument decides (`wait`). */
  readonly minutes: number | ((args: Readonly<Record<string, unknown>>) => number);
  /** Arguments. Field texts come from `.describe()`, see `field` for what prompts need. */
  readonly schema: z.ZodObject;
}

/** Kinds of lists an observation offers as argument values, e.g. `alerts`, `services`; the world answers `choices`. */
export type ChoiceKind = string;

/** One value a prompt offers. */
export interface Choice {
  readonly value: string | number | boolean;
  readonly label: string;
  readonly detail?: string;
}

/**
 * Gives the values of a list the words that people read; the values stay what actions hold. `field` goes around it.
 */
export function worded<T extends z.ZodType>(schema: T, words: Readonly<Record<string, string>>): T {
  return schema.meta({ words }) as T;
}

/**
 * Marks a field with its prompt title and, optionally, the kind of list that offers values for it. Values are `closed` to that list,
 * or `open`: it only proposes, and others may be typed (label matchers, say).
 */
export function field<T extends z.ZodType>(
  schema: T,
  title: string,
  help: string,
  choices?: ChoiceKind,
  values: "closed" | "open" = "closed",
): T {
  const offer = choices ? { choices, ...(values === "open" ? { open: true } : {}) } : {};
  return schema.meta({ ...schema.meta(), title, description: help, ...offer }) as T;
}

/** A field as prompts and forms need it; derived, never written by hand. */
export interface FieldForm {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly type: "text" | "integer" | "number" | "boolean" | "choice" | "list" | "object";
  readonly required: boolean;
  readonly defaultValue?: unknown;
  /** For `choice` fields with a fixed list. */
  readonly options?: readonly string[];
  /** What people read for a value of `options`; a value that is not named is read as it is. */
  readonly words?: Readonly<Record<string, string>>;
  /** The kind of list to ask the world for. */
  readonly choices?: ChoiceKind;
  /** True where the list of `choices` only proposes values and others may be typed. */
  readonly open?: true;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** An action as prompts and forms need it: plain JSON, so that it can be sent to a webview. */
export interface ActionForm {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly risk: Risk;
  readonly key: string | null;
  readonly fields: readonly FieldForm[];
}

/** All actions of one world. */
export class ActionCatalogue {
  private readonly byName: ReadonlyMap<string, ActionSpec>;
  /** Built on first use and kept: making a schema costs far more than checking with it. */
  private readonly strict = new Map<string, z.ZodObject>();
  private readonly checks = new Map<string, ArgumentCheck | null>();

  /** @throws Error when two actions share a name or a key. */
  constructor(readonly specs: readonly ActionSpec[]) {
    const keys = specs.flatMap((spec) => (spec.key ? [spec.key] : []));
    if (new Set(specs.map((s) => s.name)).size !== specs.length) throw new Error("Two actions share a name.");
    if (new Set(keys).size !== keys.length) throw new Error("Two actions share a key.");
    this.byName = new Map(specs.map((spec) => [spec.name, spec]));
  }

  get names(): readonly string[] {
    return this.specs.map((spec) => spec.name);
  }

  get(name: string): ActionSpec | undefined {
    return this.byName.get(name);
  }

  /**
   * Checks anything that claims to be an action. Unknown arguments are refused by name rather than dropped.
   * Returns the action with defaults filled in, or a problem; never throws.
   */
  parse(input: unknown): { readonly action: Action; readonly spec: ActionSpec } | { readonly problem: Problem } {
    if (typeof input !== "object" || input === null || typeof (input as Action).name !== "string")
      return invalid('An action is an object with a "name" and "args".');
    const { name, args } = input as { name: string; args?: unknown };
    const spec = this.byName.get(name);
    if (!spec) {
      const message = `There is no action "${shorten(name)}". Use one of: ${this.names.join(", ")}.`;
      return { problem: { code: "unknown_action", message } };
    }
    const checked = this.check(spec)?.(args ?? {});
    if (checked) return { action: { name, args: checked }, spec };
    const parsed = this.strictSchema(spec).safeParse(args ?? {});
    if (parsed.success) return { action: { name, args: parsed.data }, spec };
    return { problem: problemOf(spec, parsed.error) };
  }

  private check(spec: ActionSpec): ArgumentCheck | null {
    let check = this.checks.get(spec.name);
    if (check === undefined) {
      check = argumentCheck(this.strictSchema(spec));
      this.checks.set(spec.name, check);
    }
    return check;
  }

  private strictSchema(spec: ActionSpec): z.ZodObject {
    let schema = this.strict.get(spec.name);
    if (!schema) {
      schema = spec.schema.strict();
      this.strict.set(spec.name, schema);
    }
    return schema;
  }

  /** The simulated minutes an action takes. */
  minutes(action: Action): number {
    const minutes = this.byName.get(action.name)?.minutes ?? 0;
    return typeof minutes === "number" ? minutes : minutes(action.args);
  }

  /** The JSON Schema (draft 2020-12) of one action's arguments, for language-model tools. */
  jsonSchema(name: string): Record<string, unknown> {
    const spec = this.byName.get(name);
    if (!spec) throw new Error(`There is no action "${name}".`);
    const { $schema: _, ...schema } = z.toJSONSchema(this.strictSchema(spec), { io: "input" }) as Record<
      string,
      unknown
    >;
    return schema;
  }

  /** Every action as plain data for prompts and forms. */
  forms(): readonly ActionForm[] {
    return this.specs.map((spec) => ({
      name: spec.name,
      title: spec.title,
      help: spec.help,
      risk: spec.risk,
      key: spec.key,
      fields: fieldsOf(this.jsonSchema(spec.name)),
    }));
  }
}

function problemOf(spec: ActionSpec, error: z.ZodError): Problem {
  const issue = error.issues[0];
  const place = issue?.path.map(String).join(".") ?? "";
  const fields = Object.keys(spec.schema.shape);
  if (issue?.code === "unrecognized_keys") {
    const allowed = fields.length ? `It takes: ${fields.join(", ")}.` : "It takes no arguments.";
    const unknown = issue.keys.map(shorten).join(", ");
    return {
      code: "invalid_arguments",
      field: shorten(issue.keys[0] ?? ""),
      message: `${spec.name} has no argument "${unknown}". ${allowed}`,
    };
  }
  const says = issue?.message ?? "not valid";
  if (!place) return { code: "invalid_arguments", message: `${spec.name}: ${says}.` };
  return { code: "invalid_arguments", field: place, message: `${spec.name}: "${place}" is not valid: ${says}.` };
}

function invalid(message: string): { problem: Problem } {
  return { problem: { code: "invalid_arguments", message } };
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

interface FieldSchema {
  type?: string;
  enum?: string[];
  title?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  choices?: string;
  open?: boolean;
  words?: Record<string, string>;
  items?: FieldSchema;
  anyOf?: FieldSchema[];
}

function fieldsOf(schema: Record<string, unknown>): FieldForm[] {
  const properties = (schema.properties ?? {}) as Record<string, FieldSchema>;
  const required = new Set((schema.required as string[] | undefined) ?? []);
  return Object.entries(properties).map(([name, f]) => ({
    name,
    title: f.title ?? name,
    help: f.description ?? "",
    type: typeOf(f),
    required: required.has(name),
    ...(f.default === undefined ? {} : { defaultValue: f.default }),
    ...(f.enum ? { options: f.enum } : f.items?.enum ? { options: f.items.enum } : {}),
    ...(f.words ? { words: f.words } : {}),
    ...(f.choices ? { choices: f.choices } : {}),
    ...(f.open ? { open: true as const } : {}),
    ...(f.minimum === undefined ? {} : { minimum: f.minimum }),
    ...(f.maximum === undefined ? {} : { maximum: f.maximum }),
    ...(f.maxLength === undefined ? {} : { maxLength: f.maxLength }),
  }));
}

function typeOf(f: FieldSchema): FieldForm["type"] {
  if (f.enum) return "choice";
  if (f.type === "array") return "list";
  if (f.type === "integer" || f.type === "number" || f.type === "boolean" || f.type === "object") return f.type;
  return f.choices ? "choice" : "text";
}
