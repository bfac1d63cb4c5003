import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ActionCatalogue, type ActionSpec, field } from "../../../src/core/action";

const look: ActionSpec = {
  name: "look",
  title: "Look",
  help: "Shows one service.",
  risk: "read",
  key: "L",
  minutes: 1,
  schema: z.object({
    service: field(z.string().max(20), "Service", "Which service.", "services"),
    minutes: field(z.number().int().min(5).max(180).default(60), "Minutes", "How far back."),
  }),
};
const wait: ActionSpec = {
  name: "wait",
  title: "Wait",
  help: "Lets time pass.",
  risk: "read",
  key: "W",
  minutes: (args) => args.minutes as number,
  schema: z.object({ minutes: field(z.number().int().min(1).max(30), "Minutes", "How long.") }),
};
const catalogue = new ActionCatalogue([look, wait]);

describe("an action catalogue", () => {
  it("fills in defaults", () => {
    expect(catalogue.parse({ name: "look", args: { service: "api" } })).toMatchObject({
      action: { name: "look", args: { service: "api", minutes: 60 } },
    });
  });

  it("names the actions there are when one is unknown", () => {
    expect(catalogue.parse({ name: "jump", args: {} })).toEqual({
      problem: { code: "unknown_action", message: 'There is no action "jump". Use one of: look, wait.' },
    });
  });

  it("names the field at fault", () => {
    expect(catalogue.parse({ name: "wait", args: { minutes: 99 } })).toMatchObject({
      problem: { code: "invalid_arguments", field: "minutes" },
    });
  });

  it("refuses an argument it does not know, and says which there are", () => {
    const { problem } = catalogue.parse({ name: "wait", args: { minutes: 1, hours: 2 } }) as {
      problem: { message: string };
    };
    expect(problem.message).toBe('wait has no argument "hours". It takes: minutes.');
  });

  it("answers anything at all with an action or a problem (random input)", () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        const answer = catalogue.parse(input);
        expect("action" in answer || "problem" in answer).toBe(true);
      }),
    );
  });

  it("takes simulated time by its arguments where it says so", () => {
    expect(catalogue.minutes({ name: "wait", args: { minutes: 7 } })).toBe(7);
    expect(catalogue.minutes({ name: "look", args: {} })).toBe(1);
  });

  it("says of which lists other values than those offered are taken", () => {
    const labels = z.object({
      any: field(z.array(z.string()), "Any", "", "labels", "open"),
      known: field(z.array(z.string()), "Known", "", "labels"),
    });
    const [form] = new ActionCatalogue([{ ...look, schema: labels }]).forms();
    expect(form?.fields.map(({ choices, open }) => [choices, open])).toEqual([
      ["labels", true],
      ["labels", undefined],
    ]);
  });

  it("derives forms: types, bounds, defaults and the list that offers values", () => {
    expect(catalogue.forms()[0]?.fields).toEqual([
      {
        name: "service",
        title: "Service",
        help: "Which service.",
        type: "choice",
        required: true,
        choices: "services",
        maxLength: 20,
      },
      {
        name: "minutes",
        title: "Minutes",
        help: "How far back.",
        type: "integer",
        required: false,
        defaultValue: 60,
        minimum: 5,
        maximum: 180,
      },
    ]);
  });

  it("derives a JSON Schema that refuses unknown arguments", () => {
    expect(catalogue.jsonSchema("wait")).toMatchObject({
      type: "object",
      additionalProperties: false,
      required: ["minutes"],
    });
  });

  it("refuses two actions of one name or one key", () => {
    expect(() => new ActionCatalogue([look, look])).toThrow(/share a name/);
    expect(() => new ActionCatalogue([look, { ...wait, key: "L" }])).toThrow(/share a key/);
  });
});
