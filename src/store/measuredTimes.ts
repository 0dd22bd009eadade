/** How long the presets take on this machine, as last measured; stored in the browser if possible. */
import { readValue, writeValue } from "../runtime/shelf/smallValue.ts";
import { isRecord } from "../spec/jsonText.ts";
import { createStore } from "zustand/vanilla";
import { engineTitle, type MachineReport } from "../runtime/machineReport.ts";

export interface MeasuredTimes {
  /** The engine that was measured. */
  engine: string;
  /** Maximum seconds for an iteration of all methods, by preset. */
  seconds: Readonly<Record<string, number>>;
}

const KEY = "turnbook.measured.v1";

/** Null where nothing usable is stored. */
export function readMeasured(value: unknown): MeasuredTimes | null {
  if (!isRecord(value)) return null;
  const { engine, seconds } = value;
  if (typeof engine !== "string" || !isRecord(seconds)) return null;
  const usable = Object.entries(seconds).filter(
    (one): one is [string, number] => Number.isFinite(one[1]) && (one[1] as number) > 0,
  );
  return { engine, seconds: Object.fromEntries(usable) };
}

export const measuredTimes = createStore<{ times: MeasuredTimes | null }>(() => ({
  times: readMeasured(readValue("site", KEY)),
}));

/** Stores a finished measurement; other reports change nothing. */
export function keepMeasured({ state, choice, expectations }: MachineReport): void {
  if (state !== "measured" || !choice || expectations.length === 0) return;
  const each = expectations.map((one) => [one.preset, one.seconds * one.methods] as const);
  const times = { engine: engineTitle(choice), seconds: Object.fromEntries(each) };
  measuredTimes.setState({ times });
  writeValue("site", KEY, times);
}
