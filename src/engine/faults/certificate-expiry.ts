/**
 * A certificate expires: at one instant, with nothing deployed, new handshakes with a service begin to fail. Open connections work on until they
 * are renewed, so that errors grow with the life of a connection, and whoever reconnects loses what still worked.
 *
 * Facts: Epic Games, 6 April 2021: an internal wildcard certificate expired, and what came back brought a surge that nobody had foreseen
 * (https://www.epicgames.com/site/en-US/expiration-date-4-6-2021). Ericsson and O2,
 * 6 December 2018: an expired certificate in core software took mobile data away for a day
 * (https://www.ericsson.com/en/press-releases/2018/12/update-on-software-issue-impacting-certain-customers).
 */
import { type Change, callName, type Deployable, type SystemSpec, TICK_SECONDS } from "../spec";
import { serviceAtRest, shareToHurt } from "./at-rest";
import type { Drawn, Family } from "./family";
import { callsTo, innocentCode } from "./places";
import { withCall, withDeployable, withNextVersion } from "./releases";
import { at, restart, rollBack, script } from "./scripts";

const LEAST_REACH = 0.12;
/** Mean life of a connection, s: HTTP keep-alive and pools renew theirs after minutes. */
const LIFE = [240, 900] as const;
/** Share of all users' requests that fail once so many seconds have passed. */
const HURT = [0.15, 0.42] as const;
const HURT_AFTER = 270;

export const certificateExpiry: Family = {
  id: "certificate_expiry",
  draw(system, onset, stream): Drawn | null {
    const places = system.deployables.filter(
      ({ kind, service }) => kind === "certificate" && serviceAtRest(system, service).reach >= LEAST_REACH,
    );
    if (!places.length) return null;
    const certificate = stream.pick(places);
    const { id, service, current, versions } = certificate;
    const life = stream.between(...LIFE);
    const renewed = HURT_AFTER / (HURT_AFTER + life);
    // Clients that do not check the date, or have it pinned, go on.
    const share = Math.min(1, shareToHurt(system, service, stream.between(...HURT)) / renewed);
    let weak = withDeployable(system, ending(system, certificate, onset));
    for (const { from } of callsTo(system, service)) weak = withCall(weak, from, service, { connectionLife: life });
    const valid = handshakes(system, service, 0);
    const issued = versions[versions.length - 1]?.version ?? current;
    const { system: whole, version: reissued } = withNextVersion(weak, id, valid, stream);
    const forward = (version: string) => ({ verb: "rollback_deploy", deployable: id, version }) as const;
    const expired = versions[0]?.version ?? current;
    const caller = stream.pick(callsTo(system, service)).from;
    const other = innocentCode(system, [], stream);
    return {
      system: whole,
      component: service,
      mechanism: "certificate_expired",
      onset,
      events: [
        {
          kind: "changed",
          id: `${id} ${current}`,
          changes: handshakes(system, service, share),
          tick: onset,
          origin: "fault",
        },
      ],
      dispositions: ["fixed"],
      right: [
        script(`put ${id} ${issued} in force`, at(2, forward(issued))),
        script(`put ${id} ${reissued} in force`, at(3, forward(reissued))),
      ],
      wrong: [
        restart(caller),
        restart(service),
        script(`put ${id} ${expired} in force`, at(2, forward(expired))),
        rollBack(other),
      ],
    };
  },
};

/** The certificate with the present version ending at a tick; those issued after it are valid. */
function ending(system: SystemSpec, certificate: Deployable, onset: number): Deployable {
  const { service, current } = certificate;
  const place = certificate.versions.findIndex(({ version }) => version === current);
  const versions = certificate.versions.map((each, i) => {
    if (i === place) return { ...each, expiresAt: onset * TICK_SECONDS };
    return i > place ? { ...each, changes: handshakes(system, service, 0) } : each;
  });
  return { ...certificate, versions };
}

function handshakes(system: SystemSpec, service: string, value: number): Change[] {
  return callsTo(system, service).map(({ from, to }) => ({
    call: callName(from, to),
    parameter: "handshakeFailure",
    op: "set",
    value,
  }));
}
