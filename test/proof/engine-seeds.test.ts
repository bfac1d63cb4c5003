import { describe, expect, test } from "vitest";
import { judge } from "../../src/engine/faults/accept";
import {
  ACCEPTED_VERSION,
  acceptedIncidents,
  acceptedSeeds,
  ENGINE_VERSION,
  topologyNamed,
  workOut,
} from "../../src/engine/faults/accepted";
import { FAMILIES } from "../../src/engine/faults/catalogue";
import { drawIncident } from "../../src/engine/faults/incident";

/** One in so many accepted incidents is judged anew: CI's fraction. `FIREDRILL_ALL_SEEDS=1` judges all of them. */
const ONE_IN = process.env.FIREDRILL_ALL_SEEDS ? 1 : 12;

describe("the accepted seeds", () => {
  test("were worked out with the engine as it is", () => {
    expect(ACCEPTED_VERSION).toBe(ENGINE_VERSION);
  });

  test("are there for every family, on at least one system", () => {
    const without = FAMILIES.filter(({ id }) => !acceptedIncidents().some(([family]) => family === id));
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test("are accepted again when they are judged anew", () => {
    const all = acceptedIncidents().filter((_, index) => index % ONE_IN === 0);
    const turnedDown = all.flatMap(([family, topology, seed]) => {
      const incident = drawIncident(topologyNamed(topology), family, seed);
      const reason = incident ? judge(incident).reason : "no place";
      return reason === "accepted" ? [] : [`${family} ${seed} on ${topology}: ${reason}`];
    });
    expect(turnedDown).toEqual([]);
  }, 600_000);

  test("are the first of their family: working them out gives the same", () => {
    const family = FAMILIES[0]?.id ?? "bad_deploy";
    expect(workOut(family, "six")?.seeds).toEqual(acceptedSeeds(family, "six"));
  }, 600_000);
});
