import { describe, expect, test } from "vitest";
import { alerts, firedrill } from "./harness";

const line = "play --world alerts --scenario words --seed 1";

describe("a game at the terminal", () => {
  test("is played from piped lines: by name, by key, with arguments given or asked for", async () => {
    const input = ["say text=hello", "s", "typed when asked", 'SAY {"text": "again"}', "x", ""].join("\n");
    const { code, out } = await firedrill(line, { input });
    expect(code).toBe(0);
    expect(out).toContain('There is no action "SAY"');
    expect(out).toMatch(/Grade 1\.000/);
    // Each accepted action shows the observation after it.
    expect(out).toContain('"said":5');
    expect(out).toContain(`"said":${5 + "typed when asked".length}`);
  });

  test("takes quoted values, and the only argument without its name", async () => {
    const input = 'say text="two words"\nsay three more words\nq\n';
    const { out } = await firedrill(line, { input });
    expect(out).toContain('"said":9');
    expect(out).toContain(`"said":${9 + "three more words".length}`);
  });

  test("tells what is wrong and goes on, at no cost", async () => {
    const { out } = await firedrill(line, { input: 'say {"text": 5}\nsay {broken\nsay text=a texts=x\n?\nstop\n' });
    expect(out).toMatch(/"text" is not valid/);
    expect(out).toMatch(/are not JSON/);
    expect(out).toMatch(/has no argument "texts"/);
    expect(out).toMatch(/S {2}say — Says something\./);
    expect(out).toMatch(/Grade 0\.000/);
  });

  test("ends unfinished at the end of the input, or when left", async () => {
    for (const input of ["", "say text=a\n", "say text=a\nq\nsay text=b\n", "say"]) {
      const { code, out } = await firedrill(line, { input });
      expect(code).toBe(0);
      expect(out).toMatch(/Left unfinished after \d steps?; nothing was graded/);
    }
  });

  test("prints one JSON value on standard output with --json, the game on standard error", async () => {
    const { code, out, error } = await firedrill(`${line} --json`, { input: "say text=a\nstop\n" });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      scenario: "words",
      seed: 1,
      player: "human",
      steps: 2,
      done: true,
      ungraded: null,
    });
    expect(error).toContain("action>");
  });

  test("starts somewhere by itself", async () => {
    const { code, out } = await firedrill("play --world alerts", { input: "stop\n" });
    expect(code).toBe(0);
    expect(out).toMatch(/scenario words, seed \d+/);
  });

  test("of a published task shows what there is to know and takes its verbs", async () => {
    const { code, out } = await firedrill("play --world alerts --scenario task_easy --seed 0", {
      input: "?\n",
      worlds: [alerts],
    });
    expect(code).toBe(0);
    expect(out).toMatch(/ {2}T {2}triage/);
    expect(out).not.toContain("inspect_alert");
  });
});
