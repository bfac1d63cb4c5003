/** What looks on from outside: health probes, synthetic checks, certificates, and whether metrics are collected at all. */
import { seriesKey } from "../../../core/rng";
import type { Plan } from "../../plan";
import { TICK_SECONDS } from "../../spec";
import { combineKeys } from "../noise";
import { gammaAt } from "../percentiles";
import { CONVENTIONS, entriesOf, type Metric, nodesOfKinds, OURS, onNode, type Reading } from "./metric";
import type { Samples } from "./samples";

/** A replica is probed every 5 s. */
const PROBES = 3;

const CHECK = seriesKey("httpcheck");
const CHECK_DURATION = seriesKey("httpcheck.duration");

export const PROBE_METRICS: readonly Metric[] = [
  onNode(
    {
      name: "health.probe.success_ratio",
      unit: "1",
      meaning:
        "share of health probes that replicas pass; probes fail with those requests that are turned away, and where nobody is ready",
      fold: "ratio",
      observer: "platform",
      places: nodesOfKinds(...OURS),
    },
    probes,
  ),
  onNode(
    {
      name: "up",
      unit: "1",
      meaning: "share of the service's groups of replicas, one a zone, whose metrics were collected",
      fold: "ratio",
      observer: "collector",
      places: targets,
      source: CONVENTIONS.prometheus,
      attributes: ["cloud.availability_zone"],
    },
    (samples, node, tick, _key, into) =>
      into.add(samples.reports(node, tick) && samples.scraped(node, tick) ? 1 : 0, 1),
  ),
  {
    name: "httpcheck.status",
    unit: "1",
    meaning: "share of synthetic checks, one a zone every 15 s, that get a good answer",
    source: CONVENTIONS.httpcheck,
    fold: "ratio",
    observer: "outside",
    place: "entry",
    attributes: ["cloud.availability_zone"],
    places: entriesOf,
    read(samples, entry, tick, into) {
      const offered = samples.user("offered", entry, tick);
      if (!(offered > 0)) return;
      const well = 1 - samples.user("failed", entry, tick) / offered;
      into.numerator += samples.noise.successes(
        combineKeys(CHECK, samples.keys.entries[entry] as number),
        tick,
        1,
        well,
      );
      into.denominator += 1;
    },
  },
  {
    name: "httpcheck.duration",
    unit: "ms",
    meaning: "how long a synthetic check took, mean of the zones",
    source: CONVENTIONS.httpcheck,
    fold: "ratio",
    observer: "outside",
    place: "entry",
    attributes: ["cloud.availability_zone"],
    places: entriesOf,
    read(samples, entry, tick, into) {
      const z = samples.noise.normal(combineKeys(CHECK_DURATION, samples.keys.entries[entry] as number), tick);
      const node = samples.run.plan.groups[samples.run.plan.entries[entry]?.group ?? 0]?.first ?? 0;
      const limit = samples.settings.service("userTimeout", node, tick);
      const drawn = gammaAt(samples.user("latencyMean", entry, tick), samples.user("latencySd", entry, tick), z);
      into.numerator += Math.floor(Math.min(drawn, limit) * 1000 + 0.5);
      into.denominator += 1;
    },
  },
  onNode(
    {
      name: "httpcheck.tls.cert_remaining",
      unit: "s",
      meaning: "seconds until the certificate that the service shows expires; negative once it has",
      fold: "last",
      observer: "platform",
      places: certified,
      source: CONVENTIONS.httpcheck,
      attributes: [],
    },
    (samples, node, tick, _key, into) => {
      const version = samples.settings.ofVersions("certificate")[node]?.at(tick);
      const shown = certificateOf(samples.run.plan, node)?.versions.find((each) => each.version === version);
      into.numerator += (shown?.expiresAt ?? 0) - (tick + 1) * TICK_SECONDS;
    },
  ),
];

/** A target a group of replicas. */
function targets(plan: Plan, service: string): readonly number[] {
  return nodesOfKinds(...OURS)(plan, service).filter((node) => plan.nodes[node]?.cohort === 0);
}

/** Passed probes and probes of a node in a tick. */
function probes(samples: Samples, node: number, tick: number, key: number, into: Reading): void {
  const ready = samples.node("ready", node, tick);
  if (ready <= 0) {
    // A second cohort without replicas is nobody to be probed.
    if (samples.run.plan.nodes[node]?.cohort === 0) into.add(0, PROBES);
    return;
  }
  const arrivals = samples.node("arrivals", node, tick);
  const turnedAway = arrivals > 0 ? Math.min(1, samples.node("rejected", node, tick) / arrivals) : 0;
  const well = (1 - samples.settings.service("probeFailure", node, tick)) * (1 - turnedAway);
  const tried = PROBES * Math.floor(ready + 0.5);
  into.add(samples.noise.successes(key, tick, tried, well), tried);
}

function certificateOf(plan: Plan, node: number) {
  const service = plan.nodes[node]?.service.name;
  return plan.deployables.find((each) => each.kind === "certificate" && each.service === service);
}

/** The first node of a service whose certificate has a known end. */
function certified(plan: Plan, service: string): readonly number[] {
  const first = plan.nodes.find((node) => node.service.name === service);
  const certificate = first && certificateOf(plan, first.index);
  return first && certificate?.versions.some((each) => each.expiresAt !== undefined) ? [first.index] : [];
}
