import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { PlayerFactory } from "../../../src/core/player";
import { replayText } from "../../../src/core/replay";
import { Stream } from "../../../src/core/rng";
import { startRun } from "../../../src/core/runs";
import { TrajectoryError } from "../../../src/core/trajectory";
import type { World } from "../../../src/core/world";
import { MemoryRecordStore } from "../../../src/storage/memory-store";
import { alertsWorld } from "../../../src/worlds/alerts/world";

const world = alertsWorld as never as World;
let lines: string[];

beforeAll(async () => {
  const store = new MemoryRecordStore();
  const context = { store, openedBy: "policy:rules", now: "2026-01-01T00:00:00Z", id: "x", name: "x" };
  const info = world.scenarios().find(({ split }) => split !== "published");
  const { session } = await startRun(world, info?.id ?? "", 0, context);
  const rules = world.players.find(({ name }) => name === "rules") as PlayerFactory;
  const player = rules.create(Stream.of(0, "player"), session.episode);
  while (!session.observation.done) {
    const action = player.decide(session.observation) ?? { name: "give_up", args: {} };
    await session.act(action, "policy:rules");
  }
  lines = (await store.read("x")).split("\n").slice(0, -1);
});

/** Whether a replay finds nothing wrong. A recording that cannot be read is refused, which is as good as a difference. */
function passes(edited: readonly string[]): boolean {
  try {
    return replayText((id) => (id === "alerts" ? world : undefined), `${edited.join("\n")}\n`).identical;
  } catch (error) {
    expect(error).toBeInstanceOf(TrajectoryError);
    return false;
  }
}

/** What came from outside and decides nothing, so that a replay cannot know better. */
const OUTSIDE = /^\/(run|version|title|rubric|split|opened_by|wall_opened_at|actor|hindsight|action\/args\/reason)$/;

interface Leaf {
  readonly path: string;
  readonly change: () => void;
}

/** Every leaf of a value, with its pointer and a way to change it in place. */
function leavesOf(holder: Record<string, unknown>, path = ""): Leaf[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    const here = `${path}/${key}`;
    if (typeof value === "object" && value !== null) return leavesOf(value as Record<string, unknown>, here);
    const change = () => {
      holder[key] =
        typeof value === "string" ? `${value}x` : typeof value === "number" ? value + 1 : value === null ? 0 : !value;
    };
    return [{ path: here, change }];
  });
}

describe("a replay of an alerts episode", () => {
  test("finds a recording identical that nobody has touched", () => {
    expect(lines.length).toBeGreaterThan(10);
    expect(passes(lines)).toBe(true);
  });

  test("reports any value that was changed, wherever it stands (random places)", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (lineAt, leafAt) => {
        const at = lineAt % lines.length;
        const line = JSON.parse(lines[at] as string);
        const leaves = leavesOf(line).filter(({ path }) => !OUTSIDE.test(path));
        leaves[leafAt % leaves.length]?.change();
        expect(passes([...lines.slice(0, at), JSON.stringify(line), ...lines.slice(at + 1)])).toBe(false);
      }),
      { numRuns: 80 },
    );
  });

  test("reports any character of an observation, an outcome or the grade that was changed, left out or put in", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.constantFrom("change", "leave out", "put in"), (lineAt, charAt, how) => {
        const at = 1 + (lineAt % (lines.length - 1));
        const line = lines[at] as string;
        // Behind the head, which says who acted; a space between tokens counts as well.
        const from = line.indexOf(',"patch":[') < 0 ? line.indexOf(',"observation":{') : line.indexOf(',"patch":[');
        const until =
          line.lastIndexOf(',"action":') < 0 ? line.lastIndexOf(',"hindsight"') : line.lastIndexOf(',"action":');
        const place = from + (charAt % (until - from));
        const kept = how === "put in" ? place : place + 1;
        const put = how === "leave out" ? "" : line[place] === " " ? "_" : " ";
        const edited = line.slice(0, place) + put + line.slice(kept);
        expect(passes([...lines.slice(0, at), edited, ...lines.slice(at + 1)])).toBe(false);
      }),
      { numRuns: 80 },
    );
  });

  test("reports lines that were left out, doubled or exchanged", () => {
    for (const at of [0, 1, 2, lines.length - 2]) {
      const [one, two] = [lines[at] as string, lines[at + 1] as string];
      expect(passes([...lines.slice(0, at), ...lines.slice(at + 1)])).toBe(false);
      expect(passes([...lines.slice(0, at), one, one, ...lines.slice(at + 1)])).toBe(false);
      expect(passes([...lines.slice(0, at), two, one, ...lines.slice(at + 2)])).toBe(false);
    }
    expect(passes([...lines, lines[lines.length - 1] as string])).toBe(false);
  });
});
