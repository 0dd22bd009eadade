/** How long the presets take on this machine, as last measured; stored in the browser if possible. */
import { createStore } from "zustand/vanilla";
import { engineTitle, type MachineReport } from "../runtime/machineReport.ts";

export interface MeasuredTimes {
  /** The engine that was measured. */
  engine: string;
  /** Maximum seconds for an iteration of all methods, by preset. */
  seconds: Readonly<Record<string, number>>;
}

const KEY = "turnbook.measured.v1";

/** In a sandboxed frame even accessing localStorage throws. */
function storage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

/** Null if nothing usable is stored. */
export function readMeasured(text: string | null): MeasuredTimes | null {
  try {
    const { engine, seconds } = Object(JSON.parse(text ?? "null")) as Record<string, unknown>;
    if (typeof engine !== "string" || typeof seconds !== "object" || seconds === null) return null;
    const usable = Object.entries(seconds).filter(
      ([, value]) => Number.isFinite(value) && value > 0,
    );
    return { engine, seconds: Object.fromEntries(usable) as MeasuredTimes["seconds"] };
  } catch {
    return null;
  }
}

function kept(): string | null {
  try {
    return storage()?.getItem(KEY) ?? null;
  } catch {
    return null;
  }
}

export const measuredTimes = createStore<{ times: MeasuredTimes | null }>(() => ({
  times: readMeasured(kept()),
}));

/** Stores a finished measurement; other reports change nothing. */
export function keepMeasured({ state, choice, expectations }: MachineReport): void {
  if (state !== "measured" || !choice || expectations.length === 0) return;
  const each = expectations.map((one) => [one.preset, one.seconds * one.methods] as const);
  const times = { engine: engineTitle(choice), seconds: Object.fromEntries(each) };
  measuredTimes.setState({ times });
  try {
    storage()?.setItem(KEY, JSON.stringify(times));
  } catch {
    // Storage is full or forbidden: known until the page is closed.
  }
}
