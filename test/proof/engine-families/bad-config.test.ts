/**
 * What the accounts of Google Cloud (June 2025) and Cloudflare (November 2025) say of configuration: the code is the same as before, only where
 * the file is do requests fail, a restart reads it again, and good and bad files in turn make errors come and go.
 */
import { describe, expect, it } from "vitest";
import { accepted, failing, ordered, played } from "./runs";

const draws = accepted("bad_config", 6, ({ drawn }) => drawn.component !== "worker");
const pushes = ({ events }: { readonly events: readonly { readonly kind: string }[] }) =>
  events.filter(({ kind }) => kind === "deployed").length;
const inTurns = accepted(
  "bad_config",
  3,
  ({ drawn }) => drawn.events.some((event) => event.kind === "deployed" && !event.zone) && pushes(drawn) === 3,
);
const staged = accepted(
  "bad_config",
  3,
  ({ drawn }) =>
    drawn.mechanism === "unguarded_path" && drawn.events.some((event) => event.kind === "deployed" && event.zone),
);

describe("a bad configuration push", () => {
  it("aligns with a new configuration and with no new code", () => {
    for (const { page, incident, onset } of draws) {
      const { component } = incident.drawn;
      const version = (id: string, tick: number) => page.versionAt(id, tick);
      expect(version(`${component}/config`, onset - 1)).not.toBe(version(`${component}/config`, page.tick - 1));
      const deploys = page.journal.filter(
        (event) => event.kind === "deployed" && event.deployable === component && event.origin === "fault",
      );
      expect(deploys).toEqual([]);
      expect(failing(page, 1)).toBeGreaterThan(10 * failing(page, 3, onset) + 0.03);
    }
  });

  it("is not ended by a restart, which reads the same file, nor by older code", () => {
    for (const { page, incident } of draws) {
      const { component } = incident.drawn;
      const idle = page.fork();
      idle.advance(120);
      for (const remedy of [
        { verb: "restart_service", service: component },
        { verb: "rollback_deploy", deployable: component },
      ] as const)
        expect(failing(ordered(page, 30, remedy))).toBeGreaterThan(0.7 * failing(idle));
    }
  });

  it("is ended by the file before, or an older one", () => {
    for (const { page, incident } of draws)
      for (const right of incident.drawn.right) expect(failing(played(page, 30, right))).toBeLessThan(0.01);
  });

  it("makes errors come and go while good and bad files take turns", () => {
    for (const { page, incident, onset } of inTurns) {
      const [first, good, bad] = incident.drawn.events.map(({ tick }) => tick);
      expect(first).toBe(onset);
      // Over the last half minute of each turn, when what had piled up is gone.
      const late = (until = 0) => failing(page, 0.5, until);
      expect(late(good)).toBeGreaterThan(0.05);
      expect(late(bad)).toBeLessThan(0.5 * late(good));
      expect(late(page.tick)).toBeGreaterThan(late(bad));
    }
  });

  it("fails in those zones only that have it, while it is staged", () => {
    for (const { page, incident, onset } of staged) {
      const { component } = incident.drawn;
      const [first, second] = incident.drawn.events;
      if (first?.kind !== "deployed" || second?.kind !== "deployed") continue;
      const tick = second.tick - 1;
      expect(tick).toBeGreaterThan(onset);
      for (const node of page.plan.nodes) {
        if (node.service.name !== component || node.cohort !== 0) continue;
        const failed = page.node("failed", node.index, tick);
        const share = failed / (failed + page.node("served", node.index, tick));
        if (node.zone === first.zone) expect(share).toBeGreaterThan(0.05);
        else expect(share).toBeLessThan(0.01);
      }
    }
  });
});
