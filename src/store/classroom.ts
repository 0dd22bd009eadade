/** A class experiment in this browser: the seat taken, the prediction, and the collected codes. */
import { readValue, writeValue } from "../runtime/shelf/smallValue.ts";
import { isRecord } from "../spec/jsonText.ts";
import { createStore, type StoreApi } from "zustand/vanilla";

export interface Classroom {
  /** From 1; null before one was taken. */
  seat: number | null;
  /** Number of an option, from 1. */
  prediction: number | null;
  /** Name of the class whose link was made in this browser; its seeds follow from it. "" without one. */
  name: string;
  /** In order of arrival, without duplicates. */
  codes: readonly string[];
  /** Results of rerunning a code's seed, by code. */
  checks: ReadonlyMap<string, "same" | "different">;
  /** Address of the page on which this browser collects codes; null if that part was never opened. */
  home: string | null;
}

const EMPTY: Classroom = {
  seat: null,
  prediction: null,
  name: "",
  codes: [],
  checks: new Map(),
  home: null,
};

const KEY = "turnbook-class:";
/** More are not kept: a class is one room. */
export const MOST_CODES = 500;

const rooms = new Map<string, StoreApi<Classroom>>();

/** The classroom of this experiment, by its `setupOf`: in the browser's storage if allowed, otherwise in memory. */
export function classroomOf(setup: string): StoreApi<Classroom> {
  const known = rooms.get(setup);
  if (known) return known;
  const store = createStore<Classroom>(() => ({ ...EMPTY, ...kept(setup) }));
  // A link with a code may be opened in another tab.
  addEventListener("storage", ({ key }) => {
    if (key === KEY + setup) store.setState(kept(setup));
  });
  store.subscribe(({ checks, ...rest }) => {
    writeValue("site", KEY + setup, { ...rest, checks: [...checks] });
  });
  rooms.set(setup, store);
  return store;
}

/** Adds codes that are new; returns how many were. */
export function addCodes(store: StoreApi<Classroom>, codes: readonly string[]): number {
  const { codes: before } = store.getState();
  const all = [...new Set([...before, ...codes])].slice(0, MOST_CODES);
  store.setState({ codes: all });
  return all.length - before.length;
}

/** Removes the codes, but not the reader's own seat. */
export function clearCodes(store: StoreApi<Classroom>): void {
  store.setState({ codes: [], checks: new Map() });
}

function kept(setup: string): Partial<Classroom> {
  const read = readValue("site", KEY + setup);
  if (!isRecord(read)) return {};
  const number = (name: string) => {
    const value = read[name];
    return Number.isInteger(value) && (value as number) > 0 ? (value as number) : null;
  };
  const texts = Array.isArray(read["codes"]) ? read["codes"] : [];
  const checks = Array.isArray(read["checks"]) ? (read["checks"] as unknown[]) : [];
  return {
    seat: number("seat"),
    prediction: number("prediction"),
    name: typeof read["name"] === "string" ? read["name"] : "",
    codes: texts.filter((one) => typeof one === "string").slice(0, MOST_CODES),
    checks: new Map(checks.filter(isCheck)),
    home: isAddress(read["home"]) ? read["home"] : null,
  };
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("#");
}

function isCheck(value: unknown): value is [string, "same" | "different"] {
  if (!Array.isArray(value)) return false;
  const [code, said] = value as unknown[];
  return typeof code === "string" && (said === "same" || said === "different");
}
