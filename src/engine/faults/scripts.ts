/** Scripts in few words. */
import type { Remedy } from "../remedies/verbs";
import type { ServiceSpec } from "../spec";
import type { Order, Script } from "./family";
import { moreReplicas } from "./places";

/** @param name a few words for reports */
export function script(name: string, ...orders: readonly Order[]): Script {
  return { name, orders };
}

/** @param minute after the page; an order waits for the one before it */
export function at(minute: number, remedy: Remedy): Order {
  return { minute, remedy };
}

/** When somebody who tries one thing tries it: minutes after the page. */
const FIRST_TRY = 2;

/** What is deployed goes back to the version before the present one. */
export function rollBack(deployable: string): Script {
  return script(`roll ${deployable} back`, at(FIRST_TRY, { verb: "rollback_deploy", deployable }));
}

export function restart(service: string): Script {
  return script(`restart ${service}`, at(FIRST_TRY, { verb: "restart_service", service }));
}

export function failOver(database: string): Script {
  return script(`fail ${database} over`, at(FIRST_TRY, { verb: "failover_db", service: database }));
}

/** A service gets `factor` times the replicas it was built with. */
export function scaleOut(service: ServiceSpec, factor: number): Script {
  return script(`scale ${service.name}`, at(FIRST_TRY, moreReplicas(service, factor)));
}
