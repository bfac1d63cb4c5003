/** Counts, lists, lengths of time and what somebody typed, as texts for people say them. */
import { round } from "../core/math";
import { TICK_SECONDS } from "./spec";

/** `1 replica`, `3 replicas`: things that are counted are whole, and thousands have commas. */
export function count(n: number, one: string, many = `${one}s`): string {
  const shown = round(n);
  return `${number(shown)} ${shown === 1 ? one : many}`;
}

/** `1 replica was`, `3 replicas were`. */
export function were(n: number, one: string): string {
  return `${count(n, one)} ${round(n) === 1 ? "was" : "were"}`;
}

/** A number with at most two decimals and commas between thousands. */
export function number(n: number): string {
  const [whole = "0", rest] = `${round(n, 2)}`.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest ? `${grouped}.${rest}` : grouped;
}

/** `a`, `a and b`, `a, b and c`; of long lists the first names and how many more there are. */
export function list(names: readonly string[], word = "and"): string {
  const shown =
    names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), `${names.length - MOST_NAMES} more`] : names;
  if (shown.length <= 1) return shown[0] ?? "none";
  return `${shown.slice(0, -1).join(", ")} ${word} ${shown[shown.length - 1]}`;
}

const MOST_NAMES = 24;

/** Simulated seconds as `45 s`, `3 min`, `3 min 45 s`. */
export function length(seconds: number): string {
  const whole = round(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  if (minutes === 0) return `${rest} s`;
  return rest ? `${minutes} min ${rest} s` : `${minutes} min`;
}

export function lengthOfTicks(ticks: number): string {
  return length(ticks * TICK_SECONDS);
}

/** Ticks in which so many seconds have passed. */
export function ticksOf(seconds: number): number {
  return Math.ceil(seconds / TICK_SECONDS - 1e-9);
}

/** What somebody typed: no longer than a sentence can bear. */
export function quoted(typed: unknown): string {
  const text = `${typed}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const LONGEST = 60;
