import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FromWorker, ToWorker } from "../../src/runtime/protocol.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { dropRun, runShelf } from "../../src/store/runs.ts";
import { openDraft } from "../../src/store/specDraft.ts";
import { createSession } from "../../src/store/session.ts";
import { eventsMessage, syntheticRun } from "../fixtures/syntheticRun.ts";

const spec = presetSpec("nano");
const events = syntheticRun(spec);

/** A worker that does nothing but remember; the test speaks for it. */
function setUp() {
  const workers: { sent: ToWorker[]; closed: boolean; say: (message: FromWorker) => void }[] = [];
  const store = createExperimentStore(spec);
  const session = createSession(store, {
    connect: (listener) => {
      const worker = { sent: [] as ToWorker[], closed: false, say: listener };
      workers.push(worker);
      return {
        send: (message) => worker.sent.push(message),
        close: () => void (worker.closed = true),
      };
    },
  });
  const worker = () => workers.at(-1)!;
  const types = () => worker().sent.map(({ type }) => type);
  return { store, session, workers, worker, types };
}

beforeEach(() => {
  vi.useFakeTimers();
  // What another file's tests kept.
  runShelf.setState({ runs: [] });
});
afterEach(() => void vi.useRealTimers());

describe("the run button", () => {
  it("starts, pauses and goes on", () => {
    const { store, session, worker, types } = setUp();
    session.toggleRun();
    expect(types()).toEqual(["pace", "start"]);
    expect(store.getState().state).toBe("loading");
    session.toggleRun();
    expect(types()).toEqual(["pace", "start"]);
    worker().say({ type: "state", state: "running" });
    session.toggleRun();
    worker().say({ type: "state", state: "paused" });
    session.toggleRun();
    expect(types().slice(2)).toEqual(["pause", "resume"]);
  });

  it("takes a new worker after a failure", () => {
    const { session, workers, worker } = setUp();
    session.toggleRun();
    worker().say({ type: "state", state: "failed" });
    session.toggleRun();
    expect(workers).toHaveLength(2);
    expect(workers[0]!.closed).toBe(true);
    expect(workers[1]!.sent.map(({ type }) => type)).toEqual(["pace", "start"]);
  });
});

describe("step", () => {
  it("starts paused and plays one iteration, then one more", () => {
    const { session, worker, types } = setUp();
    session.step();
    expect(worker().sent[1]).toMatchObject({ type: "start", paused: true });
    worker().say({ type: "state", state: "paused" });
    session.step();
    expect(types()).toEqual(["pace", "start", "step", "step"]);
  });
});

describe("commits", () => {
  it("come at most four times a second, and none is lost", () => {
    const { store, session, worker } = setUp();
    session.toggleRun();
    worker().say({ type: "state", state: "running" });
    let commits = 0;
    store.subscribe(() => void commits++);
    for (const event of events) {
      worker().say(eventsMessage([event]));
      vi.advanceTimersByTime(10);
    }
    const seconds = (events.length * 10) / 1000;
    expect(commits).toBeGreaterThan(1);
    expect(commits).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 1);
    vi.advanceTimersByTime(250);
    expect(store.getState().view.version).toBe(events.length);
  });

  it("keep the recorded run on screen until the live one has an iteration", () => {
    const { store, session, worker } = setUp();
    const recorded = new RunLog();
    for (const event of events) recorded.append(event);
    session.showRecording(recorded);
    expect(store.getState().view.origin).toBe("recorded");
    session.toggleRun();
    const firstIteration = events.findIndex(({ type }) => type === "iteration");
    worker().say(eventsMessage(events.slice(0, firstIteration)));
    vi.advanceTimersByTime(300);
    expect(store.getState().view.origin).toBe("recorded");
    worker().say(eventsMessage([events[firstIteration]!]));
    vi.advanceTimersByTime(300);
    expect(store.getState().view.origin).toBe("live");
  });
});

describe("the recorded run", () => {
  it("is shown where the form is of its environment, and not elsewhere", () => {
    const { store, session } = setUp();
    const log = new RunLog();
    for (const event of events) log.append(event);
    session.showRecording(log);
    expect(store.getState().recorded?.log).toBe(log);
    store.setState({ draft: openDraft(presetSpec("webshop-class")) });
    expect(store.getState()).toMatchObject({ recorded: null, view: { origin: "none" } });
    store.setState({ draft: openDraft(presetSpec("sokoban-class")) });
    expect(store.getState().recorded?.log).toBe(log);
    expect(store.getState().view.origin).toBe("recorded");
  });
});

describe("a run that begins in place of an imported one", () => {
  it("keeps the imported one, and a reset shows it again", () => {
    const { store, session, worker } = setUp();
    const imported = new RunLog();
    for (const event of events) imported.append(event);
    session.showImported(imported, "mine.jsonl");
    expect(runShelf.getState().runs).toEqual([]);
    session.toggleRun();
    worker().say({ type: "state", state: "running" });
    worker().say(eventsMessage(events));
    vi.advanceTimersByTime(300);
    expect(store.getState().view.origin).toBe("live");
    const kept = { label: "mine.jsonl", origin: "imported", log: imported };
    expect(runShelf.getState().runs).toEqual([kept]);
    session.reset();
    worker().say({ type: "state", state: "idle" });
    expect(store.getState().view).toMatchObject({ origin: "imported", log: imported });
    dropRun(imported);
  });
});

describe("reset", () => {
  it("drops the run and ignores what the worker still says of it", () => {
    const { store, session, worker, types } = setUp();
    session.toggleRun();
    worker().say({ type: "state", state: "running" });
    worker().say(eventsMessage(events));
    session.reset();
    expect(types().at(-1)).toBe("stop");
    expect(store.getState().stopping).toBe(true);
    session.toggleRun();
    worker().say(eventsMessage(events));
    worker().say({ type: "fingerprint", fingerprint: "late" });
    worker().say({ type: "state", state: "idle" });
    vi.advanceTimersByTime(300);
    const { state, stopping, view, fingerprint, runSpec } = store.getState();
    expect({ state, stopping, origin: view.origin, fingerprint, runSpec }).toEqual({
      state: "idle",
      stopping: false,
      origin: "none",
      fingerprint: null,
      runSpec: null,
    });
    expect(types().filter((type) => type === "start")).toHaveLength(1);
  });

  it("ends a worker that does not answer", () => {
    const { store, session, workers, worker } = setUp();
    session.toggleRun();
    session.reset();
    vi.advanceTimersByTime(10_000);
    expect(worker().closed).toBe(true);
    expect(store.getState().state).toBe("idle");
    session.toggleRun();
    expect(workers).toHaveLength(2);
  });
});

describe("errors", () => {
  it("arrive as values and are gone with the next run", () => {
    const { store, session, worker } = setUp();
    session.toggleRun();
    worker().say({ type: "error", kind: "environment", message: "Lost.", action: "Retry." });
    worker().say({ type: "state", state: "failed" });
    expect(store.getState().problem).toEqual({
      kind: "environment",
      message: "Lost.",
      action: "Retry.",
    });
    session.toggleRun();
    expect(store.getState().problem).toBeNull();
  });
});
