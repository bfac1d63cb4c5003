import { expect, test } from "vitest";
import { CALL_PARAMETERS, MOST_REPLICAS, SERVICE_PARAMETERS } from "../../../src/engine/parameters";
import { C, N } from "../../../src/engine/solver/fields";
import { MOST_REPLICAS as PLACES } from "../../../src/engine/solver/state";

test.each([
  ["node", N, SERVICE_PARAMETERS],
  ["call", C, CALL_PARAMETERS],
])("every parameter of a %s has its place in memory, in the order of its table", (_of, fields, table) => {
  const names = Object.keys(table);
  expect(names.map((name) => fields[name as keyof typeof fields])).toEqual(names.map((_name, place) => place));
});

test("there is a place for every replica that a zone may have", () => {
  expect(PLACES).toBeGreaterThanOrEqual(MOST_REPLICAS);
});
