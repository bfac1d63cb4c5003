/** Asks for actions and their arguments at a terminal; everything asked comes from the action catalogue. */
import { createInterface, type Interface } from "node:readline";
import type { Action, ActionCatalogue, ActionForm, Choice, FieldForm } from "../core/action";
import { optionsOf } from "../core/options";
import type { Episode } from "../core/world";
import type { Io } from "./io";

/** Lines of standard input, one at a time, whether typed or piped. */
export class Answers {
  private readonly lines: string[] = [];
  private readonly reader: Interface;
  private waiting: ((line: string | null) => void) | null = null;
  private ended = false;

  constructor(
    private readonly io: Io,
    private readonly say: (text: string) => void,
  ) {
    this.reader = createInterface({ input: io.input, terminal: false });
    this.reader.on("line", (line) => {
      const { waiting } = this;
      this.waiting = null;
      if (waiting) waiting(line);
      else this.lines.push(line);
    });
    this.reader.on("close", () => {
      this.ended = true;
      this.waiting?.(null);
      this.waiting = null;
    });
  }

  get isTyped(): boolean {
    return this.io.inputIsTerminal;
  }

  /** The next line without the blanks around it, or null at the end of the input. */
  async ask(question: string): Promise<string | null> {
    this.say(question);
    const line =
      this.lines.shift() ??
      (this.ended
        ? null
        : await new Promise<string | null>((resolve) => {
            this.waiting = resolve;
          }));
    // What was piped is shown, so that a log reads like the game.
    if (!this.isTyped) this.say(`${line ?? ""}\n`);
    return line === null ? null : line.trim();
  }

  close(): void {
    this.reader.close();
  }
}

export class ActionPrompt {
  private readonly forms: readonly ActionForm[];

  constructor(
    catalogue: ActionCatalogue,
    private readonly episode: Episode,
    private readonly answers: Answers,
    private readonly say: (text: string) => void,
  ) {
    this.forms = catalogue.forms();
  }

  /** The action that was typed; missing required arguments are asked for. Null when there is none, which has been said. */
  async read(typed: string): Promise<Action | null> {
    const [word = ""] = typed.split(/\s/, 1);
    const form = this.forms.find((each) => each.name === word || each.key === word.toUpperCase());
    if (!form) {
      this.say(`There is no action "${word}"; type ? for the list.\n`);
      return null;
    }
    const rest = typed.slice(word.length).trim();
    try {
      if (rest) return { name: form.name, args: argumentsOf(form, rest) };
      return await this.askAll(form);
    } catch (error) {
      this.say(`${error instanceof Error ? error.message : String(error)}\n`);
      return null;
    }
  }

  /** Shows what a risky action would touch; a person at the terminal confirms it. */
  async confirm(action: Action): Promise<boolean> {
    const preview = this.episode.preview(action);
    if (!preview) return true;
    const touches = preview.touches.map(({ label, count }) => `  ${count} ${label}`);
    const unread = preview.unread.length ? [`Not looked at: ${preview.unread.join(", ")}`] : [];
    this.say(`${[preview.summary, ...touches, ...unread].join("\n")}\n`);
    if (!preview.dangerous || !this.answers.isTyped) return true;
    const answer = await this.answers.ask("This may do harm. Go on? [y/N] ");
    return answer?.toLowerCase() === "y";
  }

  private async askAll(form: ActionForm): Promise<Action | null> {
    const args: Record<string, unknown> = {};
    for (const field of form.fields) {
      const value = await this.askField(field);
      if (value === CANCELLED) return null;
      if (value !== undefined) args[field.name] = value;
    }
    return { name: form.name, args };
  }

  private async askField(field: FieldForm): Promise<unknown> {
    const offers = this.offers(field);
    const optional = field.required
      ? ""
      : field.defaultValue === undefined
        ? ", may be left empty"
        : `, else ${JSON.stringify(field.defaultValue)}`;
    for (const [i, offer] of offers.entries())
      this.say(`  ${i + 1}  ${offer.label}${offer.detail ? ` — ${offer.detail}` : ""}\n`);
    const list = field.type === "list" ? " (several with commas)" : "";
    const typed = await this.answers.ask(`  ${field.title}${list}${optional}: `);
    if (typed === null) return CANCELLED;
    if (typed === "")
      return field.required && field.type === "list" ? [] : field.required && field.type === "text" ? "" : undefined;
    return readValue(field, typed, offers);
  }

  private offers(field: FieldForm): readonly Choice[] {
    if (field.choices) return this.episode.choices(field.choices);
    return optionsOf(field);
  }
}

const CANCELLED = Symbol("cancelled");

/** `field=value other=[1,2]` or one JSON object. Values are JSON where they can be, else text. */
function argumentsOf(form: ActionForm, text: string): Record<string, unknown> {
  if (text.startsWith("{")) {
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch {
      throw new Error(`The arguments of ${form.name} are not JSON; write {"field": "value"}, or field=value.`);
    }
  }
  const args: Record<string, unknown> = {};
  for (const match of text.matchAll(/([\w.]+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\S*)|(\S+)/g)) {
    const [, name, value, stray] = match;
    if (name === undefined || value === undefined) {
      const only = form.fields.length === 1 ? form.fields[0] : undefined;
      if (!only)
        throw new Error(
          `"${stray}" names no argument; write one of ${form.fields.map((f) => `${f.name}=…`).join(" ")}.`,
        );
      args[only.name] = readValue(only, text, []);
      return args;
    }
    const field = form.fields.find((each) => each.name === name);
    args[name] = field ? readValue(field, value, []) : value;
  }
  return args;
}

function readValue(field: FieldForm, typed: string, offers: readonly Choice[]): unknown {
  const offered = (text: string): unknown => {
    const exact = offers.find((offer) => String(offer.value) === text) ?? offers.find((offer) => offer.label === text);
    const numbered = /^\d+$/.test(text) ? offers[Number(text) - 1] : undefined;
    return (exact ?? numbered)?.value ?? text;
  };
  switch (field.type) {
    case "list": {
      const json = asJsonList(typed);
      return json ?? typed.split(",").map((item) => offered(item.trim()));
    }
    case "integer":
    case "number":
      return offers.length ? offered(typed) : Number(typed);
    case "boolean":
      return /^(y|yes|true|1)$/i.test(typed);
    case "object":
      return parsed(typed) ?? typed;
    default:
      return offers.length ? offered(typed) : unquoted(typed);
  }
}

function asJsonList(typed: string): unknown[] | null {
  const value = typed.startsWith("[") ? parsed(typed) : null;
  if (Array.isArray(value)) return value;
  return typed.startsWith("[") && typed.endsWith("]")
    ? typed
        .slice(1, -1)
        .split(",")
        .map((item) => item.trim())
    : null;
}

function unquoted(typed: string): string {
  const value = typed.startsWith('"') ? parsed(typed) : null;
  return typeof value === "string" ? value : typed;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
