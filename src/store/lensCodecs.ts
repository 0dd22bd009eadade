/** Kinds of panel settings: how each is written to a link, and read from one. */

import { isAlgorithmName } from "../spec/algorithms.ts";

export interface Setting<T> {
  /** The default value. */
  start: T;
  /** Undefined if the text is not allowed. */
  read(text: string): T | undefined;
  write(value: T): string;
  /** What is allowed, in words. */
  allowed: string;
  /** If there are few: each as it is written. */
  options?: readonly string[];
}

/** A panel's settings by name. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type SettingValue<S> = S extends Setting<infer T> ? T : never;

/** Written as a value in a link: none, since an empty text would not be a value. */
const NONE = "none";

export function oneOf<const T extends string>(values: readonly T[], start: T): Setting<T> {
  return {
    start,
    read: (text) => values.find((value) => value === text),
    write: String,
    allowed: `one of ${values.join(", ")}`,
    options: values,
  };
}

export function onOff(start: boolean): Setting<boolean> {
  return {
    start,
    read: (text) => (text === "on" ? true : text === "off" ? false : undefined),
    write: (value) => (value ? "on" : "off"),
    allowed: "on or off",
    options: ["on", "off"],
  };
}

export function numberFrom(min: number, max: number, start: number): Setting<number> {
  return {
    start,
    read: (text) => {
      const value = numberOf(text);
      return value !== undefined && value >= min && value <= max ? value : undefined;
    },
    write: short,
    allowed: `a number from ${min} to ${max}`,
  };
}

/** Rounding to six digits may move an end of a range by this share of its width, which is invisible. */
const UNSEEN = 1e-3;

/** Six digits if they show the same picture, otherwise all digits. */
function ends([low, high]: readonly [number, number]): string[] {
  const rounded = [short(low), short(high)];
  const off = Math.max(Math.abs(Number(rounded[0]) - low), Math.abs(Number(rounded[1]) - high));
  return off <= (high - low) * UNSEEN ? rounded : [String(low), String(high)];
}

/** Two numbers, the lower first; null is everything, and also any other text. */
export function stretch(): Setting<readonly [number, number] | null> {
  return {
    start: null,
    read: (text) => {
      const [low, high, ...more] = text.split(",").map(numberOf);
      if (low === undefined || high === undefined || more.length > 0) return undefined;
      return low < high ? [low, high] : undefined;
    },
    write: (value) => (value === null || !(value[0] < value[1]) ? NONE : ends(value).join(",")),
    allowed: "two numbers with a comma between, the lower first",
  };
}

/** A line of text; initially empty. */
export function lineOf(most: number): Setting<string> {
  return {
    start: "",
    read: (text) => (text.length <= most ? text : undefined),
    // In a form that a link can carry.
    write: (value) => value.slice(0, most).replaceAll(/\p{C}+/gu, " "),
    allowed: `a line of up to ${most} letters`,
  };
}

interface NameOptions {
  allows: (name: string) => boolean;
  /** What is allowed, in words. */
  allowed: string;
}

/** One name, or null. */
export function nameOrNone({ allows, allowed }: NameOptions): Setting<string | null> {
  return {
    start: null,
    read: (text) => (text === NONE ? null : allows(text) ? text : undefined),
    write: (value) => (value !== null && allows(value) ? value : NONE),
    allowed: `${NONE}, or ${allowed}`,
  };
}

/**
 * Names separated by commas, without duplicates; names that are not allowed are not written either.
 */
export function names(
  { allows: may, allowed }: NameOptions,
  start: readonly string[] = [],
): Setting<readonly string[]> {
  const allows = (name: string) => name !== NONE && may(name);
  return {
    start,
    read: (text) => {
      const all = text === NONE ? [] : [...new Set(text.split(","))];
      return all.every(allows) ? all : undefined;
    },
    write: (value) => value.filter(allows).join(",") || NONE,
    allowed: `${NONE}, or ${allowed} between commas`,
  };
}

/** The same setting with other texts: `out` before a text is written, `back` before one is read. */
export function spelled<T>(
  setting: Setting<T>,
  out: (value: T) => T,
  back: (value: T) => T,
): Setting<T> {
  return {
    ...setting,
    read: (text) => {
      const value = setting.read(text);
      return value === undefined ? undefined : back(value);
    },
    write: (value) => setting.write(out(value)),
  };
}

function numberOf(text: string): number | undefined {
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : undefined;
}

/** Six digits show the same picture. */
function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

export const ALGORITHM_NAME: NameOptions = {
  allows: (name) => isAlgorithmName(name),
  allowed: "names of algorithms",
};
