import { expect, test } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { EngineError } from "../../src/engine/errors.ts";
import { describeError } from "../../src/runtime/errors.ts";
import type { FromWorker } from "../../src/runtime/protocol.ts";
import { Checkpoints } from "../../src/runtime/checkpoints.ts";
import { LARGEST_CHECKPOINT } from "../../src/runtime/limits.ts";
import type { Slots } from "../../src/runtime/keeping.ts";
import { TrainingSession } from "../../src/runtime/session.ts";
import type { Slot } from "../../src/runtime/shelf/slot.ts";
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import type { Experiment } from "../../src/train/experiment.ts";
import { loadAsset, runSpec, tinySpec as specOf, wasmEngine } from "../train/support.ts";

/** Two methods, so that an iteration has two steps. */
const tinySpec = (changes: PartialSpec = {}) =>
  specOf({ algorithms: ["grpo", "turn-ppo"].map((name) => ({ name, set: {} })), ...changes });

type Report = Extract<FromWorker, { type: "engine" }>["report"];

/** A session on the shared wasm engine, which it must not take down. */
function session(
  open?: (spec: ExperimentSpec) => Promise<{ engine: Engine; report: Report }>,
  slots?: Slots,
  now = () => performance.now(),
) {
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
    ...(slots && { openSlots: () => slots }),
    now,
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
  expect(iterations(heard)).toHaveLength(2);
  // Said with the pause, because nothing more is said until it ends.
  const progress = heard.findLast(({ type }) => type === "progress");
  expect(progress).toMatchObject({ progress: { done: 2, total: 4 } });
  const finished = next(isState("finished"));
  await training.receive({ type: "step" });
  await finished;
  expect(iterations(heard)).toHaveLength(4);
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

const checkpoints = (heard: FromWorker[]) =>
  heard.flatMap((message) => (message.type === "checkpoint" ? [message.checkpoint] : []));

test("a checkpoint comes after the first iteration; another worker continues from it to the same end", async () => {
  const spec = tinySpec({ optimisation: { ...tinySpec().optimisation, iterations: 3 } });
  const first = session();
  // One more comes before it, so that no warm start is done twice.
  const saved = first.next(
    ({ type }) => type === "checkpoint" && checkpoints(first.heard).length > 1,
  );
  await first.training.receive({ type: "start", spec, paused: false });
  await saved;
  await first.training.receive({ type: "stop" });
  const checkpoint = checkpoints(first.heard).at(-1);
  expect(checkpoint).toMatchObject({ iteration: 1 });
  const heardEvents = first.heard.flatMap((one) => (one.type === "events" ? one.events : []));
  const nextIteration = heardEvents.findIndex(
    (event) => "iteration" in event && event.iteration === 2,
  );
  expect(checkpoint!.events).toBe(nextIteration < 0 ? heardEvents.length : nextIteration);
  const second = session();
  const finished = second.next(isState("finished"));
  const message = { type: "start", spec, paused: false, saved: checkpoint!.bytes } as const;
  await second.training.receive(message);
  await finished;
  const { events, fingerprint } = await runSpec(spec);
  const told = second.heard.flatMap((one) => (one.type === "events" ? one.events : []));
  expect(told.map(({ chain }) => chain)).toEqual(
    events.slice(checkpoint!.events).map(({ chain }) => chain),
  );
  expect(second.heard).toContainEqual({ type: "fingerprint", fingerprint });
  // The end is saved too, so that a finished run is a whole one.
  expect(checkpoints(second.heard).at(-1)).toMatchObject({ iteration: 3, events: events.length });
});

test("a paused run is saved when it is asked for, and a ping is answered meanwhile", async () => {
  const { training, heard, next } = session();
  const paused = next(isState("paused"));
  await training.receive({ type: "start", spec: tinySpec(), paused: true });
  await paused;
  await training.receive({ type: "ping" });
  expect(heard).toContainEqual({ type: "pong" });
  const stepped = next(isState("paused"));
  await training.receive({ type: "step" });
  await stepped;
  // A pause saves what is new by itself.
  await expect.poll(() => checkpoints(heard).at(-1)?.iteration).toBe(1);
  const before = checkpoints(heard).length;
  const saved = next(({ type }) => type === "checkpoint");
  await training.receive({ type: "save" });
  await saved;
  expect(checkpoints(heard)).toHaveLength(before + 1);
  await training.receive({ type: "stop" });
});

test("a save that is asked for while another is served is served too", async () => {
  const { training, heard, next } = session();
  let paused = next(isState("paused"));
  await training.receive({ type: "start", spec: tinySpec(), paused: true });
  await paused;
  paused = next(isState("paused"));
  await training.receive({ type: "step" });
  await paused;
  const isCheckpoint = ({ type }: FromWorker) => type === "checkpoint";
  // So many microtasks after the one before: each may fall between serving and sleeping.
  for (let later = 0; later < 16; later++) {
    const first = next(isCheckpoint);
    await training.receive({ type: "save" });
    await first;
    for (let i = 0; i < later; i++) await Promise.resolve();
    const before = checkpoints(heard).length;
    await training.receive({ type: "save" });
    await expect.poll(() => checkpoints(heard).length).toBe(before + 1);
  }
  await training.receive({ type: "stop" });
});

test("saving takes under a tenth of the time where iterations are short", async () => {
  const host = { time: 0, sent: 0 };
  const keeper = new Checkpoints({ post: () => host.sent++, now: () => host.time });
  const cost = 20;
  const learners: never[] = [];
  const save = () => {
    host.time += cost;
    return Promise.resolve(new Uint8Array(8));
  };
  for (let iteration = 2; iteration < 2000; iteration++) {
    host.time += 30;
    const position = { iteration, next: 0, events: iteration };
    await keeper.offer({ learners, position, finished: false, save } as unknown as Experiment);
  }
  expect(host.sent).toBeGreaterThan(30);
  expect((host.sent * cost) / host.time).toBeLessThan(0.1);
});

test("every iteration is saved that takes ten saves, and a shorter one before the run rests", async () => {
  const host = { time: 0, sent: 0 };
  const keeper = new Checkpoints({ post: () => host.sent++, now: () => host.time });
  const save = () => {
    host.time += 20;
    return Promise.resolve(new Uint8Array(8));
  };
  const after = (iteration: number) => {
    const position = { iteration, next: 0, events: iteration };
    return { learners: [], position, finished: false, save } as unknown as Experiment;
  };
  for (let iteration = 1; iteration <= 20; iteration++) {
    await keeper.offer(after(iteration));
    host.time += 200;
  }
  expect(host.sent).toBe(20);
  host.time -= 199;
  await keeper.offer(after(21));
  expect(host.sent).toBe(20);
  await keeper.settle(after(21));
  await keeper.settle(after(21));
  expect(host.sent).toBe(21);
  // The first one is slow, and does not hold up the next.
  const cold = new Checkpoints({ post: () => host.sent++, now: () => host.time });
  await cold.offer({ ...after(1), save: () => ((host.time += 500), save()) } as Experiment);
  await cold.offer(after(2));
  expect(host.sent).toBe(23);
});

test("a kept run's worker keeps its checkpoints with the log by itself, until it is to forget it", async () => {
  const slots: Slot[] = [];
  const write = async (slot: Slot) => slots.push(structuredClone(slot)) > 0;
  const { training, heard, next } = session(undefined, { write });
  let paused = next(isState("paused"));
  await training.receive({ type: "start", spec: tinySpec(), paused: true, keep: "k3x9" });
  await paused;
  paused = next(isState("paused"));
  await training.receive({ type: "step" });
  await paused;
  await expect.poll(() => checkpoints(heard).at(-1)?.iteration).toBe(1);
  const { checkpoint, tail } = slots.at(-1)!;
  expect(checkpoints(heard).at(-1)).toEqual({ ...checkpoint, inFile: true });
  // The page has said of nothing that it is kept.
  const lines = heard.flatMap((one) => (one.type === "events" ? [Buffer.from(one.lines)] : []));
  expect(Buffer.from(tail.bytes).equals(Buffer.concat(lines))).toBe(true);
  expect(tail.events).toBe(checkpoint.events);
  await training.receive({ type: "kept", events: checkpoint.events });
  const count = slots.length;
  const saved = next(({ type }) => type === "checkpoint");
  await training.receive({ type: "save" });
  await saved;
  expect(slots.at(-1)!.tail.events).toBe(1);
  await training.receive({ type: "forget" });
  const alone = next(({ type }) => type === "checkpoint");
  await training.receive({ type: "save" });
  await alone;
  expect(slots).toHaveLength(count + 1);
  expect(checkpoints(heard).at(-1)!.inFile).toBeUndefined();
  await training.receive({ type: "stop" });
});

test("going on that is asked for while a pause is saved is heard", async () => {
  const resumed: number[] = [];
  // Only saving takes time: after two saves the next one waits for a pause.
  let clock = 0;
  const { training, heard, next } = session(
    undefined,
    {
      write: async () => {
        clock += 1000;
        const { state } = heard.findLast((one) => one.type === "state")!;
        if (state === "paused")
          resumed.push(await training.receive({ type: "resume" }).then(() => 1));
        return true;
      },
    },
    () => clock,
  );
  const spec = tinySpec();
  const finished = next(isState("finished"));
  let paused = next(isState("paused"));
  const longer = { ...spec, optimisation: { ...spec.optimisation, iterations: 5 } };
  await training.receive({ type: "start", spec: longer, paused: true, keep: "k3x9" });
  await paused;
  for (let steps = 0; resumed.length === 0 && steps < 4; steps++) {
    paused = next(isState("paused"));
    await training.receive({ type: "step" });
    await paused;
    // A busy machine takes its time to save.
    for (let waited = 0; resumed.length === 0 && waited < 2000; waited += 100)
      await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(resumed).toHaveLength(1);
  await finished;
  await training.receive({ type: "stop" });
});

test("a step that is asked for while the run before is still being saved is one of the next run", async () => {
  const saving: (() => void)[] = [];
  const { training, heard, next } = session(undefined, {
    write: () => new Promise((resolve) => saving.push(() => resolve(true))),
  });
  let paused = next(isState("paused"));
  await training.receive({ type: "start", spec: tinySpec(), paused: true, keep: "k3x9" });
  await paused;
  await training.receive({ type: "step" });
  // From now on that run is about to end, and the next one has not begun.
  await expect.poll(() => saving.length).toBeGreaterThan(0);
  const before = heard.length;
  void training.receive({ type: "start", spec: tinySpec({ seed: 5 }), paused: true });
  const stepped = training.receive({ type: "step" });
  await training.receive({ type: "ping" });
  expect(heard.slice(before)).toEqual([{ type: "pong" }]);
  saving.shift()!();
  await stepped;
  paused = next(isState("paused"));
  await paused;
  expect(iterations(heard.slice(before))).toHaveLength(2);
  await training.receive({ type: "stop" });
});

test("of two runs that begin at once the later one goes on, and a stop right behind them ends it", async () => {
  const { training, heard, next } = session();
  const finished = next(isState("finished"));
  await training.receive({ type: "start", spec: tinySpec(), paused: false });
  await finished;
  const before = heard.length;
  const again = next(isState("finished"));
  void training.receive({ type: "start", spec: tinySpec({ seed: 5 }), paused: false });
  void training.receive({ type: "start", spec: tinySpec({ seed: 6 }), paused: false });
  await again;
  const { fingerprint } = await runSpec(tinySpec({ seed: 6 }));
  const ends = heard.slice(before).filter(({ type }) => type === "fingerprint");
  expect(ends).toEqual([{ type: "fingerprint", fingerprint }]);
  void training.receive({ type: "start", spec: tinySpec({ seed: 7 }), paused: false });
  await training.receive({ type: "stop" });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(heard.at(-1)).toEqual({ type: "state", state: "idle" });
});

/** 100 layers of 4096: some 20 billion parameters. */
const LARGE: ModelConfig = {
  ...{ family: "qwen3", vocabSize: 1000, hiddenSize: 4096, layers: 100, heads: 32, kvHeads: 32 },
  ...{ headDim: 128, intermediateSize: 11008, ropeTheta: 1e4, rmsNormEps: 1e-6 },
  ...{ tieWordEmbeddings: true, attentionBias: false, maxPositions: 512 },
};

test("where there is no room for a checkpoint, that is said once and none is made", async () => {
  const posted: FromWorker[] = [];
  const keeper = new Checkpoints({ post: (message) => posted.push(message), now: () => 0 });
  const model = { config: LARGE, valueHead: null };
  const learner = { algorithm: { name: "grpo" }, actor: model };
  const save = () => Promise.reject(new Error("must not be called"));
  const position = { iteration: 2, next: 0, events: 5 };
  const experiment = { learners: [learner], position, finished: false, save };
  await keeper.offer(experiment as unknown as Experiment);
  await keeper.offer(experiment as unknown as Experiment);
  expect(posted).toHaveLength(1);
  expect(posted[0]).toMatchObject({ type: "noCheckpoint", most: LARGEST_CHECKPOINT });
});

test("a run that cannot fit in memory is refused before its models are made", async () => {
  const heard: FromWorker[] = [];
  const engine = { ...(await wasmEngine()), dispose: () => undefined };
  const createModel = () => Promise.reject(new Error("a model was made"));
  const small = { bytes: 2 ** 20, name: "a worker's heap" };
  const training = new TrainingSession({
    post: (message) => void heard.push(message),
    openEngine: async () => ({
      engine: { ...engine, createModel },
      report: { ...engine.info, fallback: null },
    }),
    loadAsset,
    memory: { heap: small, total: { bytes: 2 ** 34, name: "" }, slot: 4, threads: 1 },
    now: () => performance.now(),
    rest: async () => undefined,
  });
  const optimisation = { tasksPerIteration: 4096, groupSize: 16, minibatch: 8 };
  await training.receive({ type: "start", spec: tinySpec({ optimisation }), paused: false });
  await expect.poll(() => heard.at(-1)).toEqual({ type: "state", state: "failed" });
  const error = heard.find((message) => message.type === "error");
  expect(error).toMatchObject({ kind: "input", retry: false });
  expect(error!.message).toMatch(/a worker's heap has 0\.0 GiB; a tasksPerIteration of at most/);
});
