import { expect, test } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import { EngineError } from "../../src/engine/errors.ts";
import { describeError } from "../../src/runtime/errors.ts";
import type { FromWorker } from "../../src/runtime/protocol.ts";
import { TrainingSession } from "../../src/runtime/session.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { loadAsset, runSpec, tinySpec, wasmEngine } from "../train/support.ts";

type Report = Extract<FromWorker, { type: "engine" }>["report"];

/** A session on the shared wasm engine, which it must not take down. */
function session(open?: (spec: ExperimentSpec) => Promise<{ engine: Engine; report: Report }>) {
  const heard: FromWorker[] = [];
  const waiting: { test: (message: FromWorker) => boolean; resolve: () => void }[] = [];
  const shared = async () => {
    const engine = { ...(await wasmEngine()), dispose: () => undefined };
    return { engine, report: { ...engine.info, fallback: null } };
  };
  const training = new TrainingSession({
    post: (message) => {
      heard.push(structuredClone(message));
      waiting.filter(({ test }) => test(message)).forEach(({ resolve }) => resolve());
    },
    openEngine: open ?? shared,
    loadAsset,
    now: () => performance.now(),
    rest: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  /** Resolves with the first message from now on that passes. */
  const next = (test: (message: FromWorker) => boolean) =>
    new Promise<void>((resolve) => waiting.push({ test, resolve }));
  return { training, heard, next };
}

const isState = (state: string) => (message: FromWorker) =>
  message.type === "state" && message.state === state;
const iterations = (heard: FromWorker[]) =>
  heard.flatMap((message) =>
    message.type === "events" ? message.events.filter(({ type }) => type === "iteration") : [],
  );

test("a run goes from loading to finished and ends with the fingerprint of the command line's run", async () => {
  const { training, heard, next } = session();
  const finished = next(isState("finished"));
  await training.receive({ type: "start", spec: tinySpec(), paused: false });
  await finished;
  const states = heard.flatMap((message) => (message.type === "state" ? [message.state] : []));
  expect(states).toEqual(["loading", "running", "finished"]);
  const { fingerprint } = await runSpec(tinySpec());
  expect(heard).toContainEqual({ type: "fingerprint", fingerprint });
  expect(heard.some(({ type }) => type === "progress")).toBe(true);
});

test("step does one iteration of every algorithm and pauses", async () => {
  const { training, heard, next } = session();
  let paused = next(isState("paused"));
  await training.receive({ type: "start", spec: tinySpec(), paused: true });
  await paused;
  expect(iterations(heard)).toHaveLength(0);
  paused = next(isState("paused"));
  await training.receive({ type: "step" });
  await paused;
  expect(iterations(heard)).toHaveLength(3);
  // Said with the pause, because nothing more is said until it ends.
  const progress = heard.findLast(({ type }) => type === "progress");
  expect(progress).toMatchObject({ progress: { done: 3, total: 6 } });
  const finished = next(isState("finished"));
  await training.receive({ type: "step" });
  await finished;
  expect(iterations(heard)).toHaveLength(6);
});

test("pause holds at a step boundary; resume goes on to the same fingerprint", async () => {
  const { training, heard, next } = session();
  const running = next(isState("running"));
  await training.receive({ type: "start", spec: tinySpec(), paused: false });
  await running;
  await training.receive({ type: "pause" });
  const before = iterations(heard).length;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(iterations(heard).length).toBe(before);
  const finished = next(isState("finished"));
  await training.receive({ type: "resume" });
  await finished;
  const { fingerprint } = await runSpec(tinySpec());
  expect(heard).toContainEqual({ type: "fingerprint", fingerprint });
});

test("stop drops the run in the middle, and another can start", async () => {
  const { training, heard, next } = session();
  const first = next((message) => message.type === "events");
  await training.receive({ type: "start", spec: tinySpec(), paused: false });
  await first;
  await training.receive({ type: "stop" });
  expect(heard.at(-1)).toEqual({ type: "state", state: "idle" });
  const count = heard.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(heard).toHaveLength(count);
  const finished = next(isState("finished"));
  await training.receive({ type: "start", spec: tinySpec(), paused: false });
  await finished;
});

test("a start while another run goes on replaces it", async () => {
  const { training, heard, next } = session();
  await training.receive({ type: "start", spec: tinySpec({ seed: 5 }), paused: false });
  const finished = next(isState("finished"));
  await training.receive({ type: "start", spec: tinySpec(), paused: false });
  await finished;
  const { fingerprint } = await runSpec(tinySpec());
  expect(heard.filter(({ type }) => type === "fingerprint")).toEqual([
    { type: "fingerprint", fingerprint },
  ]);
});

test("a bad spec and a missing adapter are errors as values, with what to do next", async () => {
  const bad = session();
  let failed = bad.next(isState("failed"));
  const spec = { ...tinySpec(), seed: -1 };
  await bad.training.receive({ type: "start", spec, paused: false });
  await failed;
  expect(bad.heard).toContainEqual({
    type: "error",
    kind: "input",
    message: `seed is -1; it must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
    action: "Change the field and run again.",
    retry: false,
  });
  const none = session(() =>
    Promise.reject(new EngineError("no-adapter", "WebGPU found no graphics adapter")),
  );
  failed = none.next(isState("failed"));
  await none.training.receive({ type: "start", spec: tinySpec(), paused: false });
  await failed;
  expect(none.heard.find(({ type }) => type === "error")).toMatchObject({ kind: "environment" });
});

test("what to do next fits the engine that failed, by itself chosen or asked for", async () => {
  const error = () => new EngineError("backend-failed", "a worker of the engine has stopped");
  const actionOf = async (engine: object, open: Parameters<typeof session>[0]) => {
    const { training, heard, next } = session(open);
    const failed = next(isState("failed"));
    await training.receive({ type: "start", spec: tinySpec({ engine }), paused: false });
    await failed;
    return heard.find((message) => message.type === "error")!.action;
  };
  const dying = async () => {
    const healthy = await wasmEngine();
    const createModel = () => Promise.reject(error());
    const engine = { ...healthy, createModel, dispose: () => undefined };
    return { engine, report: { ...engine.info, fallback: null } };
  };
  const ofWasm = describeError(error(), "wasm").action;
  expect(await actionOf({ name: "auto", backend: "auto" }, dying)).toBe(ofWasm);
  const closed = () => Promise.reject(error());
  expect(await actionOf({ name: "wasm", backend: "auto" }, closed)).toBe(ofWasm);
  const ofWebgpu = describeError(error(), "webgpu").action;
  expect(await actionOf({ name: "auto", backend: "webgpu" }, closed)).toBe(ofWebgpu);
});
