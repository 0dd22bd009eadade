/** A sweep's runs: one after the other, in the page's queue. */
import { beforeEach, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { SweepRun } from "../../src/notebook/sweepCell.ts";
import type { RunState } from "../../src/runtime/protocol.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import type { ExperimentHandle } from "../../src/store/hooks.ts";
import { leaveQueue, opened, runInTurn, runQueue } from "../../src/store/runQueue.ts";
import { hasLog, SweepRuns } from "../../src/store/sweepRuns.ts";

beforeEach(() => {
  runQueue.setState({ waiting: [] });
  opened.clear();
});

/** As much of an experiment as a sweep sees. */
function session(id: string) {
  const store = createStore<Record<string, unknown>>(() => ({
    state: "idle",
    view: { log: new RunLog() },
  }));
  const set = (state: RunState) =>
    store.setState({ state, ...(state === "running" && { view: { log: new RunLog() } }) });
  const toggleRun = () => set(store.getState()["state"] === "running" ? "paused" : "running");
  const handle = { id, store, session: { toggleRun, reset: () => set("idle") } };
  opened.add(handle as unknown as ExperimentHandle);
  return { handle: handle as unknown as ExperimentHandle, set };
}

const runs = [1, 2, 3].map((seed): SweepRun => {
  return { key: String(seed), setting: "", seed, spec: { ...presetSpec("nano"), seed } };
});

function sweep() {
  const own = session("sweep");
  let made = 0;
  const rates = new SweepRuns({
    open: () => (made++, own.handle),
    nameOf: ({ seed }) => `rates ${seed}`,
  });
  const state = () => own.handle.store.getState();
  const done = () => [...rates.store.getState().results.keys()].join();
  const pending = () => rates.store.getState().pending.map(({ key }) => key);
  return { rates, set: own.set, state, done, pending, made: () => made };
}

const soon = () => new Promise<void>((resolve) => queueMicrotask(resolve));

it("begins with the first, and goes on by itself; what has finished is not trained again", async () => {
  const { rates, set, state, done, pending, made } = sweep();
  expect(made()).toBe(0);
  rates.run(runs);
  expect(state().state).toBe("running");
  expect(state().draft.spec.seed).toBe(1);
  set("finished");
  await soon();
  expect(done()).toBe("1");
  expect(state().draft.spec.seed).toBe(2);
  set("failed");
  await soon();
  expect(hasLog(rates.store.getState().results.get("2"))).toBe(false);
  set("finished");
  await soon();
  expect(done()).toBe("1,2,3");
  expect(pending()).toEqual([]);
  rates.run(runs);
  expect(pending()).toEqual(["2"]);
  expect(made()).toBe(1);
});

it("waits behind a run of the page, by name, and lets those that wait already go first", async () => {
  const { rates, set, state, pending } = sweep();
  const [first, other] = [session("first"), session("other")];
  runInTurn(first.handle);
  rates.run(runs);
  runInTurn(other.handle);
  const waiting = () => runQueue.getState().waiting.map(({ id }) => id);
  expect(waiting()).toEqual(["rates 1", "other"]);
  first.set("finished");
  await soon();
  expect(state().state).toBe("running");
  set("finished");
  await soon();
  expect(other.handle.store.getState().state).toBe("running");
  expect(waiting()).toEqual(["rates 2"]);
  leaveQueue(runQueue.getState().waiting[0]!);
  await soon();
  expect(pending()).toEqual([]);
});

it("stops at once, and keeps what has finished", async () => {
  const { rates, set, state, done, pending } = sweep();
  rates.run(runs);
  set("finished");
  await soon();
  rates.stop();
  await soon();
  expect([state().state, pending(), done()]).toEqual(["idle", [], "1"]);
});
