/** Code that an experiment defines in place of a row's choice: bound to the row, called, and its numbers checked. */
import { InputError } from "../numeric/inputError.ts";
import type { RowSettings } from "../record/definitions.ts";
import { settingNames, type AlgorithmConfig } from "../spec/algorithms.ts";
import type { RowKind } from "../spec/definitions.ts";

/** Calls the function that a definition's code exports; the caller checks its result. */
export type RowCall = (input: object) => unknown;

/** Not part of a configuration's data: JSON and messages between threads leave it out, copies keep it. */
const CALLS = Symbol("code");

interface BoundCalls {
  [CALLS]?: Partial<Record<RowKind, RowCall>>;
}

/** The row with the code of its definitions, by kind. */
export function bindCode(
  config: AlgorithmConfig,
  calls: Partial<Record<RowKind, RowCall>>,
): AlgorithmConfig {
  return { ...config, [CALLS]: calls } as AlgorithmConfig;
}

/** @throws InputError if the row names no such code, or is not bound to it. */
export function callOf(config: AlgorithmConfig, kind: RowKind): RowCall {
  const call = (config as BoundCalls)[CALLS]?.[kind];
  if (call) return call;
  throw new InputError(`${config.name} needs the code of ${config.own?.[kind] ?? kind}`);
}

export function rowSettings(config: AlgorithmConfig): RowSettings {
  return Object.fromEntries(
    settingNames.map((name) => [name, config[name as "gamma"] as number | string | null]),
  );
}

/** Numbers of equal names, from 0 in order of appearance. [n] */
export function numberedTasks(names: readonly string[]): Float64Array {
  const seen = new Map<string, number>();
  return Float64Array.from(names, (name) => {
    const number = seen.get(name) ?? seen.size;
    seen.set(name, number);
    return number;
  });
}

/** @param who the code and its function, which begin the sentence. @throws InputError */
export function checkNumbers(
  who: string,
  place: string,
  numbers: unknown,
  length: number,
): asserts numbers is ArrayLike<number> {
  const list = numbers as ArrayLike<unknown> | null | undefined;
  const isList = Array.isArray(list) || ArrayBuffer.isView(list);
  if (!isList || (list as ArrayLike<unknown>).length !== length) {
    const found = isList ? `${(list as ArrayLike<unknown>).length} numbers` : "no list";
    throw new InputError(`${who} returned ${found} as ${place}; it must be ${length} numbers`);
  }
  for (let i = 0; i < length; i++) {
    if (Number.isFinite(list![i])) continue;
    throw new InputError(
      `${who} returned ${String(list![i])} as ${place}[${i}]; it must be a finite number`,
    );
  }
}
