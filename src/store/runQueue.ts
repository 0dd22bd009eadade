/** Experiments waiting for the engine: one trains at a time, the next starts when it has ended. */
import { createStore } from "zustand/vanilla";
import { isOutOfDate } from "./experimentState.ts";
import type { ExperimentHandle } from "./hooks.ts";

/** All experiments opened in this page: they share one machine. See `register`. */
export const opened = new Set<ExperimentHandle>();

interface RunQueue {
  /** The one that is training, under the name it was requested by. */
  current: ExperimentHandle | null;
  /** The waiting ones, first come first served. */
  waiting: readonly ExperimentHandle[];
  /** The experiment that asks its reader before it drops a run, wherever its cell is. */
  asks: ExperimentHandle | null;
}

/** A page has one engine, so it has one queue. */
export const runQueue = createStore<RunQueue>(() => ({ current: null, waiting: [], asks: null }));

/** The last request, by its store: a handle may have another name each time. */
const asked = new WeakMap<ExperimentHandle["store"], ExperimentHandle>();

/** Adds an experiment to the page's; returns the function that removes it. */
export function register(one: ExperimentHandle): () => void {
  opened.add(one);
  const end = one.store.subscribe(({ state, leaving }, before) => {
    if (leaving !== before.leaving) runQueue.setState({ asks: leaving === null ? null : one });
    if (state === before.state) return;
    // Started out of turn, e.g. by a step.
    if (isActive(one)) leaveQueue(one);
    const active = [...opened].find(isActive);
    runQueue.setState({ current: active ? (asked.get(active.store) ?? active) : null });
  });
  return () => {
    end();
    opened.delete(one);
    leaveQueue(one);
    skip(one.store);
    // With its notebook gone, nobody could answer.
    if (runQueue.getState().asks === one) runQueue.setState({ asks: null });
  };
}

/** The same experiment, whatever its current name. */
const isSame = (a: ExperimentHandle) => (b: ExperimentHandle) => a.store === b.store;

const stateOf = ({ store }: ExperimentHandle) => store.getState().state;

/** Starts or resumes if none of `others` is training; otherwise waits until they have ended. */
export function runInTurn(
  wanted: ExperimentHandle,
  others: Iterable<ExperimentHandle> = opened,
): void {
  const { waiting } = runQueue.getState();
  if (isActive(wanted) || waiting.some(isSame(wanted))) return;
  asked.set(wanted.store, wanted);
  const ahead = [...others].find((one) => one.store !== wanted.store && isActive(one));
  follow(ahead ?? wanted);
  if (ahead) runQueue.setState({ waiting: [...waiting, wanted] });
  else wanted.session.toggleRun();
}

/** Runs an experiment as it says now, also in place of a run of something else, after a question if that would be lost. */
export function runAsWritten(wanted: ExperimentHandle): void {
  if (isOutOfDate(wanted.store.getState())) wanted.session.replace(() => runInTurn(wanted));
  else runInTurn(wanted);
}

/** The action of the main button: pauses if training, leaves the queue if waiting, and otherwise starts or waits. */
export function toggleInTurn(
  one: ExperimentHandle,
  others: Iterable<ExperimentHandle> = opened,
): void {
  if (isActive(one)) one.session.toggleRun();
  else if (runQueue.getState().waiting.some(isSame(one))) leaveQueue(one);
  else runInTurn(one, others);
}

/** Takes an experiment out of the queue. */
export function leaveQueue(one: ExperimentHandle): void {
  const { waiting } = runQueue.getState();
  const others = waiting.filter((other) => other.store !== one.store);
  if (others.length < waiting.length) runQueue.setState({ waiting: others });
}

/** Moves a waiting one ahead of the one before it. */
export function moveUp(one: ExperimentHandle): void {
  const { waiting } = runQueue.getState();
  const at = waiting.findIndex(isSame(one));
  if (at < 1) return;
  const moved = [...waiting.slice(0, at - 1), waiting[at]!, waiting[at - 1]!];
  runQueue.setState({ waiting: [...moved, ...waiting.slice(at + 1)] });
}

/**
 * Empties the queue, and pauses the training run; one that is starting is paused as soon as
 * possible.
 */
export function stopAll(): void {
  runQueue.setState({ waiting: [] });
  for (const one of opened)
    if (stateOf(one) === "running") one.session.toggleRun();
    else if (stateOf(one) === "loading") pauseOnceRunning(one);
}

function pauseOnceRunning({ store, session }: ExperimentHandle): void {
  const end = store.subscribe(({ state }) => {
    if (state === "loading") return;
    end();
    if (state === "running") session.toggleRun();
  });
}

export function isActive(one: ExperimentHandle): boolean {
  const state = stateOf(one);
  return state === "running" || state === "loading";
}

/** The unsubscribe function of each. */
const followed = new Map<ExperimentHandle["store"], () => void>();

/** Starts the next one when this has ended or is paused: pausing frees the engine. */
function follow(running: ExperimentHandle): void {
  if (followed.has(running.store)) return;
  const end = running.store.subscribe(({ state }, before) => {
    if (state !== before.state && !isActive(running)) skip(running.store);
  });
  followed.set(running.store, end);
}

/** It has ended, or will not start: those behind it need not wait for it. */
export function skip(store: ExperimentHandle["store"]): void {
  const end = followed.get(store);
  if (!end) return;
  end();
  followed.delete(store);
  next();
}

function next(): void {
  const [first, ...rest] = runQueue.getState().waiting;
  if (!first) return;
  // One that was started out of turn, e.g. by a step, comes first.
  const ahead = [...opened].find(isActive);
  if (ahead) return follow(ahead);
  runQueue.setState({ waiting: rest });
  follow(first);
  first.session.toggleRun();
}
