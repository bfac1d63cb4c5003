/**
 * The panel's side of the protocol. The host owns all state: the panel says `ready`, gets a snapshot, then patches in
 * sequence. A gap, or a patch that does not fit, makes it say `ready` again.
 */
import type { FromPanel, PanelCalls, PanelState, ToPanel } from "../../src/panel-protocol";
import { patched } from "./patch";
import { STARTED } from "./start";

interface VsCodeApi {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

type UiChange = Extract<FromPanel, { readonly type: "ui" }>["ui"];

/** How long an answer may take. Grading and reference players run in the host, so this is generous. */
const CALL_TIMEOUT_MS = 30_000;
/** Interface state is sent when it has been still for this long. */
const UI_DELAY_MS = 150;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: number;
}

export interface HostHandlers<S extends PanelState> {
  /** A new state. `fresh` after a snapshot: then the interface state in it holds, else the panel's own does. */
  state(state: S, fresh: boolean): void;
  /** The host asks for keyboard focus on the main list. */
  focus(): void;
}

export class Host<S extends PanelState> {
  private readonly api = acquireVsCodeApi();
  private readonly waiting = new Map<number, Waiting>();
  private state: S | null = null;
  private sequence = -1;
  private nextId = 1;
  private pending: UiChange = {};
  private uiTimer = 0;
  private drawn = false;

  constructor(private readonly handlers: HostHandlers<S>) {
    window.addEventListener("message", (event: MessageEvent<ToPanel>) => this.receive(event.data));
    window.addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => this.flush());
    this.send({ type: "ready" });
  }

  /** @throws Error with the host's sentence, or when it does not answer in time. */
  call<M extends keyof PanelCalls>(method: M, args: PanelCalls[M]["args"]): Promise<PanelCalls[M]["result"]> {
    this.flush();
    const id = this.nextId++;
    return new Promise<PanelCalls[M]["result"]>((resolve, reject) => {
      const timer = window.setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error("The extension did not answer. Try again, or reload the window if it stays silent."));
      }, CALL_TIMEOUT_MS);
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, timer });
      this.send({ type: "call", id, method, args } as FromPanel);
    });
  }

  /** Keeps interface state in the host, a moment after the last change. */
  keep(change: UiChange): void {
    this.pending = { ...this.pending, ...change };
    window.clearTimeout(this.uiTimer);
    this.uiTimer = window.setTimeout(() => this.flush(), UI_DELAY_MS);
  }

  private flush(): void {
    window.clearTimeout(this.uiTimer);
    if (Object.keys(this.pending).length === 0) return;
    this.send({ type: "ui", ui: this.pending });
    this.pending = {};
  }

  private send(message: FromPanel): void {
    this.api.postMessage(message);
  }

  private receive(message: ToPanel): void {
    switch (message?.type) {
      case "snapshot":
        this.sequence = message.seq;
        this.take(message.state as S, true);
        return;
      case "patch":
        this.patch(message.seq, message.patch);
        return;
      case "reply":
        this.answer(message.id)?.resolve(message.value);
        return;
      case "failure":
        this.answer(message.id)?.reject(new Error(message.message));
        return;
      case "focus":
        this.handlers.focus();
        return;
    }
  }

  private patch(sequence: number, operations: Extract<ToPanel, { readonly type: "patch" }>["patch"]): void {
    // Older than what is shown: a snapshot has overtaken it.
    if (sequence <= this.sequence) return;
    const next = this.state !== null && sequence === this.sequence + 1 ? fitted(this.state, operations) : null;
    if (next === null) {
      this.flush();
      this.send({ type: "ready" });
      return;
    }
    this.sequence = sequence;
    this.take(next, false);
  }

  private take(state: S, fresh: boolean): void {
    this.state = state;
    this.handlers.state(state, fresh);
    if (!this.drawn) this.reportDrawn();
  }

  /** Sent once the frame that holds the data has been handed to the compositor. */
  private reportDrawn(): void {
    this.drawn = true;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => this.send({ type: "drawn", ms: Math.round(performance.now() - STARTED) });
      channel.port2.postMessage(null);
    });
  }

  private answer(id: number): Waiting | undefined {
    const found = this.waiting.get(id);
    if (found) window.clearTimeout(found.timer);
    this.waiting.delete(id);
    return found;
  }
}

/** The state after a patch, or null when the patch does not fit it. */
function fitted<S extends PanelState>(state: S, operations: Parameters<typeof patched>[1]): S | null {
  try {
    return patched(state, operations);
  } catch {
    return null;
  }
}
