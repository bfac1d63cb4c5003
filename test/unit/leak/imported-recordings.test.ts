/**
 * The answers of an imported scenario are its author's own, and stand in its file. Before the end they may stand nowhere else:
 * neither as they are, nor encoded, nor as a hash that a guess could be tried on.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digest } from "../../../src/core/json";
import { replay } from "../../../src/core/replay";
import { resumeRun, startRun } from "../../../src/core/runs";
import { readTrajectory } from "../../../src/core/trajectory";
import type { ScenarioFile, World } from "../../../src/core/world";
import { debriefState, readDebrief } from "../../../src/editor/debrief/debrief-state";
import { episodePanelState, FRESH_UI } from "../../../src/editor/panel-state";
import { actorsIn, listed } from "../../../src/editor/views/listed-run";
import { MemoryRecordStore } from "../../../src/storage/memory-store";
import { summarise } from "../../../src/storage/run-summary";
import { DISPOSITIONS } from "../../../src/worlds/alerts/dispositions";
import { SEVERITIES, TEAMS } from "../../../src/worlds/alerts/draw";
import { AlertsEpisode } from "../../../src/worlds/alerts/episode";
import { gradeAlerts } from "../../../src/worlds/alerts/grader";
import { importedDraw, writeScenario } from "../../../src/worlds/alerts/import";
import { packTruth, sealOf } from "../../../src/worlds/alerts/import/seal";
import { MECHANISM_NAMES } from "../../../src/worlds/alerts/mechanisms";
import { context, find, GIVE_UP, GROUP, IDS, kiln, LOOK, world } from "../alerts-import/kiln";
import { SALT } from "../alerts-import/payloads";
import { firedrill } from "../headless/harness";
import { shownIn } from "./decoded";

const CANARIES = {
  disposition: "canary-disposition-51",
  component: "canary-component-52",
  mechanism: "canary-mechanism-53",
  severity: "canary-severity-54",
  team: "canary-team-55",
  alert: "canary-alert-56",
  salt: "ca4a57ca4a57ca4a57ca4a57ca4a57ca4a57",
};
const WORDS = Object.values(CANARIES);

/** A canary in every field of the answers. No reader would take them, so the world below opens files unread. */
function canaryFile(): ScenarioFile {
  const { disposition, component, mechanism, severity, team, alert, salt } = CANARIES;
  const truth = { disposition, incidents: [{ component, mechanism, severity, team, alerts: [alert] }] };
  return { ...kiln(), seal: sealOf(truth, salt), truth: packTruth(truth, salt) };
}

const unread = {
  ...world,
  open: (file: ScenarioFile, seed: number) => new AlertsEpisode(file.info, seed, importedDraw(file), gradeAlerts),
} as unknown as World;

interface Published {
  /** All that was shown or written up to the moment before the end. */
  readonly before: readonly string[];
  /** The recording at that moment, and when it was finished. */
  readonly unfinished: string;
  readonly finished: string;
}

/** Plays a few steps, leaves, comes back and gives up; what listings, panels and the debrief of the unfinished run show counts. */
async function publish(file: ScenarioFile, played: World): Promise<Published> {
  const store = new MemoryRecordStore();
  const name = "r.firedrill.jsonl";
  const before: string[] = [];
  const say = (value: unknown) => before.push(typeof value === "string" ? value : JSON.stringify(value));
  const { session, episode } = await startRun(played, file, 0, context(store, { id: "run", name }));
  session.subscribe((event) => event.type !== "ended" && say(event));
  say(session.episode);
  say(session);
  say(episode);
  for (const action of [LOOK, GROUP, { name: "tell_me", args: {} }]) {
    say(session.episode.preview(action));
    say(await session.act(action, "human"));
    say(played.render(session.observation));
    say(
      episodePanelState({
        kind: "alerts",
        observation: session.observation,
        forms: played.actions.forms(),
        choices: (kind) => session.episode.choices(kind),
        run: name,
        recording: { on: true, location: "memory", error: null },
        player: { name: "human", mode: "human", paused: false, paceMs: 0 },
        over: false,
        problem: null,
        ui: FRESH_UI,
        myGrades: [],
      }),
    );
    say(await store.read(name));
  }
  await session.note("a note");
  const unfinished = await store.read(name);
  say(unfinished);
  const [entry] = await store.list();
  if (entry) say(listed(entry, summarise(unfinished), actorsIn(unfinished)));
  const facts = { file: name, text: unfinished };
  const { trajectory, torn } = readDebrief(facts);
  say(debriefState(facts, trajectory, torn, []));
  say(replay(played, trajectory));
  const moved = new MemoryRecordStore();
  moved.put(name, unfinished);
  say(
    await resumeRun(() => played, name, { store: moved }).then(String, (error) => `${error} ${JSON.stringify(error)}`),
  );
  await session.act(GIVE_UP, "human");
  return { before, unfinished, finished: await store.read(name) };
}

describe("of an imported scenario's answers", () => {
  it("nothing is shown or written before the end, encoded or not, and all of it stands in the grade line", async () => {
    const { before, finished } = await publish(canaryFile(), unread);
    for (const text of before) expect(shownIn(text, WORDS)).toEqual([]);
    const last = finished.trimEnd().split("\n").at(-1) as string;
    expect(JSON.parse(last)).toMatchObject({ type: "grade" });
    expect(shownIn(last, WORDS)).toEqual(WORDS);
    expect(shownIn(finished.slice(0, finished.indexOf(last)), WORDS)).toEqual([]);
  });

  it("nothing makes a difference before the end but to the hash and the seal", async () => {
    const files = [kiln(), kiln({ disposition: "no_fault", incidents: [] }, "f".repeat(32))];
    const [one, other] = await Promise.all(files.map((file) => publish(file, world)));
    const masked = (published: Published | undefined, file: ScenarioFile | undefined) => {
      const hash = world.contentHash(file as ScenarioFile);
      const texts = published?.before.map((text) =>
        text.replaceAll(hash, "HASH").replaceAll(hash.slice(0, 8), "SHORT"),
      );
      return texts?.map((text) => text.replaceAll(file?.seal as string, "SEAL"));
    };
    expect(masked(one, files[0])).toEqual(masked(other, files[1]));
    expect(one?.unfinished).not.toBe(other?.unfinished);
    expect(one?.finished.split("\n").at(-2)).not.toBe(other?.finished.split("\n").at(-2));
  });

  it("looking for words finds them in base64 and in hexadecimal digits, at any offset and one in the other", () => {
    const base64 = Buffer.from("zz canary-team-55").toString("base64");
    const hex = Buffer.from(base64).toString("hex");
    for (const text of [`canary-team-55`, `{"x":"${base64}"}`, `ab${base64}`, `"${hex}"`, `f${hex}`])
      expect(shownIn(text, WORDS)).toEqual(["canary-team-55"]);
  });
});

describe("a guess at an imported scenario's answers", () => {
  const file = kiln();

  /** Every answer with at most one incident, in a queue of two alerts. */
  function* guesses() {
    for (const disposition of DISPOSITIONS) {
      yield { disposition, incidents: [] };
      for (const component of ["kiln", "store"])
        for (const mechanism of MECHANISM_NAMES)
          for (const severity of SEVERITIES)
            for (const team of TEAMS)
              for (const alerts of [IDS.slice(0, 1), IDS.slice(1), IDS])
                yield { disposition, incidents: [{ component, mechanism, severity, team, alerts }] };
    }
  }

  it("is confirmed by nothing in an unfinished recording, though with the salt it would be", async () => {
    const { unfinished } = await publish(file, world);
    const { episode } = readTrajectory(unfinished);
    const sealed = episode.scenario_file?.seal as string;
    const hashes = new Set([sealed, episode.content_hash, episode.scenario.replace("file-", "")]);
    let confirmed = 0;
    const known: unknown[] = [];
    for (const truth of guesses()) {
      const bare = sealOf(truth, "");
      if ([bare, digest(truth), world.contentHash({ ...file, seal: bare })].some((hash) => hashes.has(hash)))
        confirmed++;
      if (sealOf(truth, SALT) === sealed) known.push(truth);
    }
    expect(confirmed).toBe(0);
    expect(known).toEqual([JSON.parse(Buffer.from(file.truth as string, "base64").toString(), withoutSalt)]);
  });
});

function withoutSalt(key: string, value: unknown): unknown {
  return key === "salt" ? undefined : value;
}

describe("the command line", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "firedrill-leak-"));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it("says nothing of the answers of a run that is not over", async () => {
    const [scenario, recording] = [join(folder, "kiln.json"), join(folder, "left.firedrill.jsonl")];
    await writeFile(scenario, writeScenario(kiln({}, CANARIES.salt.slice(0, 32))));
    const store = new MemoryRecordStore();
    const { session } = await startRun(
      world,
      kiln({}, CANARIES.salt.slice(0, 32)),
      0,
      context(store, { name: "left" }),
    );
    await session.act(LOOK, "human");
    await writeFile(recording, await store.read("left"));
    const lines = [
      ["replay", recording, "--json"],
      ["regrade", recording, "--rubric", "strict", "--json"],
      ["resume", recording, "--player", "rules", "--json"],
      ["scenarios", "--json"],
    ];
    const ran = await Promise.all(lines.map((line) => firedrill(line, { worlds: [find()] })));
    const input = "inspect_alert alert=a01\nq\n";
    const play = ["play", "--world", "alerts", "--scenario", scenario, "--seed", "0"];
    ran.push(await firedrill(play, { worlds: [find()], input }));
    expect(ran.map(({ code }) => code)).toEqual([0, 3, 3, 0, 0]);
    const said = ran.map(({ out, error }) => out + error).join("\n");
    // The other fields of the answers are words that everybody may choose from; salt and packed text stand for them.
    const packed = kiln({}, CANARIES.salt.slice(0, 32)).truth as string;
    expect(shownIn(said, [CANARIES.salt.slice(0, 32), packed])).toEqual([]);
    expect(said).toContain("give that file with --scenario FILE.");
  });
});
