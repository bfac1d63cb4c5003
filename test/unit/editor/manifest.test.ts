import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import manifest from "../../../package.json";
import { COMMANDS } from "../../../src/editor/commands/command-table";
import { actionNamesOf } from "../../../src/editor/commands/declared-actions";
import { manifestParts, worldActions } from "../../../src/editor/manifest";
import { PANEL_COMMANDS } from "../../../src/panel-protocol";
import { loadWorld, worldIds } from "../../../src/worlds/catalogue";

const worlds = await Promise.all(worldIds.map((id) => loadWorld(id)));
const parts = manifestParts(worlds.map(worldActions));

describe("package.json", () => {
  it("says what the code says; run `npm run manifest` when it does not", () => {
    const { contributes, activationEvents } = manifest;
    expect({ activationEvents, contributes }).toEqual(JSON.parse(JSON.stringify(parts)));
  });

  it("declares a command for every action of every scenario", () => {
    const declared = actionNamesOf(manifest).map(({ world, action }) => `${world}.${action}`);
    for (const world of worlds)
      for (const scenario of world.scenarios())
        for (const name of world.actionsFor(scenario).names) expect(declared).toContain(`${world.id}.${name}`);
    expect(new Set(declared).size).toBe(declared.length);
  });

  it("gives every command a title in Title Case and the category Firedrill", () => {
    const small = new Set(["a", "to", "of", "or", "and", "out", "from", "with"]);
    for (const { title, category } of manifest.contributes.commands) {
      expect(category).toBe("Firedrill");
      for (const word of title.split(" ")) if (!small.has(word)) expect(word[0], title).toBe(word[0]?.toUpperCase());
    }
  });

  it("shows the verbs of a set only in an episode of that set", () => {
    const when = (command: string) =>
      manifest.contributes.menus.commandPalette.find((entry) => entry.command === command)?.when;
    expect(when("firedrill.alerts.triage")).toContain("firedrill.verbs == published");
    expect(when("firedrill.alerts.silence")).toContain("firedrill.verbs == full");
    expect(when("firedrill.alerts.give_up")).toBe("firedrill.runActive && firedrill.world == alerts");
  });

  it("declares every command that panels may run", () => {
    const ids = COMMANDS.map(({ id }) => `firedrill.${id}`);
    for (const command of PANEL_COMMANDS) expect(ids).toContain(command);
  });

  it("names only pictures that are there", () => {
    const pictures = [
      manifest.icon,
      ...manifest.contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
      ...manifest.contributes.viewsContainers.activitybar.map(({ icon }) => icon),
    ];
    for (const picture of pictures) expect(readFileSync(picture).length, picture).toBeGreaterThan(100);
  });

  it("has an icon of 128 pixels or more", () => {
    const png = readFileSync(manifest.icon);
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(128);
  });
});
