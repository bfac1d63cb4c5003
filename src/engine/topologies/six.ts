/**
 * The six-service system: two APIs and a worker over one database, a cache and a queue. Applications run in two zones, the
 * database in a third with its standby beside the applications of the first, the broker with those of the second.
 *
 * Sizes, by hand: auth-api 1,200 requests/s reads 4 keys each, of which about a tenth miss: 480 queries/s. billing-api 240/s with
 * 2.5 queries each: 600/s. Messages 1,200 · .05 + 240 · .5 = 180/s with 1.5 queries each: 270/s. Together 1,350 queries/s of 5 ms
 * CPU on 16 cores: 42 % of main-db. A query takes 25 ms, so that by Little's law a replica of billing-api (150 queries/s) uses 3.75
 * of its 8 connections. A flushed cache sends 4,800 reads/s to a database that serves 3,200.
 */
import type { CallSpec, Deployable, ServiceSpec, SystemSpec } from "../spec";
import { callChange, certificate, code, config, dnsZone, flag, job, limit, serviceChange } from "./deployables";

const APPLICATIONS = ["zone-a", "zone-b"];
const CANARY = { kind: "canary" } as const;

const services: readonly ServiceSpec[] = [
  {
    name: "auth-api",
    kind: "api",
    team: "identity",
    zones: APPLICATIONS,
    cohorts: CANARY,
    parameters: { load: 1200, replicas: 2, cores: 3, cpuTime: 0.004, ownTime: 0.004, writeShare: 0.1 },
  },
  {
    name: "billing-api",
    kind: "api",
    team: "payments",
    zones: APPLICATIONS,
    cohorts: CANARY,
    parameters: { load: 240, replicas: 2, cores: 2, cpuTime: 0.014, ownTime: 0.006, writeShare: 0.4 },
  },
  {
    name: "worker",
    kind: "worker",
    team: "payments",
    zones: APPLICATIONS,
    cohorts: CANARY,
    parameters: { replicas: 2, cores: 1, threads: 2, cpuTime: 0.009, ownTime: 0.02 },
  },
  {
    name: "main-db",
    kind: "database",
    team: "data",
    zones: ["zone-c"],
    standby: "zone-a",
    // A host of its own: as many threads as CPUs, no quota.
    parameters: { cores: 16, threads: 16, cpuTime: 0.005, ownTime: 0.02, knee: 120, diskSize: 500, diskBase: 210 },
  },
  {
    name: "cache",
    kind: "cache",
    team: "platform",
    zones: APPLICATIONS,
    // A node works on one core, as Redis does.
    parameters: { cores: 1, threads: 1, cpuTime: 0.00014, hitMax: 0.94, hotKeys: 120000, cacheTtl: 14400 },
  },
  {
    name: "queue",
    kind: "queue",
    team: "platform",
    zones: ["zone-b"],
    parameters: { cores: 2, threads: 2, cpuTime: 0.004 },
  },
];

const calls: readonly CallSpec[] = [
  { from: "auth-api", to: "cache", kind: "call", parameters: { calls: 4, timeout: 0.2, pool: 32, critical: 0 } },
  {
    from: "auth-api",
    to: "main-db",
    kind: "call",
    behind: "cache",
    parameters: { calls: 4, timeout: 1, retries: 1, pool: 8 },
  },
  // An audit trail: a login does not fail for want of it.
  { from: "auth-api", to: "queue", kind: "publish", parameters: { calls: 0.05, timeout: 1, retries: 1, critical: 0 } },
  { from: "billing-api", to: "main-db", kind: "call", parameters: { calls: 2.5, timeout: 1, retries: 1, pool: 8 } },
  { from: "billing-api", to: "queue", kind: "publish", parameters: { calls: 0.5, timeout: 1, retries: 1 } },
  { from: "worker", to: "queue", kind: "consume" },
  { from: "worker", to: "main-db", kind: "call", parameters: { calls: 1.5, timeout: 2, retries: 1, pool: 4 } },
];

const cores = (service: string) => (value: number) => serviceChange(service, "cores", "set", value);
const pool = (call: string) => (value: number) => callChange(call, "pool", "set", value);

const SERIALS = ["2026091401", "2026102701", "2026111201"];

const deployables: readonly Deployable[] = [
  code("auth-api", ["v3.17.2", "v3.18.0", "v3.18.1", "v3.19.0"], [1.05, 0.98, 1.02]),
  code("billing-api", ["v2.40.0", "v2.41.0", "v2.41.1", "v2.42.0"], [0.97, 1.03, 1.01]),
  code("worker", ["v1.28.3", "v1.29.0", "v1.29.1", "v1.30.0"], [1.06, 1.03, 0.99]),
  code("main-db", ["14.18", "14.19", "14.20"], [1.03, 1.01]),
  code("cache", ["7.2.6", "7.2.8", "7.2.11"], [1.04, 1.02]),
  code("queue", ["3.12.12", "3.12.13", "3.12.14"], [1.02, 1.01]),
  config("auth-api", ["c118", "c119", "c120"], [1.1, 1.05]),
  config("billing-api", ["c86", "c87", "c88"], [0.95, 1.05]),
  config("worker", ["c51", "c52", "c53"], [1.05, 1]),
  config("main-db", ["c29", "c30", "c31"], [1.06, 1.02]),
  config("cache", ["c11", "c12", "c13"], [1.1, 1]),
  config("queue", ["c17", "c18", "c19"], [1.05, 1.02]),
  flag("shadow-reads", "auth-api", "off", [
    callChange("auth-api>cache", "enabled", "times", 2),
    callChange("auth-api>main-db", "enabled", "times", 2),
  ]),
  flag("prefetch-permissions", "auth-api", "on", [
    callChange("auth-api>cache", "enabled", "times", 0.75),
    callChange("auth-api>main-db", "enabled", "times", 0.75),
  ]),
  flag("invoice-preview", "billing-api", "on", [callChange("billing-api>main-db", "enabled", "times", 0.8)]),
  flag("auth-api-db-retries", "auth-api", "on", [callChange("auth-api>main-db", "retries", "set", 0)]),
  flag("billing-api-db-retries", "billing-api", "on", [callChange("billing-api>main-db", "retries", "set", 0)]),
  flag("worker-db-retries", "worker", "on", [callChange("worker>main-db", "retries", "set", 0)]),
  ...["main-db", "cache", "queue"].flatMap((service) => [
    certificate(service, ["2025-q4", "2026-q1", "2027-q1"], calls),
    dnsZone(service, SERIALS, calls),
  ]),
  limit("db-pool", "auth-api", [6, 7, 8], pool("auth-api>main-db")),
  limit("db-pool", "billing-api", [6, 7, 8], pool("billing-api>main-db")),
  limit("db-pool", "worker", [3, 3, 4], pool("worker>main-db")),
  limit("cpu-quota", "auth-api", [2.5, 2.8, 3], cores("auth-api")),
  limit("cpu-quota", "billing-api", [1.5, 1.8, 2], cores("billing-api")),
  limit("cpu-quota", "worker", [0.8, 0.9, 1], cores("worker")),
  limit("cpu-quota", "cache", [0.8, 0.9, 1], cores("cache")),
  limit("cpu-quota", "queue", [1.5, 1.8, 2], cores("queue")),
  limit("connections", "main-db", [300, 350, 400], (value) => serviceChange("main-db", "maxConnections", "set", value)),
  job("main-db-migration", "main-db", [serviceChange("main-db", "ownTime", "times", 1.2)]),
  job("main-db-vacuum", "main-db", [serviceChange("main-db", "cpuTime", "times", 1.08)]),
  job("invoice-export", "worker", [serviceChange("main-db", "cpuTime", "times", 1.06)]),
];

/** The six-service system. Its users ask auth-api and billing-api. */
export const sixServices: SystemSpec = {
  id: "six",
  zones: ["zone-a", "zone-b", "zone-c"],
  services,
  calls,
  deployables,
};
