/** The shape of a generated system: which services there are, where they run and who asks whom. No sizes yet. */
import type { Stream } from "../../core/rng";
import type { CallParameter, ServiceParameter } from "../parameters";
import type { CallKind, ServiceKind, ServiceSpec } from "../spec";
import { COMPANIES, type Company, type Domain, PLATFORM_TEAMS, REGIONS } from "./vocabulary";

export interface ServiceDraft {
  readonly name: string;
  readonly kind: ServiceKind;
  readonly team: string;
  readonly zones: readonly string[];
  readonly standby?: string;
  readonly cohorts?: NonNullable<ServiceSpec["cohorts"]>;
  readonly parameters: Partial<Record<ServiceParameter, number>>;
}

export interface CallDraft {
  readonly from: string;
  readonly to: string;
  readonly kind: CallKind;
  readonly behind?: string;
  readonly parameters: Partial<Record<CallParameter, number>>;
}

export interface Structure {
  readonly company: Company;
  /** Zones that the company runs in. */
  readonly zones: readonly string[];
  /** Callers before callees, queues before their consumers. */
  readonly services: readonly ServiceDraft[];
  readonly calls: readonly CallDraft[];
}

/** Where suppliers run: no zone of the company. */
export const OUTSIDE = "internet";

type Counts = Record<ServiceKind, number>;

/** What every system has, how likely each further service is of a kind, and the most of it. */
const LEAST: Counts = { edge: 1, api: 2, worker: 1, database: 1, cache: 1, queue: 1, third_party: 1 };
const MORE: readonly (readonly [ServiceKind, number])[] = [
  ["api", 4],
  ["database", 1.8],
  ["worker", 1.5],
  ["cache", 0.9],
  ["queue", 0.6],
  ["third_party", 0.5],
  ["edge", 0.25],
];
const MOST: Counts = { edge: 2, api: 10, worker: 4, database: 4, cache: 3, queue: 2, third_party: 2 };

/** Shards of a database that has them. */
const SHARDS = [4, 6, 8] as const;

export function drawStructure(stream: Stream, services: number): Structure {
  const company = stream.pick(COMPANIES);
  const region = stream.pick(REGIONS);
  const zones = ["a", "b", "c"].slice(0, stream.chance(0.7) ? 2 : 3).map((letter) => `${region}-${letter}`);
  const counts = drawCounts(stream.fork("counts"), services);
  const drawn = new Drawing(stream.fork("structure"), company, stream.shuffle(company.domains), zones, counts);
  return { company, zones, services: drawn.services, calls: drawn.calls };
}

function drawCounts(stream: Stream, services: number): Counts {
  const counts = { ...LEAST };
  const total = () => Object.values(counts).reduce((sum, count) => sum + count, 0);
  while (total() < services) {
    const kind = stream.weighted(MORE.filter(([each]) => counts[each] < MOST[each]));
    // A database or cache without an API that uses it, or a queue without a consumer of its own, would be decoration.
    const fits =
      kind === "database" || kind === "cache"
        ? counts[kind] < counts.api
        : kind !== "queue" || counts.queue < counts.worker;
    if (fits) counts[kind]++;
  }
  return counts;
}

interface Api {
  readonly name: string;
  readonly domain: Domain;
  readonly database: string;
}

/** One system being drawn: first the services of each kind, then who asks whom. */
class Drawing {
  readonly services: ServiceDraft[] = [];
  readonly calls: CallDraft[] = [];
  private readonly apis: Api[] = [];
  private readonly queues: string[];

  constructor(
    private readonly stream: Stream,
    private readonly company: Company,
    private readonly domains: readonly Domain[],
    private readonly zones: readonly string[],
    private readonly counts: Counts,
  ) {
    this.queues = domains.slice(0, counts.queue).map((domain) => `${domain.name}-events`);
    this.addEdges();
    this.addApis();
    this.addQueues();
    const workers = this.addWorkers();
    this.addCaches();
    this.addDatabases();
    this.addSuppliers(workers);
  }

  private add(service: ServiceDraft): void {
    this.services.push(service);
  }

  private call(from: string, to: string, kind: CallKind = "call", behind?: string): void {
    if (!this.calls.some((call) => call.from === from && call.to === to))
      this.calls.push({ from, to, kind, ...(behind ? { behind } : {}), parameters: {} });
  }

  /** What users do not ask directly runs in two zones; some older services have stayed in one. */
  private innerZones(): readonly string[] {
    return this.stream
      .shuffle(this.zones)
      .slice(0, this.stream.chance(0.12) ? 1 : 2)
      .sort();
  }

  private addEdges(): void {
    for (const name of this.company.edges.slice(0, this.counts.edge))
      this.add({ name, kind: "edge", team: PLATFORM_TEAMS.edge, zones: this.zones, parameters: {} });
  }

  /** APIs, one domain after the other. The first ones are asked by the edges, the others by those before them. */
  private addApis(): void {
    const { api, database, edge } = this.counts;
    for (let i = 0; i < api; i++) {
      const domain = this.domains[i % this.domains.length] as Domain;
      const name = domain.apis[Math.floor(i / this.domains.length)] as string;
      const owner = i % this.domains.length;
      const at = owner < database ? owner : this.stream.integer(0, database - 1);
      this.apis.push({ name, domain, database: `${(this.domains[at] as Domain).name}-db` });
    }
    const front = Math.max(edge, Math.ceil(api * this.stream.between(0.45, 0.75)));
    for (const [i, { name, domain }] of this.apis.entries()) {
      const zones = i < front ? this.zones : this.innerZones();
      const cohorts = this.stream.chance(0.55) ? { cohorts: { kind: "canary" } as const } : {};
      this.add({ name, kind: "api", team: domain.team, zones, ...cohorts, parameters: {} });
      if (i < front) this.askFromEdges(i, name);
      else this.askFromApis(front, i, name);
    }
  }

  private askFromEdges(i: number, name: string): void {
    const edges = this.company.edges.slice(0, this.counts.edge);
    this.call(edges[i % edges.length] as string, name);
    for (const edge of edges) if (this.stream.chance(0.35)) this.call(edge, name);
  }

  private askFromApis(front: number, i: number, name: string): void {
    this.call((this.apis[this.stream.integer(0, front - 1)] as Api).name, name);
    if (this.stream.chance(0.5)) this.call((this.apis[this.stream.integer(0, i - 1)] as Api).name, name);
  }

  private addQueues(): void {
    for (const [i, name] of this.queues.entries()) {
      this.add({
        name,
        kind: "queue",
        team: PLATFORM_TEAMS.queue,
        zones: [this.stream.pick(this.zones)],
        parameters: {},
      });
      this.call((this.apis[i % this.apis.length] as Api).name, name, "publish");
      for (const each of this.apis) if (this.stream.chance(0.25)) this.call(each.name, name, "publish");
    }
  }

  private addWorkers(): string[] {
    const names: string[] = [];
    for (let i = 0; i < this.counts.worker; i++) {
      const domain = this.domains[i % this.domains.length] as Domain;
      const name = this.stream.pick(domain.workers.filter((each) => !names.includes(each)));
      names.push(name);
      const cohorts = this.stream.chance(0.4) ? { cohorts: { kind: "canary" } as const } : {};
      this.add({ name, kind: "worker", team: domain.team, zones: this.innerZones(), ...cohorts, parameters: {} });
      this.call(name, this.queues[i % this.queues.length] as string, "consume");
      this.call(name, this.databaseNames()[i % this.counts.database] as string);
    }
    return names;
  }

  private databaseNames(): string[] {
    return this.domains.slice(0, this.counts.database).map((domain) => `${domain.name}-db`);
  }

  /** A cache stands before the database of one API or two. */
  private addCaches(): void {
    const behind = new Map<string, string>();
    const readers = this.stream.shuffle(this.apis.slice(0, this.domains.length));
    for (const first of readers.slice(0, this.counts.cache)) {
      const name = `${first.domain.name}-cache`;
      const zones = this.services.find((each) => each.name === first.name)?.zones ?? this.zones;
      this.add({ name, kind: "cache", team: PLATFORM_TEAMS.cache, zones, parameters: {} });
      behind.set(first.name, name);
      const second = this.apis.find((each) => each.database === first.database && !behind.has(each.name));
      if (second && !readers.slice(0, this.counts.cache).includes(second) && this.stream.chance(0.4))
        behind.set(second.name, name);
    }
    for (const { name, database } of this.apis) {
      const cache = behind.get(name);
      if (cache) this.call(name, cache);
      this.call(name, database, "call", cache);
    }
  }

  private addDatabases(): void {
    for (const [i, name] of this.databaseNames().entries()) {
      const zone = this.stream.pick(this.zones);
      const others = this.zones.filter((each) => each !== zone);
      const standby = this.stream.chance(0.85) ? { standby: this.stream.pick(others) } : {};
      const shards = this.stream.pick(SHARDS);
      const share = this.stream.between(1, 1.35) / shards;
      const cohorts =
        i > 0 && this.stream.chance(0.4)
          ? { cohorts: { kind: "shard", shards, share: Math.floor(share * 1e3) / 1e3 } as const }
          : {};
      this.add({
        name,
        kind: "database",
        team: PLATFORM_TEAMS.database,
        zones: [zone],
        ...standby,
        ...cohorts,
        parameters: {},
      });
    }
  }

  /** Suppliers are asked by the domain that needs them, else by whoever comes first; some by a worker too. */
  private addSuppliers(workers: readonly string[]): void {
    for (const { name, domains } of this.stream.shuffle(this.company.suppliers).slice(0, this.counts.third_party)) {
      const asker = this.apis.find((each) => domains.includes(each.domain.name)) ?? this.apis[0];
      if (!asker) continue;
      this.add({ name, kind: "third_party", team: asker.domain.team, zones: [OUTSIDE], parameters: {} });
      this.call(asker.name, name);
      if (this.stream.chance(0.3)) this.call(this.stream.pick(workers), name);
    }
  }
}
