/**
 * The panel of each world, one entry a world: which editor shows it, which script draws it, and what of an observation is
 * news. Everything else of an episode panel works on any world. Read when the extension starts, so it loads nothing.
 */
import type { Observation, WorldId } from "../../core/world";
import type { WorldPanelKind } from "../../panel-protocol";

/** Something that has begun and that a person is told of, e.g. an alert that fires. */
export interface PagedAlert {
  readonly id: string;
  readonly name: string;
  readonly service: string;
}

export interface WorldPanel {
  /** Type of the editor tab; the manifest's activation events follow from it. */
  readonly viewType: string;
  /** The folder in `webview` whose script draws it; the `kind` of the state it is sent. */
  readonly page: WorldPanelKind;
  /** What a person is paged for now; left out where the world pages nobody. Acknowledged by its action `acknowledge`. */
  readonly paged?: (observation: Observation) => readonly PagedAlert[];
}

export const WORLD_PANELS: Readonly<Partial<Record<WorldId, WorldPanel>>> = {
  alerts: { viewType: "firedrill.alerts", page: "alerts", paged: firingAlerts },
};

interface AlertsSeen {
  readonly alerts?: readonly (PagedAlert & { readonly state: string })[];
}

/** Alerts that have not resolved. */
function firingAlerts(observation: Observation): readonly PagedAlert[] {
  const { alerts } = observation as Observation & AlertsSeen;
  return Array.isArray(alerts) ? alerts.filter(({ state }) => state !== "resolved") : [];
}
