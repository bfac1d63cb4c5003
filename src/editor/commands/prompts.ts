/** Palette prompts for an action, derived from its form: one quick pick or input box a field, with a way back. */
import type { Event, QuickInput, QuickInputButton, QuickPickItem } from "vscode";
import type { ActionForm, Choice, FieldForm } from "../../core/action";
import { optionsOf } from "../../core/options";
import type { Editor } from "../editor";

export interface PromptPort {
  /** The world's list for a kind of argument. */
  choices(kind: string): readonly Choice[];
  /** What is wrong with a field's value, or undefined. Shown below the box while typing. */
  check(field: string, value: unknown): string | undefined;
}

type Args = Record<string, unknown>;
/** A value, or where to go instead. */
type Answer = { readonly value: unknown } | "back" | "cancelled";

/** A field that was refused, and why: it is asked for again with the reason in sight. */
export interface Complaint {
  readonly field: string;
  readonly message: string;
}

/**
 * Asks for the arguments of an action one by one, with `given` filled in; after a complaint it begins at that field.
 * Undefined when the person leaves.
 */
export async function promptForAction(
  editor: Editor,
  form: ActionForm,
  port: PromptPort,
  given: Readonly<Args> = {},
  complaint?: Complaint,
): Promise<Args | undefined> {
  const { fields } = form;
  const args: Args = { ...given };
  const first = complaint ? fields.findIndex((field) => field.name === complaint.field) : 0;
  for (let i = Math.max(0, first); i < fields.length; ) {
    const field = fields[i] as FieldForm;
    const complaintHere = complaint?.field === field.name ? complaint.message : "";
    const place = { title: form.title, step: i + 1, totalSteps: fields.length, canGoBack: i > 0, complaintHere };
    const answer = await ask(editor, place, field, port, args[field.name] ?? field.defaultValue);
    if (answer === "cancelled") return undefined;
    if (answer === "back") {
      i--;
      continue;
    }
    if (answer.value === undefined) delete args[field.name];
    else args[field.name] = answer.value;
    i++;
  }
  return args;
}

interface Place {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly canGoBack: boolean;
  /** Why this field is asked for again; empty when it is not. */
  readonly complaintHere: string;
}

function ask(editor: Editor, place: Place, field: FieldForm, port: PromptPort, present: unknown): Promise<Answer> {
  const offered = offers(field, port);
  if (field.type === "list") {
    const typed = field.open === true || offered.length === 0;
    return pickMany(editor, place, field, offered, typed, port, present);
  }
  if (field.type === "boolean") return pickOne(editor, place, field, YES_OR_NO, present);
  if (field.type === "choice" && offered.length > 0) return pickOne(editor, place, field, offered, present);
  return type(editor, place, field, port, present);
}

function offers(field: FieldForm, port: PromptPort): readonly Choice[] {
  if (field.choices) {
    const listed = port.choices(field.choices);
    if (listed.length > 0 || !field.options) return listed;
  }
  return optionsOf(field);
}

const YES_OR_NO: readonly Choice[] = [
  { value: true, label: "Yes" },
  { value: false, label: "No" },
];

interface ChoiceItem extends QuickPickItem {
  /** Undefined leaves the field out. */
  readonly value?: Choice["value"] | undefined;
}

function itemOf(choice: Choice): ChoiceItem {
  return { label: choice.label, value: choice.value, ...(choice.detail ? { description: choice.detail } : {}) };
}

function pickOne(
  editor: Editor,
  place: Place,
  field: FieldForm,
  offered: readonly Choice[],
  present?: unknown,
): Promise<Answer> {
  const items: ChoiceItem[] = offered.map(itemOf);
  if (!field.required && field.defaultValue === undefined)
    items.unshift({ label: "(leave out)", description: field.help, value: undefined });
  return show(editor, place, (settle) => {
    const pick = editor.window.createQuickPick<ChoiceItem>();
    pick.items = items;
    pick.placeholder = place.complaintHere || `${field.title}: ${field.help}`;
    pick.matchOnDescription = true;
    const active = items.find((item) => item.value === present && present !== undefined);
    if (active) pick.activeItems = [active];
    pick.onDidAccept(() => {
      const chosen = pick.selectedItems[0] ?? pick.activeItems[0];
      if (chosen) settle({ value: chosen.value });
    });
    return pick;
  });
}

function pickMany(
  editor: Editor,
  place: Place,
  field: FieldForm,
  offered: readonly Choice[],
  canType: boolean,
  port: PromptPort,
  present: unknown,
): Promise<Answer> {
  const known: ChoiceItem[] = offered.map(itemOf);
  for (const value of Array.isArray(present) ? (present as string[]) : [])
    if (!known.some((item) => item.value === value)) known.push({ label: value, value });
  return show(editor, place, (settle) => {
    const pick = editor.window.createQuickPick<ChoiceItem>();
    pick.canSelectMany = true;
    pick.matchOnDescription = true;
    pick.items = known;
    pick.placeholder = place.complaintHere || `${field.title}: ${field.help}`;
    if (Array.isArray(present)) pick.selectedItems = known.filter((item) => present.includes(item.value));
    if (canType)
      pick.onDidChangeValue((text) => {
        const typed = text.trim();
        const chosen = pick.selectedItems;
        const kept = [...known, ...chosen.filter((item) => !known.includes(item))];
        const fresh = typed && !kept.some((item) => item.value === typed);
        pick.items = fresh
          ? [{ label: typed, description: "as typed", value: typed, alwaysShow: true }, ...kept]
          : kept;
        pick.selectedItems = chosen;
      });
    pick.onDidAccept(() => {
      const values = pick.selectedItems.map((item) => item.value);
      const wrong = port.check(field.name, values);
      if (wrong) pick.placeholder = wrong;
      else settle({ value: values });
    });
    return pick;
  });
}

function type(editor: Editor, place: Place, field: FieldForm, port: PromptPort, present: unknown): Promise<Answer> {
  return show(editor, place, (settle) => {
    const box = editor.window.createInputBox();
    box.prompt = `${field.title}: ${field.help}${rangeText(field)}`;
    box.value = present === undefined ? "" : String(present);
    if (place.complaintHere) box.validationMessage = place.complaintHere;
    const check = (): string | undefined => {
      const value = parse(field, box.value);
      if (value === undefined) return field.required ? `${field.title} is needed.` : undefined;
      return port.check(field.name, value);
    };
    box.onDidChangeValue(() => {
      box.validationMessage = check();
    });
    box.onDidAccept(() => {
      box.validationMessage = check();
      if (!box.validationMessage) settle({ value: parse(field, box.value) });
    });
    return box;
  });
}

function parse(field: FieldForm, text: string): unknown {
  if (text.trim() === "") return undefined;
  return field.type === "integer" || field.type === "number" ? Number(text) : text;
}

function rangeText(field: FieldForm): string {
  if (field.minimum === undefined || field.maximum === undefined) return "";
  return Math.abs(field.maximum) < Number.MAX_SAFE_INTEGER ? ` (${field.minimum} to ${field.maximum})` : "";
}

interface SteppedInput extends QuickInput {
  buttons: readonly QuickInputButton[];
  readonly onDidTriggerButton: Event<QuickInputButton>;
}

/** Shows an input as one step of several and resolves with what it settles on. */
function show(editor: Editor, place: Place, make: (settle: (answer: Answer) => void) => SteppedInput): Promise<Answer> {
  return new Promise((resolve) => {
    let settled = false;
    const settle = (answer: Answer): void => {
      if (settled) return;
      settled = true;
      resolve(answer);
      input.hide();
      input.dispose();
    };
    const input = make(settle);
    input.title = place.title;
    input.step = place.step;
    input.totalSteps = place.totalSteps;
    input.ignoreFocusOut = true;
    if (place.canGoBack) input.buttons = [editor.QuickInputButtons.Back];
    input.onDidTriggerButton(() => settle("back"));
    input.onDidHide(() => settle("cancelled"));
    input.show();
  });
}
