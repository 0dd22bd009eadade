/** Undo and redo, as pure functions over any value. */

export interface History<T> {
  past: readonly T[];
  now: T;
  future: readonly T[];
  /** Changes of the same kind in quick succession are undone together. */
  kind: string;
  /** Milliseconds of the latest change. */
  at: number;
}

/** Limit of steps. */
const MOST = 200;
/** Typing is undone up to the last pause of that many milliseconds. */
const TOGETHER = 1000;

export function startHistory<T>(now: T): History<T> {
  return { past: [], now, future: [], kind: "", at: 0 };
}

/** @param kind what is changed and where, such as "write 3"; "" is never merged with the step before. */
export function withStep<T>(history: History<T>, now: T, kind: string, at: number): History<T> {
  if (now === history.now) return history;
  const together = kind !== "" && kind === history.kind && at - history.at < TOGETHER;
  const past = together ? history.past : [...history.past, history.now].slice(-MOST);
  return { past, now, future: [], kind, at };
}

export function undone<T>({ past, now, future }: History<T>): History<T> {
  const before = past.at(-1);
  if (before === undefined) return { past, now, future, kind: "", at: 0 };
  return { past: past.slice(0, -1), now: before, future: [now, ...future], kind: "", at: 0 };
}

export function redone<T>({ past, now, future }: History<T>): History<T> {
  const [next, ...rest] = future;
  if (next === undefined) return { past, now, future, kind: "", at: 0 };
  return { past: [...past, now], now: next, future: rest, kind: "", at: 0 };
}
