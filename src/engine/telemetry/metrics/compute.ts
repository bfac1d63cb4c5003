/** The metrics of replicas: CPU, memory, disk, requests in them, how many there are, and the autoscaler. */
import { PERIOD } from "../../mechanisms/throttling";
import type { Plan } from "../../plan";
import { TICK_SECONDS } from "../../spec";
import { CONVENTIONS, exact, type Metric, nodesOfKinds, OURS, onNode, type Reading } from "./metric";
import type { Samples } from "./samples";

const STATEFUL = ["database", "cache", "queue"] as const;
const STATELESS = ["edge", "api", "worker"] as const;

/** Relative standard deviation of a reading of CPU time over 15 s, of memory in use. */
export const CPU_DEVIATION = 0.015;
export const MEMORY_DEVIATION = 0.003;

/** Periods of the CPU scheduler in a tick. */
const PERIODS = TICK_SECONDS / PERIOD;

const total = (samples: Samples, node: number, tick: number, _key: number, into: Reading) => {
  into.numerator += samples.node("ready", node, tick) + samples.node("starting", node, tick);
};

const COMPUTE: readonly Metric[] = [
  onNode(
    {
      name: "k8s.container.cpu_limit_utilization",
      unit: "1",
      meaning: "CPU used ÷ the limit, mean of the replicas",
      fold: "ratio",
      observer: "pod",
      places: nodesOfKinds(...OURS),
      source: CONVENTIONS.kubelet,
    },
    (samples, node, tick, key, into) => {
      const replicas = samples.node("ready", node, tick);
      const used = samples.node("cpu", node, tick) * samples.noise.factor(key, tick, CPU_DEVIATION);
      into.add(Math.min(1, used) * replicas, replicas);
    },
  ),
  onNode(
    {
      name: "k8s.container.memory_limit_utilization",
      unit: "1",
      meaning: "memory used ÷ the limit, of the fullest replica",
      fold: "max",
      observer: "pod",
      places: nodesOfKinds(...OURS),
      source: CONVENTIONS.kubelet,
    },
    (samples, node, tick, key, into) =>
      into.raise(Math.min(1, samples.node("memory", node, tick) * samples.noise.factor(key, tick, MEMORY_DEVIATION))),
  ),
  onNode(
    {
      name: "container.cpu.throttled_ratio",
      unit: "1",
      instrument: "container.cpu.throttling_data.throttled_periods ÷ container.cpu.throttling_data.periods",
      meaning: "share of the scheduler's periods in which the CPU limit stopped a replica",
      fold: "ratio",
      observer: "pod",
      places: nodesOfKinds(...OURS),
      source: CONVENTIONS.docker,
    },
    (samples, node, tick, key, into) => {
      const periods = PERIODS * samples.node("ready", node, tick);
      into.add(
        samples.noise.successes(key, tick, periods, samples.node("throttled", node, tick)),
        Math.floor(periods + 0.5),
      );
    },
  ),
  onNode(
    {
      name: "k8s.container.restart.count",
      unit: "{restart}",
      meaning: "restarts since the start of history",
      fold: "last",
      observer: "platform",
      places: nodesOfKinds(...OURS),
      source: CONVENTIONS.kubernetes,
    },
    exact("restarts"),
  ),
  ...[
    { kinds: STATELESS, ready: "k8s.deployment.available_pods", wanted: "k8s.deployment.desired_pods" },
    { kinds: STATEFUL, ready: "k8s.statefulset.ready_pods", wanted: "k8s.statefulset.desired_pods" },
  ].flatMap(({ kinds, ready, wanted }) => {
    const common = {
      unit: "{pod}",
      fold: "last",
      observer: "platform",
      places: nodesOfKinds(...kinds),
      source: CONVENTIONS.kubernetes,
    } as const;
    return [
      onNode({ ...common, name: ready, meaning: "replicas that are ready" }, exact("ready")),
      onNode({ ...common, name: wanted, meaning: "replicas that should be" }, total),
    ];
  }),
  onNode(
    {
      name: "k8s.hpa.desired_pods",
      unit: "{pod}",
      meaning: "replicas that the autoscaler wants",
      fold: "last",
      observer: "platform",
      places: autoscaled,
      source: CONVENTIONS.kubernetes,
      attributes: ["cloud.availability_zone"],
    },
    total,
  ),
  onNode(
    {
      name: "k8s.hpa.max_pods",
      unit: "{pod}",
      meaning: "replicas beyond which the autoscaler does not go",
      fold: "last",
      observer: "platform",
      places: (plan, service) => autoscaled(plan, service).filter((node) => plan.nodes[node]?.cohort === 0),
      source: CONVENTIONS.kubernetes,
      attributes: ["cloud.availability_zone"],
    },
    (samples, node, tick, _key, into) => into.add(samples.settings.service("scaleMax", node, tick), 1),
  ),
  onNode(
    {
      name: "system.filesystem.utilization",
      unit: "1",
      meaning: "share of the disk that is used, of the fullest",
      fold: "max",
      observer: "platform",
      places: nodesOfKinds(...OURS),
      source: CONVENTIONS.system,
    },
    (samples, node, tick, _key, into) => into.raise(Math.min(1, samples.node("disk", node, tick))),
  ),
];

/** Nodes of a service that has an autoscaler. */
function autoscaled(plan: Plan, service: string): readonly number[] {
  const found = plan.nodes.filter(
    (node) => node.service.name === service && (node.service.parameters?.scaleMax ?? 0) > 0,
  );
  return found.map((node) => node.index);
}

const ACTIVE: readonly Metric[] = [
  { name: "http.server.active_requests", kinds: ["edge", "api"], source: CONVENTIONS.http },
  { name: "messaging.process.active", kinds: ["worker"] },
  { name: "db.server.active_operations", kinds: ["database"] },
].map(({ name, kinds, source }) =>
  onNode(
    {
      name,
      unit: "{request}",
      meaning: "requests in the system at the moment of the reading, waiting ones included",
      fold: "sum",
      observer: "pod",
      places: nodesOfKinds(...kinds),
      ...(source ? { source } : {}),
    },
    (samples, node, tick, key, into) =>
      into.add(samples.noise.count(key, tick, samples.node("inFlight", node, tick)), 1),
  ),
);

export const COMPUTE_METRICS: readonly Metric[] = [...COMPUTE, ...ACTIVE];
