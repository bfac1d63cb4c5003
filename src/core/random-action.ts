/** Legal-looking actions at random, from a catalogue's forms and the values an episode offers. */
import type { Action, ActionCatalogue, ActionForm, Choice, ChoiceKind, FieldForm } from "./action";
import type { Stream } from "./rng";

/** How often an action that ends the episode is picked, against 1 for every other. */
export const FINAL_WEIGHT = 0.3;
/** How often a field that may be left out is left out. */
const LEAVE_OUT = 0.5;
/** Elements in a list, at most; now and then all that are offered. */
const LIST_LENGTH = 4;
const WHOLE_LIST = 0.1;
/** Draws of an action before one is taken although a list it needs is empty. */
const MOST_DRAWS = 8;

const FORMS = new WeakMap<ActionCatalogue, readonly ActionForm[]>();

/** One action, drawn from `random` alone: equal streams and offers give equal actions. */
export function randomAction(
  catalogue: ActionCatalogue,
  offers: (kind: ChoiceKind) => readonly Choice[],
  random: Stream,
): Action {
  const forms = formsOf(catalogue).map((form) => [form, form.risk === "final" ? FINAL_WEIGHT : 1] as const);
  let form = random.weighted(forms);
  for (let draws = 1; draws < MOST_DRAWS && !isPossible(form, offers); draws++) form = random.weighted(forms);
  const args: Record<string, unknown> = {};
  for (const field of form.fields) {
    if (!field.required && random.chance(LEAVE_OUT)) continue;
    const value = valueFor(field, offers, random);
    if (value !== undefined) args[field.name] = value;
  }
  return { name: form.name, args };
}

/** Whether there is a value for everything that has to be chosen from a list: nothing can be routed before it is grouped. */
function isPossible(form: ActionForm, offers: (kind: ChoiceKind) => readonly Choice[]): boolean {
  return form.fields.every((field) => !field.required || !field.choices || offers(field.choices).length > 0);
}

function formsOf(catalogue: ActionCatalogue): readonly ActionForm[] {
  let forms = FORMS.get(catalogue);
  if (!forms) {
    forms = catalogue.forms();
    FORMS.set(catalogue, forms);
  }
  return forms;
}

function valueFor(field: FieldForm, offers: (kind: ChoiceKind) => readonly Choice[], random: Stream): unknown {
  const offered = field.options ?? (field.choices ? offers(field.choices).map((choice) => choice.value) : null);
  if (field.type === "list") return offered ? someOf(offered, random) : [];
  if (field.type === "integer") return random.integer(field.minimum ?? 0, field.maximum ?? 100);
  if (field.type === "number") return random.between(field.minimum ?? 0, field.maximum ?? 1);
  if (field.type === "boolean") return random.chance(0.5);
  if (offered) return offered.length ? random.pick(offered) : undefined;
  return random.pick(TEXTS);
}

function someOf(offered: readonly unknown[], random: Stream): unknown[] {
  if (offered.length === 0) return [];
  if (random.chance(WHOLE_LIST)) return offered.slice();
  const length = random.integer(1, Math.min(LIST_LENGTH, offered.length));
  return random.shuffle(offered).slice(0, length);
}

const TEXTS = ["looking into it", "known noise", "seen before"] as const;
