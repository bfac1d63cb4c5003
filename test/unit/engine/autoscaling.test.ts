import { expect, test } from "vitest";
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import type { Change } from "../../../src/engine/spec";
import { sixServices } from "../../../src/engine/topologies/six";

/** 3 cores a replica, 8 ms a request, half of the CPU wanted: 2,400 requests/s need ⌈1,200 · 0.008 / 3 / 0.5⌉ = 7 replicas a zone, at 4 ms 4. */
const plan = compile({
  ...sixServices,
  services: sixServices.services.map((each) =>
    each.name === "auth-api"
      ? {
          ...each,
          parameters: {
            ...each.parameters,
            load: 2400,
            cpuTime: 0.008,
            replicas: 7,
            scaleMin: 1,
            scaleMax: 8,
            scaleTarget: 0.5,
          },
        }
      : each,
  ),
});

const load = (value: number): Change => ({ service: "auth-api", parameter: "load", op: "set", value });

test("the autoscaler takes away no more than all its looks of five minutes agree on, as Kubernetes' stabilization window has it", () => {
  const run = new Simulation(plan, 3);
  // Looks at ticks 4, 8, … 20 find 4 enough; one dip just before the last of them, to what 1 could do, decides nothing.
  const cheaper: Change = { service: "auth-api", parameter: "cpuTime", op: "set", value: 0.004 };
  run.schedule({ kind: "changed", id: "cheaper", changes: [cheaper], tick: 2, origin: "routine" });
  run.schedule({ kind: "changed", id: "dip", changes: [load(300)], tick: 19, origin: "routine" });
  run.schedule({ kind: "reverted", id: "dip", tick: 22, origin: "routine" });
  run.advance(36);
  const scaled = run.journal.flatMap((event) => (event.kind === "autoscaled" && event.to < event.from ? [event] : []));
  expect(scaled.map(({ tick }) => tick)).toEqual([20, 20]);
  for (const { from, to } of scaled) {
    expect(from).toBeGreaterThanOrEqual(6);
    // The time of day moves the load by up to 15 %.
    expect(to).toBeGreaterThanOrEqual(3);
    expect(to).toBeLessThanOrEqual(4);
  }
});
