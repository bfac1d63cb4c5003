import { describe, expect, it } from "vitest";
import type { LogOutputChannel } from "vscode";
import { RecordError } from "../../../src/core/recorder";
import { MissingScenario } from "../../../src/core/scenario-source";
import { ScenarioError } from "../../../src/core/world";
import { ErrorDoor, TellUser } from "../../../src/editor/error-door";
import { editorDouble } from "./editor-double";

function door(retry: () => Promise<void> = async () => undefined) {
  const double = editorDouble();
  const logged: string[] = [];
  const log = { error: (text: string) => logged.push(text), show: () => logged.push("shown") };
  return { ...double, logged, door: new ErrorDoor(double.editor, log as unknown as LogOutputChannel, retry) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("the error door", () => {
  it("gives the result of work that succeeds and shows nothing", async () => {
    const here = door();
    expect(await here.door.run("add", async () => 3)).toBe(3);
    expect(here.messages).toEqual([]);
  });

  it("shows errors that speak to people as they are", async () => {
    const here = door();
    await here.door.show("start the scenario", new ScenarioError("There is no scenario x; list them."));
    expect(here.messages).toEqual([{ level: "error", text: "There is no scenario x; list them.", buttons: [] }]);
  });

  it("names what could not be done for any other error and offers the log", async () => {
    const here = door();
    here.presses.push("Show Log");
    await here.door.show("fork the run", new TypeError("x is undefined"));
    expect(here.messages[0]?.text).toBe("Firedrill could not fork the run: x is undefined. The log has the details.");
    expect(here.logged).toContain("shown");
  });

  it("offers to write a step again that could not be recorded, and says so when that fails too", async () => {
    let tries = 0;
    const full = new RecordError("The disk is full; free some space.", "disk_full");
    const here = door(async () => {
      tries++;
      if (tries === 1) throw full;
    });
    here.presses.push("Retry", "Retry");
    await here.door.show("take the action", full);
    await settled();
    expect(tries).toBe(2);
    expect(here.messages.map(({ text, buttons }) => [text, buttons])).toEqual([
      [full.message, ["Retry"]],
      [full.message, ["Retry"]],
    ]);
  });

  it("leads a run that misses its scenario file to where the file can be chosen", async () => {
    const here = door();
    await here.door.show("open the panel", new MissingScenario("Give that file.", { title: "Kiln", hash: "01234567" }));
    expect(here.messages).toEqual([{ level: "error", text: "Give that file.", buttons: ["Resume Run…"] }]);
  });

  it("carries out the way out that is chosen", async () => {
    const here = door();
    let forked = false;
    const way = {
      title: "Fork Instead",
      run: () => {
        forked = true;
      },
    };
    here.presses.push("Fork Instead");
    await here.door.show("resume the run", new TellUser("Another window has it.", [way]));
    expect(forked).toBe(true);
  });
});
