/**
 * What a responder can do to a system, as data: the verbs with their arguments, units, ranges and risk. Worlds build their action
 * catalogues from this table, the command line its help.
 */
import type { Risk } from "../../core/action";

export type Resource = "replicas" | "cpu" | "disk" | "connections";
export type RestartMode = "rolling" | "all_at_once";
/** `process`: more consumers for a while. `purge`: everything is thrown away. `set_aside`: what cannot be processed goes to the dead letters. */
export type DrainMode = "process" | "purge" | "set_aside";

/** Absent and undefined mean the same, so that parsed arguments fit as they are. */
type Optional<T> = T | undefined;

export type Remedy =
  | {
      readonly verb: "restart_service";
      readonly service: string;
      readonly zone?: Optional<string>;
      readonly mode?: Optional<RestartMode>;
    }
  | { readonly verb: "rollback_deploy"; readonly deployable: string; readonly version?: Optional<string> }
  | {
      readonly verb: "scale_service";
      readonly service: string;
      readonly resource: Resource;
      readonly amount: number;
      readonly zone?: Optional<string>;
    }
  | { readonly verb: "set_flag"; readonly flag: string; readonly state: "on" | "off" }
  | { readonly verb: "disable_feature_flag"; readonly flag: string }
  | { readonly verb: "clear_connections"; readonly service: string }
  | {
      readonly verb: "drain_queue";
      readonly service: string;
      readonly mode?: Optional<DrainMode>;
      readonly minutes?: Optional<number>;
    }
  | { readonly verb: "failover_db"; readonly service: string }
  | {
      readonly verb: "shed_load";
      readonly service: string;
      readonly percent: number;
      readonly minutes?: Optional<number>;
    }
  | { readonly verb: "shift_traffic"; readonly zone: string; readonly percent: number }
  | { readonly verb: "stop_job"; readonly job: string };

export type Verb = Remedy["verb"];
/** The remedy of one verb. */
export type RemedyOf<V extends Verb> = Extract<Remedy, { readonly verb: V }>;

/** What an argument names: one of the lists of `choices.ts`, one of `options`, or a number within `low` and `high`. */
export type ArgumentKind =
  | "own_service"
  | "service_with_connections"
  | "service_with_users"
  | "queue"
  | "database"
  | "zone_of_service"
  | "zone_with_users"
  | "deployable"
  | "version"
  | "flag"
  | "job"
  | "option"
  | "whole_number"
  | "number";

export interface Argument {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly kind: ArgumentKind;
  readonly required: boolean;
  readonly options?: readonly string[];
  readonly unit?: string;
  readonly low?: number;
  readonly high?: number;
  /** What holds when it is left out. */
  readonly initial?: string | number;
}

export interface VerbInfo {
  readonly title: string;
  readonly help: string;
  /** The highest of its forms; `riskOf` knows better once the arguments are known. */
  readonly risk: Risk;
  /** Simulated minutes that the order usually keeps its giver, from and to. */
  readonly minutes: readonly [number, number];
  /** In the order in which they may be given without their names. */
  readonly args: readonly Argument[];
}

const service = (kind: ArgumentKind, help: string): Argument => ({
  name: "service",
  title: "Service",
  help,
  kind,
  required: true,
});

const zoneOfService: Argument = {
  name: "zone",
  title: "Zone",
  help: "Only the replicas of this zone; all zones when left out.",
  kind: "zone_of_service",
  required: false,
};

const percent = (help: string): Argument => ({
  name: "percent",
  title: "Percent",
  help,
  kind: "number",
  required: true,
  unit: "%",
  low: 0,
  high: 100,
});

const minutes = (help: string, initial: number): Argument => ({
  name: "minutes",
  title: "Minutes",
  help,
  kind: "whole_number",
  required: false,
  unit: "min",
  low: 0,
  high: 120,
  initial,
});

const flag: Argument = { name: "flag", title: "Flag", help: "The feature flag.", kind: "flag", required: true };

export const SHED_MINUTES = 10;
export const DRAIN_MINUTES = 10;

export const VERBS: Readonly<Record<Verb, VerbInfo>> = {
  restart_service: {
    title: "Restart Service",
    help: "Restart the replicas of a service one after another, or all at once, which drops what they are working on.",
    risk: "risky",
    minutes: [0.75, 10],
    args: [
      service("own_service", "The service whose replicas restart."),
      zoneOfService,
      {
        name: "mode",
        title: "Mode",
        help: "rolling: a quarter of each zone's replicas at a time; all_at_once: all of them together.",
        kind: "option",
        required: false,
        options: ["rolling", "all_at_once"],
        initial: "rolling",
      },
    ],
  },
  rollback_deploy: {
    title: "Roll Back or Forward",
    help: "Put another version of code, configuration, a certificate, a DNS zone, a limit, a flag or a job in force.",
    risk: "change",
    minutes: [0.5, 10],
    args: [
      { name: "deployable", title: "What", help: "What is deployed.", kind: "deployable", required: true },
      {
        name: "version",
        title: "Version",
        help: "Any version it has, newer ones included; the one before the present one when left out.",
        kind: "version",
        required: false,
      },
    ],
  },
  scale_service: {
    title: "Scale Service",
    help: "Give a service more or less of a resource: replicas a zone, CPU cores a replica, GB of disk, or connections.",
    risk: "risky",
    minutes: [0.5, 10],
    args: [
      service("own_service", "The service that is scaled."),
      {
        name: "resource",
        title: "Resource",
        help: "replicas (a zone), cpu (cores a replica), disk (GB) or connections (that the server accepts).",
        kind: "option",
        required: true,
        options: ["replicas", "cpu", "disk", "connections"],
      },
      {
        name: "amount",
        title: "Amount",
        help: "How much it has afterwards.",
        kind: "number",
        required: true,
        low: 0,
        high: 1e6,
      },
      zoneOfService,
    ],
  },
  set_flag: {
    title: "Set Flag",
    help: "Switch a feature flag on or off.",
    risk: "change",
    minutes: [0.5, 2.25],
    args: [
      flag,
      { name: "state", title: "State", help: "on or off.", kind: "option", required: true, options: ["on", "off"] },
    ],
  },
  disable_feature_flag: {
    title: "Disable Feature Flag",
    help: "Switch a feature flag off.",
    risk: "change",
    minutes: [0.5, 2.25],
    args: [flag],
  },
  clear_connections: {
    title: "Clear Connections",
    help: "End all sessions on a service, idle and running ones; what they were doing is dropped.",
    risk: "risky",
    minutes: [0.5, 0.5],
    args: [service("service_with_connections", "The service whose sessions end.")],
  },
  drain_queue: {
    title: "Drain Queue",
    help: "Empty a queue: process it with more consumers, purge it, or set aside what cannot be processed.",
    risk: "risky",
    minutes: [0.5, 2.25],
    args: [
      service("queue", "The queue."),
      {
        name: "mode",
        title: "Mode",
        help: "process: twice the consumers for a while; purge: throw all messages away; set_aside: move messages that keep failing to the dead letters.",
        kind: "option",
        required: false,
        options: ["process", "purge", "set_aside"],
        initial: "process",
      },
      minutes("How long the additional consumers stay (mode process); 0 ends it.", DRAIN_MINUTES),
    ],
  },
  failover_db: {
    title: "Fail Over Database",
    help: "Promote the standby of a database: nothing is served meanwhile, its buffers are cold, and writes it had not got are lost.",
    risk: "risky",
    minutes: [0.75, 5],
    args: [service("database", "The database.")],
  },
  shed_load: {
    title: "Shed Load",
    help: "Reject a share of the requests of a service at its door for some minutes.",
    risk: "risky",
    minutes: [0.5, 0.75],
    args: [
      service("service_with_users", "The service that rejects."),
      percent("Share of the requests that is rejected; 0 ends it."),
      minutes("How long; it ends by itself.", SHED_MINUTES),
    ],
  },
  shift_traffic: {
    title: "Shift Traffic",
    help: "Send a share of a zone's users to the other zones.",
    risk: "risky",
    minutes: [1, 1.75],
    args: [
      {
        name: "zone",
        title: "Zone",
        help: "The zone that users leave.",
        kind: "zone_with_users",
        required: true,
      },
      percent("Share of its usual users that goes elsewhere; 0 brings them all back."),
    ],
  },
  stop_job: {
    title: "Stop Job",
    help: "Stop a batch job or a migration that is running.",
    risk: "change",
    minutes: [0.5, 2.25],
    args: [{ name: "job", title: "Job", help: "The job.", kind: "job", required: true }],
  },
};

export const VERB_NAMES = Object.keys(VERBS) as readonly Verb[];
