/** What the accounts of GitHub (21 October 2018) and Cloudflare (2 November 2020) say of networks that fail by half. */
import { describe, expect, it } from "vitest";
import { accepted, failing, failingOf, mean, offered, ordered, played } from "./runs";

const partitions = accepted("zone_partition", 6);
const toStandby = accepted("zone_partition", 5, ({ drawn }) => drawn.right[1].name.startsWith("fail main-db over"));

function zonesOf(events: (typeof partitions)[number]["incident"]["drawn"]["events"]) {
  const [event] = events;
  const change = event?.kind === "changed" ? event.changes[0] : undefined;
  const zone = change && "link" in change ? (change.link.split(">")[0] as string) : "";
  return { zone, other: zone === "zone-a" ? "zone-b" : "zone-a", lost: change?.value ?? 0 };
}

describe("a network that loses what one zone sends to another", () => {
  it("leaves the database well and less busy, and fails users of one zone only", () => {
    for (const { page, onset, incident } of partitions) {
      const { zone, other } = zonesOf(incident.drawn.events);
      // For each request that users make, as their number changes with the time of day.
      const busy = (from: number, until: number) => mean(page, "cpu", "main-db", from, until) / offered(page, from);
      expect(busy(page.tick - 4, page.tick)).toBeLessThan(0.97 * busy(onset - 8, onset));
      expect(mean(page, "failed", "main-db", page.tick - 4, page.tick)).toBeLessThan(2);
      expect(failingOf(page, "billing-api", 2, zone)).toBeGreaterThan(0.3);
      expect(failingOf(page, "billing-api", 2, other)).toBeLessThan(0.01);
    }
  });

  it("is not hidden by retries: as many requests fail as are lost, and more", () => {
    for (const { page, incident } of partitions) {
      const { zone, lost } = zonesOf(incident.drawn.events);
      expect(failingOf(page, "billing-api", 2, zone)).toBeGreaterThan(lost);
    }
  });

  it("is as bad after the database or its callers restarted", () => {
    for (const { page } of partitions)
      for (const service of ["main-db", "auth-api", "billing-api"])
        expect(failing(ordered(page, 20, { verb: "restart_service", service }))).toBeGreaterThan(0.05);
  });

  it("is no matter to users who are sent to the other zones", () => {
    for (const { page, incident } of partitions)
      expect(failing(played(page, 30, incident.drawn.right[0]))).toBeLessThan(0.01);
  });

  it("can be gone round by a failover, which has a gap of its own and loses what the standby had not got", () => {
    for (const { page, incident } of toStandby) {
      const sim = played(page, 30, incident.drawn.right[1]);
      expect(failing(sim)).toBeLessThan(0.01);
      const promoted = sim.journal.find((event) => event.kind === "promoted");
      expect(promoted?.kind === "promoted" && promoted.lostWrites).toBeGreaterThan(0);
      let worst = 0;
      for (let tick = page.tick; tick < page.tick + 40; tick++) worst = Math.max(worst, failing(sim, 0.25, tick + 1));
      expect(worst).toBeGreaterThan(failing(page, 1));
    }
  });
});
