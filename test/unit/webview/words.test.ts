import { expect, it } from "vitest";
import { inWords } from "../../../webview/shared/words";

const WORDS = { disk_full: "Full disk", self_recovered: "Recovered by itself", routed: "Routed to the teams" };

it("puts names of the data in words, and leaves plain words, other names and metrics as they are", () => {
  expect(inWords("said self_recovered; right was routed", WORDS)).toBe("said “Recovered by itself”; right was routed");
  expect(inWords("rules out disk_full, dns_failure", WORDS)).toBe("rules out “Full disk”, dns_failure");
  expect(inWords("tcp.retransmit_ratio of __proto__ and constructor_name", WORDS)).toBe(
    "tcp.retransmit_ratio of __proto__ and constructor_name",
  );
});
