import { describe, expect, it } from "vitest";
import type { ActionForm, FieldForm } from "../../../src/core/action";
import { type PromptPort, promptForAction } from "../../../src/editor/commands/prompts";
import { editorDouble } from "./editor-double";

const field = (name: string, more: Partial<FieldForm>): FieldForm => ({
  name,
  title: name.toUpperCase(),
  help: `help of ${name}`,
  type: "text",
  required: true,
  ...more,
});

const form = (...fields: FieldForm[]): ActionForm => ({
  name: "act",
  title: "Act",
  help: "Acts.",
  risk: "change",
  key: "A",
  fields,
});

const port: PromptPort = {
  choices: (kind) =>
    kind === "teams"
      ? [
          { value: "sre", label: "SRE" },
          { value: "app", label: "App" },
        ]
      : [],
  check: (name, value) => (name === "minutes" && (value as number) > 60 ? "At most 60." : undefined),
};

describe("prompts derived from an action's form", () => {
  it("ask one field after the other and give the arguments back in the types of the form", async () => {
    const double = editorDouble();
    const asked = promptForAction(
      double.editor,
      form(
        field("team", { type: "choice", choices: "teams" }),
        field("minutes", { type: "integer", defaultValue: 5 }),
        field("sure", { type: "boolean" }),
      ),
      port,
    );
    const team = await double.nextInput();
    expect([team.step, team.totalSteps, team.title]).toEqual([1, 3, "Act"]);
    team.pick("App");
    const minutes = await double.nextInput();
    expect(minutes.value).toBe("5");
    minutes.type("12");
    minutes.accept();
    (await double.nextInput()).pick("No");
    expect(await asked).toEqual({ team: "app", minutes: 12, sure: false });
  });

  it("say below the box what is wrong with a value and do not go on with it", async () => {
    const double = editorDouble();
    const asked = promptForAction(double.editor, form(field("minutes", { type: "integer" })), port);
    const box = await double.nextInput();
    box.type("90");
    expect(box.validationMessage).toBe("At most 60.");
    box.accept();
    expect(box.isShown).toBe(true);
    box.type("");
    expect(box.validationMessage).toBe("MINUTES is needed.");
    box.type("9");
    box.accept();
    expect(await asked).toEqual({ minutes: 9 });
  });

  it("offer the way back from the second field on, with what was answered still there", async () => {
    const double = editorDouble();
    const asked = promptForAction(double.editor, form(field("a", {}), field("b", {})), port);
    const first = await double.nextInput();
    expect(first.buttons).toEqual([]);
    first.type("one");
    first.accept();
    const second = await double.nextInput();
    second.goBack();
    const again = await double.nextInput();
    expect(again.value).toBe("one");
    again.type("two");
    again.accept();
    const last = await double.nextInput();
    last.type("three");
    last.accept();
    expect(await asked).toEqual({ a: "two", b: "three" });
  });

  it("let an optional choice be left out", async () => {
    const double = editorDouble();
    const optional = field("team", { type: "choice", choices: "teams", required: false });
    const asked = promptForAction(double.editor, form(optional), port);
    (await double.nextInput()).pick("(leave out)");
    expect(await asked).toEqual({});
  });

  it("take several values, typed ones where the world's list is not all there is", async () => {
    const double = editorDouble();
    const asked = promptForAction(
      double.editor,
      form(field("matchers", { type: "list", choices: "matchers", open: true })),
      port,
    );
    const pick = await double.nextInput();
    pick.type('service="cart"');
    pick.pick('service="cart"');
    expect(await asked).toEqual({ matchers: ['service="cart"'] });
  });

  it("begin at the field that was refused and show why", async () => {
    const double = editorDouble();
    const complaint = { field: "b", message: "There is no such thing." };
    const asked = promptForAction(
      double.editor,
      form(field("a", {}), field("b", {})),
      port,
      { a: "1", b: "2" },
      complaint,
    );
    const box = await double.nextInput();
    expect([box.step, box.value, box.validationMessage]).toEqual([2, "2", "There is no such thing."]);
    box.type("3");
    box.accept();
    expect(await asked).toEqual({ a: "1", b: "3" });
  });

  it("give nothing when the person leaves", async () => {
    const double = editorDouble();
    const asked = promptForAction(double.editor, form(field("a", {})), port);
    (await double.nextInput()).hide();
    expect(await asked).toBeUndefined();
  });
});
