/** A sweep's runs: one after the other, in the page's queue. */
import { beforeEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { SweepRun } from "../../src/notebook/cells/sweep/plan.ts";
import type { RunState } from "../../src/runtime/protocol.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import type { ExperimentHandle } from "../../src/store/hooks.ts";
import { leaveQueue, opened, runInTurn, runQueue } from "../../src/store/runQueue.ts";
import type { ResumedRun } from "../../src/store/resumedRun.ts";
import { hasLog, SweepRuns } from "../../src/store/sweepRuns.ts";
import { wouldBeLost } from "../../src/store/unsaved.ts";
import type { SweepShelf } from "../../src/store/sweepShelf.ts";

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

function sweep(shelf: SweepShelf | null = null, settle = async () => true) {
  const own = session("sweep");
  let made = 0;
  const taken: (ResumedRun | null)[] = [];
  const rates = new SweepRuns({
    shelf,
    open: () => (made++, { ...own.handle, takeUp: (run) => void taken.push(run), settle }),
    nameOf: ({ seed }) => `rates ${seed}`,
  });
  const state = () => own.handle.store.getState();
  const done = () => [...rates.store.getState().results.keys()].join();
  const pending = () => rates.store.getState().pending.map(({ key }) => key);
  const { store, session: pressed } = own.handle;
  return {
    rates,
    store,
    session: pressed,
    set: own.set,
    state,
    done,
    pending,
    made: () => made,
    taken,
  };
}

const soon = () => new Promise<void>((resolve) => queueMicrotask(resolve));

it("begins with the first, and goes on by itself; what has finished is not trained again", async () => {
  const { rates, set, state, done, pending, made } = sweep();
  expect(made()).toBe(0);
  void rates.run(runs);
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
  void rates.run(runs);
  expect(pending()).toEqual(["2"]);
  expect(made()).toBe(1);
});

it("waits behind a run of the page, by name, and lets those that wait already go first", async () => {
  const { rates, set, state, pending } = sweep();
  const [first, other] = [session("first"), session("other")];
  runInTurn(first.handle);
  void rates.run(runs);
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
  void rates.run(runs);
  set("finished");
  await soon();
  rates.stop();
  await soon();
  expect([state().state, pending(), done()]).toEqual(["idle", [], "1"]);
});

it("goes on with the run that is paused before it trains others, and files it under its own name", async () => {
  const { rates, set, state, done, pending } = sweep();
  void rates.run(runs);
  set("paused");
  void rates.run([runs[2]!]);
  expect([state().state, state().draft.spec.seed, pending().join()]).toEqual(["running", 1, "1,3"]);
  set("finished");
  await soon();
  expect([done(), state().draft.spec.seed]).toEqual(["1", 3]);
});

it("begins what is asked for while the present run still stops once it has", async () => {
  const { rates, state, pending, store, session: own } = sweep();
  void rates.run(runs);
  own.reset = () => store.setState({ stopping: true });
  rates.stop();
  void rates.run(runs.slice(1));
  expect([state().draft.spec.seed, pending().join()]).toEqual([1, "2,3"]);
  store.setState({ stopping: false, state: "idle" });
  await soon();
  expect([state().state, state().draft.spec.seed]).toEqual(["running", 2]);
});

it("goes on after a run that has failed late, without a question", async () => {
  const { rates, set, state } = sweep();
  void rates.run(runs);
  set("running");
  const { log } = state().view;
  set("failed");
  await soon();
  // However large it is, no question is asked about it.
  log.append({ type: "start", chain: "a" } as never);
  expect(wouldBeLost(log, 60_000)).toBe(false);
});

/** The first has finished, the second has not; `asked`: what was still to come before a reload. */
function shelfWith(asked: readonly string[] = []) {
  const remembered: string[] = [];
  const claim = {
    ...{ take: vi.fn(async (): Promise<(() => void) | null> => () => void claim.given++) },
    ...{ isElsewhere: vi.fn(async () => false), changed: vi.fn(), given: 0 },
    ...{ heard: () => {}, onChange: (tell: () => void) => void (claim.heard = tell) },
  };
  const release = vi.fn();
  const resumed = { release } as unknown as ResumedRun;
  const shelf: SweepShelf = {
    find: async (wanted) =>
      new Map([
        ...wanted.filter(({ key }) => key === "1").map(({ key }) => [key, { log: new RunLog() }]),
        ...wanted
          .filter(({ key }) => key === "2")
          .map(({ key }) => [key, { iteration: 4, takeUp: async () => resumed }]),
      ] as [string, { log: RunLog }][]),
    claim,
    remember: (pending) => void remembered.push(pending.map(({ key }) => key).join()),
    asked: (wanted) => wanted.filter(({ key }) => asked.includes(key)),
  };
  return { shelf, remembered, resumed, release, claim };
}

it("shows what is kept, and goes on where a run had stopped; both only when asked to", async () => {
  const { shelf, resumed, remembered } = shelfWith();
  const { rates, set, state, done, pending, made, taken } = sweep(shelf);
  await rates.look(runs);
  expect([done(), pending(), made()]).toEqual(["1", [], 0]);
  expect([...rates.store.getState().stopped]).toEqual([["2", 4]]);
  void rates.run(runs);
  await vi.waitFor(() => expect(state().state).toBe("running"));
  expect(taken).toEqual([resumed]);
  expect(remembered.at(-1)).toBe("2,3");
  set("finished");
  await vi.waitFor(() => expect(state().state).toBe("running"));
  expect([taken.at(-1), pending(), rates.store.getState().stopped.size]).toEqual([null, ["3"], 0]);
  set("paused");
  // A reload leaves it so.
  expect([rates.store.getState().isPaused, remembered.at(-1)]).toEqual([true, ""]);
  rates.resume();
  set("finished");
  await vi.waitFor(() => expect(done()).toBe("1,2,3"));
  expect(rates.store.getState().isKept).toBe(true);
});

it("asks the tab's next page for a run that has finished, until it is written", async () => {
  const { shelf, remembered } = shelfWith();
  let written = (_: boolean) => {};
  const { rates, set, state, pending } = sweep(
    shelf,
    () => new Promise((resolve) => void (written = resolve)),
  );
  void rates.run(runs);
  await vi.waitFor(() => expect(state().state).toBe("running"));
  set("finished");
  expect([pending(), remembered.at(-1)]).toEqual([["3"], "2,3"]);
  written(true);
  await vi.waitFor(() => expect(remembered.at(-1)).toBe("3"));
  set("finished");
  expect([pending(), remembered.at(-1)]).toEqual([[], "3"]);
  written(true);
  await vi.waitFor(() => expect(remembered.at(-1)).toBe(""));
});

it("goes on by itself with what a reload has interrupted, and with nothing else", async () => {
  const { rates, state, pending } = sweep(shelfWith(["1", "2"]).shelf);
  await rates.look(runs);
  await vi.waitFor(() => expect(state().state).toBe("running"));
  expect(pending()).toEqual(["2"]);
});

it("what another tab trains is not trained here: it is said, and what that tab keeps is shown", async () => {
  const { shelf, claim } = shelfWith();
  const { rates, state, done, pending, made } = sweep(shelf);
  claim.take.mockResolvedValue(null);
  claim.isElsewhere.mockResolvedValue(true);
  await rates.look(runs);
  await rates.run(runs);
  expect([rates.store.getState().isElsewhere, pending(), made(), done()]).toEqual([
    true,
    [],
    0,
    "1",
  ]);
  // The other tab keeps the second run, and is closed.
  shelf.find = async (wanted) => {
    expect(wanted.map(({ key }) => key)).toEqual(["2", "3"]);
    return new Map([["2", { log: new RunLog() }]]);
  };
  claim.isElsewhere.mockResolvedValue(false);
  claim.heard();
  await vi.waitFor(() => expect(done()).toBe("1,2"));
  expect(rates.store.getState()).toMatchObject({ isElsewhere: false, stopped: new Map() });
  claim.take.mockResolvedValue(() => void claim.given++);
  await rates.run(runs);
  expect([state().state, pending(), claim.given]).toEqual(["running", ["3"], 0]);
});

it("other tabs may train when the last run is kept, or at once where the reader stops", async () => {
  const { shelf, claim } = shelfWith();
  const { rates, set, pending } = sweep(shelf);
  await rates.run(runs.slice(2));
  const said = claim.changed.mock.calls.length;
  set("finished");
  await vi.waitFor(() => expect(claim.given).toBe(1));
  expect(claim.changed.mock.calls.length).toBe(said + 1);
  await rates.run(runs.slice(1));
  await vi.waitFor(() => expect(pending()).toEqual(["2"]));
  rates.stop();
  expect([pending(), claim.given]).toEqual([[], 2]);
});
