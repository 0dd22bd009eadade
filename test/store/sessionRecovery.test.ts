import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FromWorker, StartMessage, ToWorker } from "../../src/runtime/protocol.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { noteSaved } from "../../src/store/unsaved.ts";
import { createSession } from "../../src/store/session.ts";
import type { SessionOptions } from "../../src/store/sessionApi.ts";
import { RawRun } from "../../src/reading/log/rawRun.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import type { KeptRun } from "../../src/runtime/shelf/keptRuns.ts";
import { eventsMessage, syntheticRun } from "../fixtures/syntheticRun.ts";

const spec = presetSpec("nano");
const events = syntheticRun(spec);

interface Spoken {
  sent: ToWorker[];
  closed: boolean;
  say: (message: FromWorker) => void;
}

/** Workers that do nothing but remember; the test speaks for them. */
function setUp(told: Partial<SessionOptions> = {}) {
  const workers: Spoken[] = [];
  const store = createExperimentStore(spec);
  const session = createSession(store, {
    ...told,
    connect: (listener) => {
      const worker: Spoken = { sent: [], closed: false, say: listener };
      workers.push(worker);
      return {
        send: (message) => worker.sent.push(message),
        close: () => void (worker.closed = true),
      };
    },
  });
  const worker = () => workers.at(-1)!;
  const started = () => worker().sent.find(({ type }) => type === "start") as StartMessage;
  return { store, session, workers, worker, started };
}

const checkpoint = { bytes: new Uint8Array([1, 2, 3]), iteration: 2, events: 9 };
const LOST: FromWorker = {
  ...{ type: "error", kind: "environment", retry: true, action: "Reload." },
  message: "The graphics device was lost (reset); reload the page or use the wasm backend.",
};

const GONE: FromWorker = {
  ...{ type: "error", kind: "environment", retry: false, cardGone: true },
  ...{ message: "WebGPU found no graphics adapter; use the wasm backend.", action: "Choose wasm." },
};
const WASM = { name: "wasm", backend: "wasm" };

/** A run that has had that many events, and a checkpoint after the ninth. */
function running(count = 20, told: Partial<SessionOptions> = {}) {
  const set = setUp(told);
  set.session.toggleRun();
  set.worker().say({ type: "state", state: "running" });
  set.worker().say(eventsMessage(events.slice(0, count)));
  set.worker().say({ type: "checkpoint", checkpoint });
  return set;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a worker that fails", () => {
  it("is replaced by one that begins at the checkpoint, and the run bar says so", () => {
    const { store, workers, worker, started } = running();
    worker().say(LOST);
    expect(workers).toHaveLength(2);
    expect(workers[0]!.closed).toBe(true);
    expect(started()).toMatchObject({ spec, paused: false, saved: checkpoint.bytes });
    expect(store.getState()).toMatchObject({ state: "loading", problem: null });
    expect(store.getState().recovered).toBe(
      "The graphics device was lost. The run continues after iteration 2.",
    );
    // What the old one still says is not heard.
    workers[0]!.say({ type: "state", state: "failed" });
    expect(store.getState().state).toBe("loading");
    worker().say({ type: "state", state: "running" });
    worker().say(eventsMessage(events.slice(9)));
    vi.advanceTimersByTime(300);
    expect(store.getState().view).toMatchObject({ origin: "live", version: events.length });
    expect(store.getState().view.log.lastChain).toBe(events.at(-1)!.chain);
  });

  it("before the first checkpoint begins the same run again", () => {
    const { store, session, worker, started } = setUp();
    session.toggleRun();
    worker().say({ type: "state", state: "running" });
    worker().say(LOST);
    expect(started().saved).toBeUndefined();
    expect(store.getState().recovered).toContain("restarts from the beginning");
  });

  it("while the run is paused leaves it paused; within a single step takes that step again", () => {
    const paused = running();
    paused.worker().say({ type: "state", state: "paused" });
    paused.worker().say(LOST);
    expect(paused.started().paused).toBe(true);
    expect(paused.worker().sent.map(({ type }) => type)).not.toContain("step");
    const stepping = running();
    stepping.worker().say({ type: "state", state: "paused" });
    stepping.session.step();
    stepping.worker().say({ type: "state", state: "running" });
    stepping.worker().say(LOST);
    expect(stepping.started().paused).toBe(true);
    expect(stepping.worker().sent.map(({ type }) => type)).toContain("step");
  });

  it("twice without progress on WebGPU is followed by one on WebAssembly, then by the offer of the saved run", () => {
    const { store, session, workers, worker, started } = running();
    const report = { engine: "webgpu", backend: "webgpu", adapter: "x", reproducible: "device" };
    const engine: FromWorker = { type: "engine", report: { ...report, fallback: null } };
    worker().say(engine);
    worker().say(LOST);
    expect(started().engine).toBeUndefined();
    worker().say(LOST);
    expect(started().engine).toEqual({ name: "wasm", backend: "wasm" });
    expect(store.getState().recovered).toContain("on WebAssembly");
    worker().say(LOST);
    worker().say({ type: "state", state: "failed" });
    expect(workers).toHaveLength(3);
    expect(store.getState()).toMatchObject({ state: "failed", problem: { kind: "environment" } });
    expect(store.getState().problem!.action).toContain("Save the run");
    vi.advanceTimersByTime(300);
    session.continueRun();
    expect(workers).toHaveLength(4);
    expect(started()).toMatchObject({ saved: checkpoint.bytes });
  });

  it("for want of its graphics card, which does not come back, is followed by one on WebAssembly", () => {
    const { store, workers, worker, started } = running();
    worker().say(LOST);
    worker().say(GONE);
    expect(workers).toHaveLength(3);
    expect(started()).toMatchObject({ saved: checkpoint.bytes, engine: WASM });
    expect(store.getState()).toMatchObject({ state: "loading", problem: null });
    expect(store.getState().recovered).toBe(
      "WebGPU found no graphics adapter. The run continues after iteration 2 on WebAssembly.",
    );
  });

  it("where a saved run finds no graphics card is followed by one on WebAssembly", () => {
    const { session, workers, worker, started } = running();
    worker().say({ type: "error", kind: "defect", message: "!", action: "", retry: false });
    worker().say({ type: "state", state: "failed" });
    vi.advanceTimersByTime(300);
    session.continueRun();
    worker().say(GONE);
    expect(workers).toHaveLength(3);
    expect(started()).toMatchObject({ saved: checkpoint.bytes, engine: WASM });
  });

  it("at the first start finds no graphics card: it was asked for, and the reader decides", () => {
    const { store, session, workers, worker } = setUp();
    session.toggleRun();
    worker().say(GONE);
    expect(workers).toHaveLength(1);
    expect(store.getState().problem!.action).toBe("Choose wasm.");
  });

  it("by its own fault is not replaced", () => {
    const { store, workers, worker } = running();
    worker().say({
      type: "error",
      kind: "learning",
      message: "NaN.",
      action: "Less.",
      retry: false,
    });
    worker().say({ type: "state", state: "failed" });
    expect(workers).toHaveLength(1);
    expect(store.getState().problem).toMatchObject({ kind: "learning", action: "Less." });
  });

  it("of a run too large for a checkpoint is not replaced either: its log would be lost", () => {
    const { store, workers, worker } = running();
    worker().say({ type: "noCheckpoint", bytes: 3e9, most: 1e9 });
    expect(store.getState().unprotected).toContain("3000 MB");
    worker().say(LOST);
    expect(workers).toHaveLength(1);
  });

  it("that does not respond is offered to be replaced", () => {
    const { store, session, workers, started } = running();
    vi.advanceTimersByTime(40_000);
    expect(store.getState().silence).toMatchObject({ answers: false });
    session.replaceWorker();
    expect(workers).toHaveLength(2);
    expect(started()).toMatchObject({ saved: checkpoint.bytes, paused: false });
    expect(store.getState()).toMatchObject({ silence: null, state: "loading" });
  });
});

describe("a run that the browser has kept", () => {
  it.each([
    ["finished", 0],
    ["paused", 0],
    ["running", 1],
  ] as const)("and was %s pauses %d others", (state, pauses) => {
    const onBegin = vi.fn();
    const { session } = setUp({ onBegin });
    const kept = { id: "k", state } as KeptRun;
    const resumed = { kept, raw: new RawRun(spec), log: new RunLog(), stored: 0 };
    session.resume({ ...resumed, release: () => {} });
    expect(onBegin).toHaveBeenCalledTimes(pauses);
  });
});

describe("a run that would be lost", () => {
  const ran = (told: Partial<SessionOptions> = {}) => {
    const set = running(20, told);
    vi.advanceTimersByTime(11_000);
    return set;
  };

  it("is asked about once, and kept or dropped as the reader decides", () => {
    const { store, session, worker } = ran();
    expect(session.atRisk).toBe(true);
    session.reset();
    expect(store.getState()).toMatchObject({ leaving: "reset", stopping: false });
    session.decide(false);
    expect(store.getState()).toMatchObject({ leaving: null, stopping: false, state: "running" });
    session.reset();
    session.decide(true);
    expect(store.getState()).toMatchObject({ leaving: null, stopping: true });
    worker().say({ type: "state", state: "idle" });
    expect(store.getState().state).toBe("idle");
    expect(session.atRisk).toBe(false);
  });

  it("that is kept lets those behind it in the queue go on", () => {
    const onRefused = vi.fn();
    const { store, session, worker } = ran({ onRefused });
    session.reset();
    session.decide(false);
    expect(onRefused).not.toHaveBeenCalled();
    worker().say({ type: "state", state: "finished" });
    session.toggleRun();
    expect(store.getState().leaving).toBe("run");
    session.decide(false);
    expect(onRefused).toHaveBeenCalledTimes(1);
  });

  it("is stopped once, however often it is dropped meanwhile", () => {
    const { store, session, workers, worker } = running();
    session.reset();
    session.showImported(new RunLog());
    worker().say({ type: "state", state: "idle" });
    expect(store.getState()).toMatchObject({ state: "idle", stopping: false, engine: null });
    session.toggleRun();
    vi.advanceTimersByTime(60_000);
    // The limit of the first stop has closed no later run's worker.
    expect(workers.at(-1)!.closed).toBe(false);
    expect(store.getState().state).toBe("loading");
  });

  it("is asked about also when it has finished, before another one begins", () => {
    const { store, session, workers, worker } = ran();
    worker().say({ type: "state", state: "finished" });
    session.toggleRun();
    expect(store.getState().leaving).toBe("run");
    expect(workers[0]!.sent.filter(({ type }) => type === "start")).toHaveLength(1);
    session.decide(true);
    expect(workers[0]!.sent.filter(({ type }) => type === "start")).toHaveLength(2);
  });

  it("is none that ran under ten seconds, or was paused meanwhile", () => {
    const { session, worker } = running();
    vi.advanceTimersByTime(9000);
    worker().say({ type: "state", state: "paused" });
    vi.advanceTimersByTime(60_000);
    expect(session.atRisk).toBe(false);
  });

  it("is none that has been saved since its last event", () => {
    const { store, session, worker } = ran();
    vi.advanceTimersByTime(300);
    const { log } = store.getState().view;
    noteSaved(log, log.version);
    expect(session.atRisk).toBe(false);
    worker().say(eventsMessage(events.slice(20, 21)));
    expect(session.atRisk).toBe(true);
  });
});
