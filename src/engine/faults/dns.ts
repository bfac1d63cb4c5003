/**
 * A DNS zone goes bad: a new serial of a service's zone answers some look-ups with an error. Names that are still cached work until their
 * time to live is over, so that errors spread over minutes, and after the zone is restored wrong answers live on as long.
 *
 * Facts: Slack, 30 September 2021: a DNSSEC change, rolled back soon, left failures in resolvers' caches for a day
 * (https://slack.engineering/what-happened-during-slacks-dnssec-rollout/). AWS, 20 October 2025: racing automation emptied the record of
 * DynamoDB's endpoint (https://aws.amazon.com/message/101925/).
 */
import { type Change, callName, type SystemSpec } from "../spec";
import { serviceAtRest, shareToHurt } from "./at-rest";
import type { Drawn, Family } from "./family";
import { callsTo, innocentCode } from "./places";
import { rollOutOf, withCall, withNextVersion } from "./releases";
import { at, restart, rollBack, script } from "./scripts";

const LEAST_REACH = 0.12;
/** Time to live of a record, s. */
const TTLS = [60, 120, 180, 300, 600] as const;
/** Share of all users' requests that fail once so many seconds have passed. */
const HURT = [0.14, 0.42] as const;
const HURT_AFTER = 270;

export const dns: Family = {
  id: "dns",
  draw(system, onset, stream): Drawn | null {
    const places = system.deployables.filter(
      ({ kind, service }) => kind === "dns_zone" && serviceAtRest(system, service).reach >= LEAST_REACH,
    );
    if (!places.length) return null;
    const zone = stream.pick(places);
    const { id, service, current, versions } = zone;
    const ttl = stream.pick(TTLS);
    const spread = HURT_AFTER / (HURT_AFTER + ttl);
    // Some resolvers validate what they get, or ask the servers that have it; others do not.
    const share = Math.min(1, shareToHurt(system, service, stream.between(...HURT)) / spread);
    let weak = system;
    for (const { from } of callsTo(system, service)) weak = withCall(weak, from, service, { nameTtl: ttl });
    const { system: whole, version } = withNextVersion(weak, id, failing(system, service, share), stream);
    const older = versions[versions.length - 2]?.version ?? current;
    const caller = stream.pick(callsTo(system, service)).from;
    const other = innocentCode(system, [], stream);
    return {
      system: whole,
      component: service,
      mechanism: "name_resolution",
      onset,
      events: rollOutOf(whole, id, version, onset, "fault"),
      dispositions: ["fixed"],
      right: [
        script(`roll ${id} back to ${current}`, at(2, { verb: "rollback_deploy", deployable: id, version: current })),
        script(`roll ${id} back to ${older}`, at(3, { verb: "rollback_deploy", deployable: id, version: older })),
      ],
      wrong: [
        restart(caller),
        ...(serviceKind(system, service) === "third_party" ? [] : [restart(service)]),
        rollBack(other),
      ],
    };
  },
};

function failing(system: SystemSpec, service: string, value: number): Change[] {
  return callsTo(system, service).map(({ from, to }) => ({
    call: callName(from, to),
    parameter: "nameFailure",
    op: "set",
    value,
  }));
}

function serviceKind(system: SystemSpec, service: string) {
  return system.services.find(({ name }) => name === service)?.kind;
}
