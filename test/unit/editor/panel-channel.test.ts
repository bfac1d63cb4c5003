import { describe, expect, it } from "vitest";
import { applyPatch } from "../../../src/core/json";
import { type CallHandlers, PanelChannel, readMessage } from "../../../src/editor/panels/panel-channel";
import type { PanelState, ProofPanelState, ToPanel } from "../../../src/panel-protocol";

const state = (done: number): ProofPanelState => ({
  kind: "proof",
  title: "Proof",
  seeds: "0..9",
  done,
  total: 10,
  holds: null,
  rows: [],
});

function channel(calls: CallHandlers = {}, taken = true) {
  const sent: ToPanel[] = [];
  const made = new PanelChannel(
    {
      post: async (message) => {
        sent.push(message);
        return taken;
      },
      ui: () => undefined,
      drawn: () => undefined,
      failed: (method, error) => `${method}: ${(error as Error).message}`,
    },
    calls,
    state(0),
  );
  return { channel: made, sent };
}

/** What a panel holds after the messages, as the panel's side applies them; null after a gap. */
function received(messages: readonly ToPanel[]): PanelState | null {
  let shown: PanelState | null = null;
  let seq = 0;
  for (const message of messages) {
    if (message.type === "snapshot") shown = message.state;
    else if (message.type === "patch") {
      if (!shown || message.seq !== seq + 1) return null;
      shown = applyPatch(shown, message.patch);
    } else continue;
    seq = message.seq;
  }
  return shown;
}

describe("the host's end of a panel", () => {
  it("says nothing before the panel is ready and then sends the newest state whole", () => {
    const { channel: host, sent } = channel();
    host.show(state(1));
    host.show(state(2));
    expect(sent).toEqual([]);
    host.receive({ type: "ready" });
    expect(sent).toEqual([{ type: "snapshot", seq: 1, state: state(2) }]);
  });

  it("sends patches with rising numbers that give the host's state", () => {
    const { channel: host, sent } = channel();
    host.receive({ type: "ready" });
    host.show(state(4));
    host.show(state(7));
    expect(sent.map((message) => ("seq" in message ? message.seq : 0))).toEqual([1, 2, 3]);
    expect(sent[2]).toMatchObject({ patch: [{ op: "replace", path: "/done", value: 7 }] });
    expect(received(sent)).toEqual(state(7));
  });

  it("sends nothing to a hidden panel and everything when it asks again", () => {
    const { channel: host, sent } = channel();
    host.receive({ type: "ready" });
    host.hidden();
    host.show(state(5));
    expect(sent).toHaveLength(1);
    host.receive({ type: "ready" });
    expect(sent[1]).toEqual({ type: "snapshot", seq: 2, state: state(5) });
  });

  it("brings a panel that lived on while hidden up to date when it shows", () => {
    const { channel: host, sent } = channel();
    host.receive({ type: "ready" });
    host.hidden();
    host.show(state(6));
    host.shown();
    expect(received(sent)).toEqual(state(6));
  });

  it("stops sending when a message is not taken, until the panel is ready again", async () => {
    const { channel: host, sent } = channel({}, false);
    host.receive({ type: "ready" });
    await Promise.resolve();
    host.show(state(3));
    expect(sent).toHaveLength(1);
  });

  it("does not echo what the panel has said about its own view", () => {
    const { channel: host, sent } = channel();
    host.receive({ type: "ready" });
    host.adopt({ ...state(0), title: "told by the panel" });
    host.show({ ...state(1), title: "told by the panel" });
    expect(sent[1]).toEqual({ type: "patch", seq: 2, patch: [{ op: "replace", path: "/done", value: 1 }] });
  });

  it("sends a state of another kind whole", () => {
    const { channel: host, sent } = channel();
    host.receive({ type: "ready" });
    host.show({ kind: "error", title: "No", message: "Not this." });
    expect(sent[1]).toMatchObject({ type: "snapshot", seq: 2 });
  });

  it("answers a call with its result, or with the sentence of its failure", async () => {
    const { channel: host, sent } = channel({
      act: async (action) => {
        if (action.name === "bad") throw new Error("no");
        return { done: false };
      },
    });
    host.receive({ type: "call", id: 1, method: "act", args: { name: "good", args: {} } });
    host.receive({ type: "call", id: 2, method: "act", args: { name: "bad", args: {} } });
    host.receive({ type: "call", id: 3, method: "note", args: { text: "x" } });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(sent).toEqual(
      expect.arrayContaining([
        { type: "reply", id: 1, value: { done: false } },
        { type: "failure", id: 2, message: "act: no" },
        { type: "failure", id: 3, message: 'note: this panel has no use for "note"' },
      ]),
    );
  });
});

describe("messages from a webview", () => {
  it("are taken when they have a known shape", () => {
    expect(readMessage({ type: "ready" })).toEqual({ type: "ready" });
    expect(readMessage({ type: "drawn", ms: 12 })).toEqual({ type: "drawn", ms: 12 });
    const call = { type: "call", id: 4, method: "command", args: { command: "firedrill.newSeed" } };
    expect(readMessage(call)).toEqual(call);
  });

  it.each([
    ["no object", "ready"],
    ["an unknown type", { type: "eval", code: "1" }],
    [
      "a command that panels may not run",
      { type: "call", id: 1, method: "command", args: { command: "firedrill.deleteRun" } },
    ],
    ["a command of the editor", { type: "call", id: 1, method: "command", args: { command: "workbench.action.quit" } }],
    ["a method of Object", { type: "call", id: 1, method: "constructor", args: {} }],
    ["an action without arguments", { type: "call", id: 1, method: "act", args: { name: "wait" } }],
    ["a note that is no text", { type: "call", id: 1, method: "note", args: { text: 5 } }],
    [
      "a truth with a broken incident",
      { type: "call", id: 1, method: "saveTruth", args: { title: "", brief: "", disposition: "", incidents: [{}] } },
    ],
    ["a drawing time that is not a number", { type: "drawn", ms: Number.NaN }],
  ])("are dropped when they are %s", (_, message) => {
    expect(readMessage(message)).toBeUndefined();
  });
});
