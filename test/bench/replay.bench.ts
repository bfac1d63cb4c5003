/**
 * Replay from text to verdict: reading the recording, opening the episode, taking every step again, comparing every byte,
 * grading. Recordings of three players, a third each: `rules`, `random`, and `collector`, which reads for long before it acts,
 * as people do (about 25 steps a run, where people take 20 to 60). All generated scenarios in turn. The draws are still in the
 * world's own cache, as they are when a run is replayed after it was played or when runs of the same seeds are replayed.
 *
 * Time is the processor time of this process, all its threads included: replay is one thread's work and waits for nothing, so
 * that this is what it takes of a core, whatever else the machine does. Other programs still slow it down through the caches
 * they share with it.
 */
import type { PlayerFactory } from "../../src/core/player";
import { replayText } from "../../src/core/replay";
import { Stream } from "../../src/core/rng";
import { startRun } from "../../src/core/runs";
import { MemoryRecordStore } from "../../src/storage/memory-store";
import { alertsWorld } from "../../src/worlds/alerts/world";
import type { Measurement } from "./measurement";

const RUNS = 60;
const world = alertsWorld as never as import("../../src/core/world").World;

interface Recording {
  readonly text: string;
  readonly steps: number;
}

let recordings: Promise<readonly Recording[]> | null = null;

async function record(): Promise<readonly Recording[]> {
  const generated = world.scenarios().filter((info) => info.split !== "published");
  const scenarios = (generated.length ? generated : world.scenarios()).map((info) => info.id);
  const players = ["rules", "random", "collector"].map(
    (name) => world.players.find((each) => each.name === name) as PlayerFactory,
  );
  const made: Recording[] = [];
  for (let i = 0; made.length < RUNS; i++) {
    const scenario = scenarios[i % scenarios.length] as string;
    const seed = Math.floor(i / scenarios.length);
    // Not every seed gives a fair episode.
    if (opens(scenario, seed)) made.push(await play(scenario, seed, players[i % players.length] as PlayerFactory));
  }
  const bytes = made.reduce((sum, each) => sum + each.text.length, 0);
  const steps = made.reduce((sum, each) => sum + each.steps, 0);
  console.log(`replay: ${made.length} recordings, ${steps} steps, ${Math.round(bytes / steps)} bytes a step`);
  return made;
}

function opens(scenario: string, seed: number): boolean {
  try {
    world.open(scenario, seed);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

async function play(scenario: string, seed: number, factory: PlayerFactory): Promise<Recording> {
  const store = new MemoryRecordStore();
  const context = { store, openedBy: `policy:${factory.name}`, now: "2026-01-01T00:00:00Z", id: "x", name: "x" };
  const { session } = await startRun(world, scenario, seed, context);
  const player = factory.create(Stream.of(seed, `player:${factory.name}`), session.episode);
  while (!session.observation.done) {
    const action = player.decide(session.observation) ?? { name: "give_up", args: {} };
    await session.act(action, `policy:${factory.name}`);
  }
  return { text: await store.read("x"), steps: session.steps.length };
}

/** Steps and megabytes a second of processor time, over at least a second of it. */
async function rate(): Promise<{ steps: number; megabytes: number }> {
  recordings ??= record();
  const all = await recordings;
  let [steps, bytes] = [0, 0];
  const begin = processorSeconds();
  while (processorSeconds() - begin < 1)
    for (const { text } of all) {
      const result = replayText(() => world, text);
      if (!result.identical) throw new Error(`A replay differs: ${result.firstDifference}`);
      steps += result.steps;
      bytes += text.length;
    }
  const seconds = processorSeconds() - begin;
  return { steps: steps / seconds, megabytes: bytes / 1_000_000 / seconds };
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

const STEPS_A_SECOND = 50_000;
const MEGABYTES_A_SECOND = 100;

export const measurements: readonly Measurement[] = [
  { name: "replay: steps", unit: "steps/s", runs: 5, measure: async () => (await rate()).steps },
  { name: "replay: recordings", unit: "MB/s", runs: 5, measure: async () => (await rate()).megabytes },
  {
    name: `replay: the better of steps/${STEPS_A_SECOND} and MB/${MEGABYTES_A_SECOND}, a second`,
    unit: "",
    runs: 5,
    least: 1,
    measure: async () => {
      const { steps, megabytes } = await rate();
      return Math.max(steps / STEPS_A_SECOND, megabytes / MEGABYTES_A_SECOND);
    },
  },
];
