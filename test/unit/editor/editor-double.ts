/** A stand-in for the editor: what the tested logic uses of it, with a record of what was shown and scripted answers. */
import type { Editor } from "../../../src/editor/editor";

class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void): { dispose(): void } => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}

export interface Item {
  readonly label: string;
  readonly value?: unknown;
}

/** An input box or a pick as it is shown. */
export class InputDouble {
  title = "";
  step = 0;
  totalSteps = 0;
  ignoreFocusOut = false;
  buttons: readonly unknown[] = [];
  value = "";
  prompt = "";
  placeholder = "";
  validationMessage: string | undefined;
  items: readonly Item[] = [];
  activeItems: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  canSelectMany = false;
  matchOnDescription = false;
  isShown = false;
  private readonly accepted = new Emitter<void>();
  private readonly hidden = new Emitter<void>();
  private readonly changed = new Emitter<string>();
  private readonly button = new Emitter<unknown>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidChangeValue = this.changed.event;
  readonly onDidTriggerButton = this.button.event;

  constructor(private readonly shown: (input: InputDouble) => void) {}

  show(): void {
    this.isShown = true;
    this.shown(this);
  }
  hide(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.hidden.fire();
  }
  dispose(): void {
    this.hide();
  }

  /** What a person does. */
  type(text: string): void {
    this.value = text;
    this.changed.fire(text);
  }
  accept(): void {
    this.accepted.fire();
  }
  pick(...labels: string[]): void {
    const chosen = labels.map((label) => {
      const found = this.items.find((item) => item.label === label);
      if (!found)
        throw new Error(`"${label}" is not offered; offered are ${this.items.map((i) => i.label).join(", ")}.`);
      return found;
    });
    this.selectedItems = chosen;
    this.accepted.fire();
  }
  goBack(): void {
    this.button.fire(this.buttons[0]);
  }
}

export interface EditorDouble {
  readonly editor: Editor;
  /** Messages in the order they were shown. */
  readonly messages: { readonly level: string; readonly text: string; readonly buttons: readonly string[] }[];
  /** Buttons to press on coming messages; undefined closes a message. */
  readonly presses: (string | undefined)[];
  /** The next input that is shown. */
  nextInput(): Promise<InputDouble>;
}

export function editorDouble(): EditorDouble {
  const messages: EditorDouble["messages"] = [];
  const presses: (string | undefined)[] = [];
  const inputs: InputDouble[] = [];
  const waiting: ((input: InputDouble) => void)[] = [];
  const shown = (input: InputDouble): void => {
    const next = waiting.shift();
    if (next) next(input);
    else inputs.push(input);
  };
  const message =
    (level: string) =>
    async (text: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
      messages.push({ level, text, buttons: rest.filter((each): each is string => typeof each === "string") });
      return presses.shift();
    };
  const window = {
    createInputBox: () => new InputDouble(shown),
    createQuickPick: () => new InputDouble(shown),
    showErrorMessage: message("error"),
    showWarningMessage: message("warning"),
    showInformationMessage: message("information"),
  };
  return {
    editor: { window, QuickInputButtons: { Back: { back: true } } } as unknown as Editor,
    messages,
    presses,
    nextInput: async () => inputs.shift() ?? new Promise<InputDouble>((resolve) => waiting.push(resolve)),
  };
}
