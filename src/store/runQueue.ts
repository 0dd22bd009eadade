/** Experiments that wait for the engine: one trains at a time, the next begins when it has ended. */
import { createStore } from "zustand/vanilla";
import type { ExperimentHandle } from "./hooks.ts";

/** Those that wait, first come first served. A page has one engine, so it has one queue. */
export const runQueue = createStore<{ waiting: readonly ExperimentHandle[] }>(() => ({
  waiting: [],
}));

/** The same experiment, whatever it is called now. */
const isSame = (a: ExperimentHandle) => (b: ExperimentHandle) => a.store === b.store;

const stateOf = ({ store }: ExperimentHandle) => store.getState().state;

/** Begins or resumes where none of `others` trains; else waits until they have ended. */
export function runInTurn(wanted: ExperimentHandle, others: Iterable<ExperimentHandle>): void {
  const { waiting } = runQueue.getState();
  if (isActive(wanted) || waiting.some(isSame(wanted))) return;
  const ahead = [...others].find((one) => one.store !== wanted.store && isActive(one));
  follow(ahead ?? wanted);
  if (ahead) runQueue.setState({ waiting: [...waiting, wanted] });
  else wanted.session.toggleRun();
}

/** Takes an experiment out of the queue. */
export function leaveQueue(one: ExperimentHandle): void {
  const waiting = runQueue.getState().waiting.filter((other) => other.store !== one.store);
  runQueue.setState({ waiting });
}

function isActive(one: ExperimentHandle): boolean {
  const state = stateOf(one);
  return state === "running" || state === "loading";
}

/** What ends the following of each. */
const followed = new Map<ExperimentHandle["store"], () => void>();

/** Begins the next one when this has ended. */
function follow(running: ExperimentHandle): void {
  if (followed.has(running.store)) return;
  const end = running.store.subscribe(({ state }, before) => {
    if (state === before.state || state === "running" || state === "loading") return;
    // Its reader holds it; those behind go on waiting.
    if (state !== "paused") passOver(running.store);
  });
  followed.set(running.store, end);
}

/** It has ended, or will not begin: those behind it need not wait for it. */
export function passOver(store: ExperimentHandle["store"]): void {
  const end = followed.get(store);
  if (!end) return;
  end();
  followed.delete(store);
  next();
}

function next(): void {
  const [first, ...rest] = runQueue.getState().waiting;
  if (!first) return;
  runQueue.setState({ waiting: rest });
  follow(first);
  first.session.toggleRun();
}
