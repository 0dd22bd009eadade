/** Experiments that share one engine: who trains, who waits. */
import { beforeEach, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { RunState } from "../../src/runtime/protocol.ts";
import type { ExperimentHandle } from "../../src/store/hooks.ts";
import {
  register,
  leaveQueue,
  moveUp,
  opened,
  skip,
  runInTurn,
  runQueue,
  stopAll,
  toggleInTurn,
} from "../../src/store/runQueue.ts";

beforeEach(() => {
  runQueue.setState({ waiting: [] });
  opened.clear();
});

/** As much of an experiment as a queue sees: its state, and the button that begins or pauses it. */
function experiment(id: string) {
  const store = createStore<{ state: RunState }>(() => ({ state: "idle" }));
  const toggleRun = () =>
    store.setState(({ state }) => ({ state: state === "running" ? "paused" : "running" }));
  return { id, store, session: { toggleRun } } as unknown as ExperimentHandle & {
    store: typeof store;
  };
}

function three() {
  const all = ["a", "b", "c"].map(experiment);
  const states = () => all.map(({ store }) => store.getState().state).join(" ");
  const waiting = () => runQueue.getState().waiting.map(({ id }) => id);
  const ask = (i: number) => runInTurn(all[i]!, all);
  const set = (i: number, state: RunState) => all[i]!.store.setState({ state });
  return { all, states, waiting, ask, set };
}

it("begin at once where none trains, and wait in the order of asking, each once", () => {
  const { states, waiting, ask, set } = three();
  ask(1);
  expect(states()).toBe("idle running idle");
  ask(2);
  ask(0);
  ask(2);
  ask(1);
  expect(waiting()).toEqual(["c", "a"]);
  set(1, "finished");
  expect(states()).toBe("idle finished running");
  expect(waiting()).toEqual(["a"]);
  set(2, "failed");
  expect(states()).toBe("running finished failed");
  expect(waiting()).toEqual([]);
  set(0, "finished");
  expect(states()).toBe("finished finished failed");
});

it("go on when the run ahead is paused, which then waits its turn; and can leave", () => {
  const { all, states, waiting, ask, set } = three();
  ask(0);
  ask(1);
  ask(2);
  set(0, "paused");
  expect(states()).toBe("paused running idle");
  ask(0);
  expect(waiting()).toEqual(["c", "a"]);
  leaveQueue({ ...all[2]!, id: "renamed" });
  expect(waiting()).toEqual(["a"]);
  set(1, "finished");
  expect(states()).toBe("running finished idle");
  expect(waiting()).toEqual([]);
});

it("wait for one that began out of its turn, as by a step, also where the run ahead was paused for it", () => {
  const { all, states, waiting, ask, set } = three();
  for (const one of all) register(one);
  ask(0);
  ask(1);
  set(2, "loading");
  set(0, "paused");
  expect(states()).toBe("paused idle loading");
  expect(waiting()).toEqual(["b"]);
  set(2, "paused");
  expect(states()).toBe("paused running paused");
});

it("are forgotten when they are closed: those behind go on", () => {
  const { all, states, waiting, ask } = three();
  const [closeFirst, closeSecond] = all.map((one) => register(one));
  ask(0);
  ask(1);
  ask(2);
  closeSecond!();
  expect(waiting()).toEqual(["c"]);
  all[0]!.store.setState({ state: "idle" });
  closeFirst!();
  expect(states()).toBe("idle idle running");
  expect([...opened].map(({ id }) => id)).toEqual(["c"]);
});

it("do not wait for one whose reader does not let it begin", () => {
  const { all, states, waiting, ask, set } = three();
  ask(0);
  ask(1);
  ask(2);
  all[1]!.session.toggleRun = () => {};
  set(0, "finished");
  expect(states()).toBe("finished idle idle");
  skip(all[1]!.store);
  expect(states()).toBe("finished idle running");
  expect(waiting()).toEqual([]);
  skip(all[1]!.store);
  expect(states()).toBe("finished idle running");
});

it("the run button begins, waits, leaves the queue and pauses; it never pauses another run", () => {
  const { all, states, waiting } = three();
  const press = (i: number) => toggleInTurn(all[i]!, all);
  press(0);
  press(1);
  expect(states()).toBe("running idle idle");
  expect(waiting()).toEqual(["b"]);
  press(1);
  expect(waiting()).toEqual([]);
  press(0);
  expect(states()).toBe("paused idle idle");
});

it("those asked for run in their order, which can be changed, and all stop", () => {
  const { all, states, waiting, set } = three();
  for (const one of all) opened.add(one);
  set(1, "finished");
  for (const one of [all[0]!, all[2]!]) runInTurn(one);
  expect(states()).toBe("running finished idle");
  expect(waiting()).toEqual(["c"]);
  runInTurn(all[1]!);
  expect(waiting()).toEqual(["c", "b"]);
  moveUp(all[1]!);
  moveUp(all[1]!);
  expect(waiting()).toEqual(["b", "c"]);
  stopAll();
  expect(waiting()).toEqual([]);
  expect(states()).toBe("paused finished idle");
  // One that is still loading cannot be paused yet.
  set(2, "loading");
  stopAll();
  set(2, "running");
  expect(states()).toBe("paused finished paused");
  opened.clear();
});

it("leave the queue when they begin out of their turn", () => {
  const { all, waiting, ask, set } = three();
  for (const one of all) register(one);
  ask(0);
  ask(1);
  expect(waiting()).toEqual(["b"]);
  set(1, "running");
  expect(waiting()).toEqual([]);
});

it("are named while one of them asks whether its run may be dropped", () => {
  const { all } = three();
  for (const one of all) register(one);
  const asks = () => runQueue.getState().asks?.id;
  all[1]!.store.setState({ leaving: "run" } as never);
  expect(asks()).toBe("b");
  all[1]!.store.setState({ leaving: null } as never);
  expect(asks()).toBeUndefined();
});

it("ask nothing any more once their notebook is closed", () => {
  const { all } = three();
  const [end] = all.map(register);
  all[0]!.store.setState({ leaving: "run" } as never);
  expect(runQueue.getState().asks?.id).toBe("a");
  end!();
  expect(runQueue.getState().asks).toBeNull();
});
