/**
 * Nothing to repair: a probe that flaps, metrics that do not arrive, a threshold that a handful of requests crosses; a fault that was taken
 * back by itself; or a fault that cannot be told from another, because the measurements that would tell are missing.
 *
 * Facts: AWS, 20 October 2025: health checks took out instances whose network was merely late (https://aws.amazon.com/message/101925/).
 * Slack, 4 January 2021: dashboards failed with the network while the product still mostly worked
 * (https://www.theregister.com/2021/02/02/slack_outage_aws_autoscaling/).
 */
import type { Stream } from "../../core/rng";
import type { SystemEvent } from "../events";
import type { CallSpec, ServiceSpec, SystemSpec } from "../spec";
import { code, config } from "../topologies/deployables";
import { badConfig } from "./bad-config";
import { badDeploy } from "./bad-deploy";
import { cpuThrottling } from "./cpu-throttling";
import { dns } from "./dns";
import type { Drawn, Family, Script } from "./family";
import { deployableIn, rollOutOf, serviceIn, withNextVersion } from "./releases";
import { at, failOver, script } from "./scripts";
import { slowThirdParty } from "./slow-third-party";

type Kind = "flapping_probe" | "scrape_gap" | "low_traffic" | "self_healed" | "undetermined";

/** A kind that has no place is drawn again. */
const TRIES = 8;
/** Probes that fail, and metrics that are lost, as shares; for so many ticks. */
const PROBES_FAILING = [0.65, 0.9] as const;
const METRICS_LOST = [0.85, 1] as const;
const LASTING = [48, 160] as const;
/** Ticks from the last thing that went wrong to its being taken back. */
const HEALED_AFTER = [5, 12] as const;
const LEAST_HEALED_AFTER = 14;
/** A service that few ask: requests a second before and after its largest client has gone, and errors it always has. */
const FEW = [3, 4.5] as const;
const FEWER = [0.018, 0.026] as const;
const USUAL_ERRORS = [0.011, 0.015] as const;
/** A version that changes the CPU of a request by so much. */
const NEXT_TO_NOTHING = 0.02;

const CLOSE: readonly [Script, Script] = [script("look and close"), script("watch for a while and close")];

export const noFault: Family = {
  id: "no_fault",
  draw(system, onset, stream): Drawn | null {
    for (let i = 0; i < TRIES; i++) {
      const drawn = drawKind(system, onset, stream);
      if (drawn) return drawn;
    }
    return null;
  },
};

function drawKind(system: SystemSpec, onset: number, stream: Stream): Drawn | null {
  const kind = stream.weighted<Kind>([
    ["flapping_probe", 2],
    ["scrape_gap", 2],
    ["low_traffic", 1.5],
    ["self_healed", 3],
    ["undetermined", 2],
  ]);
  switch (kind) {
    case "low_traffic":
      return lowTraffic(system, onset, stream);
    case "self_healed":
      return selfHealed(system, onset, stream);
    case "undetermined":
      return undetermined(system, onset, stream);
    default:
      return measuredWrongly(system, kind, onset, stream);
  }
}

/** Probes or metrics fail though the service is well. */
function measuredWrongly(
  system: SystemSpec,
  kind: "flapping_probe" | "scrape_gap",
  onset: number,
  stream: Stream,
): Drawn {
  const service = stream.pick(system.services.filter((each) => each.kind !== "third_party"));
  const { name } = service;
  const isProbe = kind === "flapping_probe";
  const [least, most] = isProbe ? PROBES_FAILING : METRICS_LOST;
  const value = stream.between(least, most);
  const parameter = isProbe ? "probeFailure" : "scrapeLoss";
  const id = `${isProbe ? "probes" : "collection"} of ${name}`;
  return {
    ...healthy(system, service, kind, onset),
    events: [
      {
        kind: "changed",
        id,
        changes: [{ service: name, parameter, op: "set", value }],
        tick: onset,
        origin: "fault",
      },
      { kind: "reverted", id, tick: onset + stream.integer(...LASTING), origin: "fault" },
    ],
  };
}

function healthy(system: SystemSpec, service: ServiceSpec, mechanism: string, onset: number): Drawn {
  return {
    system,
    component: service.name,
    mechanism,
    onset,
    events: [],
    dispositions: ["no_fault"],
    right: CLOSE,
    wrong: toBeSafe(service),
    exempt: "healthy",
  };
}

/** What is done to be on the safe side, and makes the outage that there was not. */
function toBeSafe(service: ServiceSpec): Script[] {
  const { name, kind, standby } = service;
  const scripts = [
    script(`restart all of ${name}`, at(2, { verb: "restart_service", service: name, mode: "all_at_once" })),
  ];
  if (kind === "database" && standby) scripts.push(failOver(name));
  return scripts;
}

const SMALL_SERVICES = ["partner-api", "export-api", "webhook-api", "batch-api"] as const;

/** A small API whose largest client goes away: among the few requests that are left one error is a high share. */
function lowTraffic(system: SystemSpec, onset: number, stream: Stream): Drawn | null {
  const database = system.services.find(({ kind, cohorts }) => kind === "database" && !cohorts);
  const sibling = system.services.find(({ kind }) => kind === "api");
  const name = stream.pick(SMALL_SERVICES);
  if (!database || !sibling || system.services.some((each) => each.name === name)) return null;
  const load = stream.between(...FEW);
  const service: ServiceSpec = {
    name,
    kind: "api",
    team: sibling.team,
    zones: sibling.zones.slice(0, 1),
    parameters: {
      load,
      replicas: 2,
      cores: 1,
      threads: 2,
      errorShare: stream.between(...USUAL_ERRORS),
      userRetries: 0,
    },
  };
  const call: CallSpec = {
    from: name,
    to: database.name,
    kind: "call",
    parameters: { calls: 1, timeout: 2, retries: 1, pool: 2 },
  };
  const tag = /^\D*/.exec(deployableIn(system, sibling.name).current)?.[0] ?? "";
  const minor = stream.integer(2, 30);
  const file = stream.integer(12, 90);
  const whole: SystemSpec = {
    ...system,
    services: [...system.services, service],
    calls: [...system.calls, call],
    deployables: [
      ...system.deployables,
      code(name, [`${tag}1.${minor}.0`, `${tag}1.${minor + 1}.0`, `${tag}1.${minor + 1}.1`], [1.02, 0.99]),
      config(name, [`c${file}`, `c${file + 1}`, `c${file + 2}`], [1.04, 1.01]),
    ],
  };
  return {
    ...healthy(whole, service, "low_traffic", onset),
    events: [
      {
        kind: "changed",
        id: `load of ${name}`,
        changes: [{ service: name, parameter: "load", op: "times", value: stream.between(...FEWER) }],
        tick: onset,
        origin: "fault",
      },
    ],
  };
}

/** A fault of another family that is taken back by itself: by a deploy tool that watches, or by the other company. */
function selfHealed(system: SystemSpec, onset: number, stream: Stream): Drawn | null {
  const drawn = stream.pick([badConfig, badDeploy, dns, slowThirdParty]).draw(system, onset, stream);
  if (!drawn) return null;
  const last = drawn.events.reduce((tick, event) => Math.max(tick, event.tick), onset);
  const healed = Math.max(onset + LEAST_HEALED_AFTER, last) + stream.integer(...HEALED_AFTER);
  const deployed = drawn.events.find((event) => event.kind === "deployed");
  const again = deployed?.kind === "deployed" ? deployed.deployable : undefined;
  const service = serviceIn(drawn.system, drawn.component);
  return {
    ...drawn,
    events: [...drawn.events, ...takenBack(drawn, healed)],
    dispositions: ["self_recovered"],
    right: CLOSE,
    wrong: [
      // The version before the present one is the bad one.
      ...(again ? [script(`roll ${again} back`, at(4, { verb: "rollback_deploy", deployable: again }))] : []),
      ...(service.kind === "third_party" ? [] : toBeSafe(service)),
    ],
    exempt: "self_healed",
  };
}

function takenBack({ system, events }: Drawn, tick: number): SystemEvent[] {
  const origin = "routine";
  const back: SystemEvent[] = [];
  const seen = new Set<string>();
  for (const event of events) {
    if (event.kind === "changed") back.push({ kind: "reverted", id: event.id, tick, origin });
    if (event.kind !== "deployed" || seen.has(event.deployable)) continue;
    seen.add(event.deployable);
    const { current } = deployableIn(system, event.deployable);
    back.push(...rollOutOf(system, event.deployable, current, tick, origin, event.share));
  }
  return back;
}

/**
 * A limit or a file changed and code was deployed, both at once, and since then nothing is measured of the service: whichever it was would look
 * the same from outside.
 */
function undetermined(system: SystemSpec, onset: number, stream: Stream): Drawn | null {
  const drawn = stream.pick([cpuThrottling, badConfig]).draw(system, onset, stream);
  if (!drawn) return null;
  const { component } = drawn;
  const service = serviceIn(system, component);
  if (service.kind === "database") return null;
  const small = 1 + stream.between(-NEXT_TO_NOTHING, NEXT_TO_NOTHING);
  const deployed = withNextVersion(
    drawn.system,
    component,
    [{ service: component, parameter: "cpuTime", op: "times", value: small }],
    stream,
  );
  return {
    ...drawn,
    system: deployed.system,
    events: [
      ...together(rollOutOf(deployed.system, component, deployed.version, onset, "fault"), drawn.events),
      {
        kind: "changed",
        id: `collection of ${component}`,
        changes: [{ service: component, parameter: "scrapeLoss", op: "set", value: 1 }],
        tick: onset,
        origin: "fault",
      },
    ],
    dispositions: ["inconclusive", "mitigated", "escalated"],
    exempt: "undetermined",
  };
}

/** A roll-out in which whatever else was deployed comes with the code, zone by zone: when users begin to suffer tells nothing of which it was. */
function together(rollOut: readonly SystemEvent[], others: readonly SystemEvent[]): SystemEvent[] {
  const other = others.find((event) => event.kind === "deployed");
  return rollOut.flatMap((event) =>
    event.kind === "deployed" && other?.kind === "deployed"
      ? [event, { ...event, deployable: other.deployable, version: other.version }]
      : [event],
  );
}
