/** What the accounts of Facebook (23 September 2010) and the BBC (July 2014) say of reads that reach the database all at once. */
import { describe, expect, it } from "vitest";
import { accepted, attempts, failing, mean, ordered, played } from "./runs";

const storms = accepted("flag_storm", 8);

describe("a flag that makes a service read more", () => {
  it("fills the database from the very tick in which it is switched on", () => {
    for (const { page, onset } of storms) {
      const reads = (tick: number) => attempts(page, "auth-api>main-db", tick);
      expect(reads(onset)).toBeGreaterThan(1.5 * reads(onset - 1));
      expect(mean(page, "cpu", "main-db", onset - 8, onset)).toBeLessThan(0.6);
      expect(mean(page, "inFlight", "main-db", page.tick - 4, page.tick)).toBeGreaterThan(
        2 * mean(page, "inFlight", "main-db", onset - 8, onset),
      );
    }
  });

  it("either leaves the cache as warm as it was and reads past it, or makes it answer less from that tick", () => {
    const kinds = new Set(storms.map(({ incident }) => incident.drawn.mechanism));
    for (const { page, onset, incident } of storms) {
      const [before, after] = [
        mean(page, "level", "cache", onset - 1, onset),
        mean(page, "level", "cache", onset, onset + 1),
      ];
      if (incident.drawn.mechanism === "cache_key_change") expect(after).toBeLessThan(0.75 * before);
      else expect(after).toBeGreaterThan(0.95 * before);
    }
    expect(kinds.size).toBe(2);
  });

  it("hurts more when the cache or the database restarts, and when more replicas ask", () => {
    for (const { page } of storms) {
      for (const service of ["cache", "main-db"])
        expect(failing(ordered(page, 30, { verb: "restart_service", service }))).toBeGreaterThan(0.02);
      const idle = page.fork();
      idle.advance(120);
      const more = ordered(page, 30, { verb: "scale_service", service: "auth-api", resource: "replicas", amount: 4 });
      expect(failing(more)).toBeGreaterThan(0.02);
    }
  });

  it("is over within minutes of being switched off", () => {
    for (const { page, incident } of storms)
      for (const right of incident.drawn.right) expect(failing(played(page, 20, right))).toBeLessThan(0.01);
  });
});
