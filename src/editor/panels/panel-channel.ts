/**
 * The host's end of a panel: it owns the state, answers `ready` with a snapshot, sends patches with sequence numbers and
 * answers calls. A panel that was hidden or reloaded says `ready` again and is sent everything anew.
 */
import { createPatch } from "../../core/json";
import { type FromPanel, PANEL_COMMANDS, type PanelCalls, type PanelState, type ToPanel } from "../../panel-protocol";

export type CallHandlers = {
  readonly [M in keyof PanelCalls]?: (args: PanelCalls[M]["args"]) => Promise<PanelCalls[M]["result"]>;
};

export interface ChannelPort {
  /** False when the panel could not take the message, as a hidden one cannot. */
  post(message: ToPanel): Thenable<boolean>;
  /** The panel's own view has changed: selection, filter, half-filled forms. */
  ui(change: Readonly<Record<string, unknown>>): void;
  /** Data is on the screen, this many milliseconds after the script's first line. */
  drawn(ms: number): void;
  /** A call failed; returns the sentence the panel shows. */
  failed(method: string, error: unknown): string;
}

export class PanelChannel {
  private seq = 0;
  private listening = false;
  private sent: PanelState | null = null;

  constructor(
    private readonly port: ChannelPort,
    private readonly calls: CallHandlers,
    private state: PanelState,
  ) {}

  /** Shows a new state. Same objects mean same content, so unchanged parts should be shared. */
  show(state: PanelState): void {
    if (state === this.state && this.sent) return;
    this.state = state;
    if (!this.listening || !this.sent) return;
    if (this.sent.kind !== state.kind) {
      this.snapshot();
      return;
    }
    const patch = createPatch(this.sent, state);
    if (patch.length === 0) return;
    this.sent = state;
    this.send({ type: "patch", seq: ++this.seq, patch });
  }

  /**
   * What the panel itself has reported needs no echo: both sides have it already.
   * `state` replaces the present one without a message.
   */
  adopt(state: PanelState): void {
    this.state = state;
    if (this.listening) this.sent = state;
  }

  focus(): void {
    if (this.listening) this.send({ type: "focus" });
  }

  /** The panel is hidden: its script may be gone, so nothing is sent until it says `ready` again. */
  hidden(): void {
    this.listening = false;
  }

  /**
   * The panel shows again. Its script normally starts anew and asks; should it have lived on, this brings it up to date.
   */
  shown(): void {
    if (!this.listening && this.sent) this.snapshot();
  }

  /** Takes a message from the webview. Anything that is not one of ours is dropped. */
  receive(message: unknown): void {
    const from = readMessage(message);
    if (!from) return;
    if (from.type === "ready") this.snapshot();
    else if (from.type === "drawn") this.port.drawn(from.ms);
    else if (from.type === "ui") this.port.ui(from.ui);
    else void this.answer(from);
  }

  private snapshot(): void {
    this.listening = true;
    this.sent = this.state;
    this.send({ type: "snapshot", seq: ++this.seq, state: this.state });
  }

  private async answer(call: Extract<FromPanel, { type: "call" }>): Promise<void> {
    const handler = this.calls[call.method] as ((args: unknown) => Promise<unknown>) | undefined;
    try {
      if (!handler) throw new Error(`this panel has no use for "${call.method}"`);
      this.send({ type: "reply", id: call.id, value: await handler(call.args) });
    } catch (error) {
      this.send({ type: "failure", id: call.id, message: this.port.failed(call.method, error) });
    }
  }

  private send(message: ToPanel): void {
    void this.port.post(message).then((taken) => {
      if (!taken && message.type !== "reply" && message.type !== "failure") this.listening = false;
    });
  }
}

type Plain = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether the arguments of a call have the shape its handler relies on; worlds check actions once more. */
const CALL_ARGUMENTS: { readonly [M in keyof PanelCalls]: (args: Plain) => boolean } = {
  act: isAction,
  preview: isAction,
  note: (args) => typeof args.text === "string" && args.text.length <= NOTE_LIMIT,
  command: (args) =>
    (PANEL_COMMANDS as readonly unknown[]).includes(args.command) &&
    (args.args === undefined || Array.isArray(args.args)),
  saveTruth: (args) =>
    ["title", "brief", "disposition"].every((key) => typeof args[key] === "string") &&
    Array.isArray(args.incidents) &&
    args.incidents.every(isIncidentDraft),
};

/** Characters of a note. */
export const NOTE_LIMIT = 10_000;

function isAction(args: Plain): boolean {
  return typeof args.name === "string" && isPlain(args.args);
}

function isIncidentDraft(value: unknown): boolean {
  return (
    isPlain(value) &&
    ["component", "mechanism", "severity", "team"].every((key) => typeof value[key] === "string") &&
    Array.isArray(value.alerts) &&
    value.alerts.every((id) => typeof id === "string")
  );
}

/** A message from a webview, checked; undefined when it is none. */
export function readMessage(message: unknown): FromPanel | undefined {
  if (!isPlain(message)) return undefined;
  if (message.type === "ready") return { type: "ready" };
  if (message.type === "drawn" && typeof message.ms === "number" && Number.isFinite(message.ms))
    return { type: "drawn", ms: message.ms };
  if (message.type === "ui" && isPlain(message.ui)) return { type: "ui", ui: message.ui };
  if (message.type !== "call" || !Number.isInteger(message.id) || typeof message.method !== "string") return undefined;
  if (!Object.hasOwn(CALL_ARGUMENTS, message.method) || !isPlain(message.args)) return undefined;
  const check = CALL_ARGUMENTS[message.method as keyof PanelCalls];
  return check(message.args) ? (message as unknown as FromPanel) : undefined;
}
