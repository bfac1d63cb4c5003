/**
 * What an episode needs of a draw at every step, worked out once per draw and shared by all its episodes: the alerts'
 * life-cycle as one sorted list, their labels as maps, the service graph both ways. Built from observables only.
 */
import { type AlertsDraw, type DrawnAlert, type FiringSpan, TEAMS } from "./draw";
import type { AlertRow, AlertState, GraphService } from "./observation";

/** Three firings within this many minutes are called flapping. */
export const FLAPPING = { firings: 3, withinMinutes: 30 } as const;

/** At `minute`, the alert in `row` becomes `state`; its latest firing began at `since`. */
export interface Transition {
  readonly minute: number;
  readonly row: number;
  readonly state: AlertState;
  readonly since: number;
}

export interface PreparedDraw {
  readonly draw: AlertsDraw;
  /** In order of first firing: the place of an alert here is its row in every observation. */
  readonly alerts: readonly DrawnAlert[];
  readonly labels: readonly ReadonlyMap<string, string>[];
  readonly rowOf: ReadonlyMap<string, number>;
  /** All changes of state, in order of time. */
  readonly transitions: readonly Transition[];
  /** Rows as minute 0 finds them, and how many transitions have happened by then. */
  readonly firstRows: readonly AlertRow[];
  readonly firstTransition: number;
  readonly graph: ReadonlyMap<string, GraphService>;
  readonly serviceNames: readonly string[];
  readonly teams: readonly string[];
  /** Reads are pure functions of their key, so their results are kept for other episodes of the same draw. */
  readonly reads: Map<string, unknown>;
}

const PREPARED = new WeakMap<AlertsDraw, PreparedDraw>();

export function prepare(draw: AlertsDraw): PreparedDraw {
  let prepared = PREPARED.get(draw);
  if (!prepared) {
    prepared = build(draw);
    PREPARED.set(draw, prepared);
  }
  return prepared;
}

/** The most results kept per draw; beyond it all are dropped and read anew. */
const MOST_READS = 2000;

/** The result of a read, made once per draw and key. */
export function remembered<T>(prepared: PreparedDraw, key: string, make: () => T): T {
  const known = prepared.reads.get(key) as T | undefined;
  if (known !== undefined) return known;
  if (prepared.reads.size >= MOST_READS) prepared.reads.clear();
  const made = make();
  prepared.reads.set(key, made);
  return made;
}

function build(draw: AlertsDraw): PreparedDraw {
  const order = draw.alerts.map((alert, place) => ({ alert, place }));
  order.sort((a, b) => firstFiring(a.alert) - firstFiring(b.alert) || a.place - b.place);
  const alerts = order.map(({ alert }) => alert);
  const transitions = alerts.flatMap(transitionsOf);
  transitions.sort((a, b) => a.minute - b.minute || a.row - b.row);
  const { rows, passed } = rowsAtStart(alerts, transitions);
  const graph = graphOf(draw);
  return {
    draw,
    alerts,
    labels: alerts.map((alert) => new Map(alert.labels)),
    rowOf: new Map(alerts.map((alert, row) => [alert.id, row])),
    transitions,
    firstRows: rows,
    firstTransition: passed,
    graph,
    serviceNames: [...graph.keys()],
    teams: teamsOf(draw),
    reads: new Map(),
  };
}

function firstFiring(alert: DrawnAlert): number {
  return alert.spans[0]?.from ?? Number.POSITIVE_INFINITY;
}

function transitionsOf(alert: DrawnAlert, row: number): Transition[] {
  const times = new Set<number>();
  for (const { from, to } of alert.spans) {
    times.add(from);
    // The minute at which this firing no longer counts as recent.
    times.add(from + FLAPPING.withinMinutes);
    if (to !== null) times.add(to);
  }
  const found: Transition[] = [];
  let before: AlertState | null = null;
  let sinceBefore = Number.NaN;
  for (const minute of [...times].sort((a, b) => a - b)) {
    const { state, since } = stateAt(alert.spans, minute);
    if (state === before && since === sinceBefore) continue;
    found.push({ minute, row, state, since });
    before = state;
    sinceBefore = since;
  }
  return found;
}

/** The state of an alert at a minute at or after its first firing. */
export function stateAt(spans: readonly FiringSpan[], minute: number): { state: AlertState; since: number } {
  let recent = 0;
  let firing = false;
  let since = 0;
  for (const { from, to } of spans) {
    if (from > minute) break;
    since = from;
    if (from > minute - FLAPPING.withinMinutes) recent++;
    firing = to === null || to > minute;
  }
  return { state: recent >= FLAPPING.firings ? "flapping" : firing ? "firing" : "resolved", since };
}

function rowsAtStart(alerts: readonly DrawnAlert[], transitions: readonly Transition[]) {
  const rows: AlertRow[] = [];
  let passed = 0;
  for (; passed < transitions.length; passed++) {
    const transition = transitions[passed] as Transition;
    if (transition.minute > 0) break;
    rows[transition.row] = rowOf(alerts[transition.row] as DrawnAlert, transition);
  }
  return { rows, passed };
}

/** A row of an alert that nobody has looked at or handled. */
export function rowOf(alert: DrawnAlert, { state, since }: Transition): AlertRow {
  return {
    id: alert.id,
    name: alert.name,
    service: alert.service,
    since,
    state,
    handling: "none",
    group: null,
    known: null,
  };
}

function graphOf(draw: AlertsDraw): ReadonlyMap<string, GraphService> {
  const usedBy = new Map<string, string[]>();
  for (const service of draw.services)
    for (const needed of service.dependsOn) {
      const list = usedBy.get(needed);
      if (list) list.push(service.name);
      else usedBy.set(needed, [service.name]);
    }
  return new Map(
    draw.services.map((service) => [
      service.name,
      {
        name: service.name,
        kind: service.kind,
        team: service.team,
        dependsOn: service.dependsOn,
        usedBy: usedBy.get(service.name) ?? [],
        customerFacing: service.customerFacing,
        revenue: service.revenue,
        metrics: draw.metricsOf(service.name).map(({ metric }) => metric),
      },
    ]),
  );
}

function teamsOf(draw: AlertsDraw): readonly string[] {
  const teams = new Set<string>(TEAMS);
  for (const { team } of draw.services) if (team) teams.add(team);
  return [...teams];
}
