/** Scripts in few words. */
import type { Remedy } from "../remedies/verbs";
import type { Order, Script } from "./family";

export function script(name: string, ...orders: readonly Order[]): Script {
  return { name, orders };
}

/** @param minute after the page; an order waits for the one before it */
export function at(minute: number, remedy: Remedy): Order {
  return { minute, remedy };
}
