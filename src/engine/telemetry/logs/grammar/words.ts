/** The vocabulary of a service: what it deals in, its routes, operations and tables. */
import type { ServiceKind } from "../../../spec";

type Below = (n: number) => number;

/** Nouns by the stem of a service's name; others get a mixture. */
const NOUNS_BY_STEM: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /auth|identity|login|session|user|account/,
    ["session", "token", "user", "permission", "device", "role", "grant", "credential"],
  ],
  [
    /bill|pay|invoice|charge|ledger/,
    ["invoice", "charge", "payment", "refund", "balance", "statement", "plan", "receipt"],
  ],
  [/order|cart|checkout|shop/, ["order", "cart", "item", "shipment", "address", "coupon", "basket", "return"]],
  [/search|catalog|product|index/, ["product", "query", "listing", "category", "price", "review", "facet", "image"]],
  [
    /mail|notif|message|push/,
    ["message", "template", "recipient", "campaign", "digest", "delivery", "address", "channel"],
  ],
  [
    /report|analytic|metric|event/,
    ["report", "event", "export", "dashboard", "segment", "period", "column", "snapshot"],
  ],
];
const NOUNS: readonly string[] = [
  "record",
  "profile",
  "document",
  "asset",
  "label",
  "setting",
  "batch",
  "entry",
  "tag",
  "job",
];
const VERBS: readonly string[] = [
  "load",
  "save",
  "find",
  "list",
  "update",
  "refresh",
  "check",
  "resolve",
  "attach",
  "expire",
];

/** Eight nouns that a service deals in. */
export function domainOf(service: string, kind: ServiceKind, below: Below): readonly string[] {
  for (const [stem, nouns] of NOUNS_BY_STEM) if (stem.test(service)) return nouns;
  if (kind === "database" || kind === "cache") {
    const mixed = NOUNS_BY_STEM[below(NOUNS_BY_STEM.length)] as readonly [RegExp, readonly string[]];
    return [...mixed[1].slice(0, 4), ...rotated(NOUNS, below(NOUNS.length)).slice(0, 4)];
  }
  return rotated(NOUNS, below(NOUNS.length)).slice(0, 8);
}

/** Twelve routes. */
export function routesOf(nouns: readonly string[], below: Below): readonly string[] {
  const base = ["/v1", "/v2", "/api", "/api/v3"][below(4)];
  const routes: string[] = [];
  for (const noun of nouns.slice(0, 6)) routes.push(`${base}/${noun}s`, `${base}/${noun}s/:id`);
  return routes;
}

/** Sixty operations, in the case that the service's language prefers. */
export function operationNames(nouns: readonly string[], below: Below): readonly string[] {
  const language = below(3);
  const names: string[] = [];
  for (const noun of nouns)
    for (const verb of VERBS) {
      const large = capital(noun);
      names.push(language === 0 ? `${large}Store.${verb}` : language === 1 ? `${verb}_${noun}` : `${verb}${large}`);
    }
  // Spread, so that the first ones are of different nouns.
  return names.map((_, i) => names[(i * 7) % names.length] as string);
}

export function tableNames(nouns: readonly string[]): readonly string[] {
  return [...nouns.map((noun) => `${noun}s`), ...nouns.slice(0, 4).map((noun) => `${noun}_history`)];
}

function capital(word: string): string {
  return (word[0] as string).toUpperCase() + word.slice(1);
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  return [...items.slice(by), ...items.slice(0, by)];
}
