/** Boards that take a good part of a second each: counted while they are made, and given up at once. */
import { expect, test } from "vitest";
import type { FromWorker } from "../../src/runtime/protocol.ts";
import { TrainingSession } from "../../src/runtime/session.ts";
import type { PartialSpec } from "../../src/spec/experiment.ts";
import { loadAsset, tinySpec, wasmEngine } from "../train/support.ts";

/** The largest that a spec can name. */
const LARGE = { kind: "sokoban", rows: 16, columns: 16, boxes: 6, searchDepth: 300 };

function session() {
  const phases = new Map<string, number[]>();
  let noted = () => {};
  const training = new TrainingSession({
    post: (message: FromWorker) => {
      if (message.type !== "progress") return;
      const { phase, done, total } = message.progress;
      phases.set(phase, [...(phases.get(phase) ?? []), done, total]);
      noted();
    },
    openEngine: async () => {
      const engine = { ...(await wasmEngine()), dispose: () => undefined };
      return { engine, report: { ...engine.info, fallback: null } };
    },
    loadAsset,
    now: () => performance.now(),
    rest: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  /** Resolves once a phase has counted beyond its start. */
  const counting = (test: (phase: string, done: number) => boolean) =>
    new Promise<void>((resolve) => {
      noted = () => {
        for (const [phase, counts] of phases) if (test(phase, counts.at(-2)!)) resolve();
      };
    });
  return { training, phases, counting };
}

/** Milliseconds of this process's processor time that stopping takes; waiting for others is not counted. */
async function stopped(training: TrainingSession): Promise<number> {
  const before = process.cpuUsage();
  await training.receive({ type: "stop" });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const specOf = (changes: PartialSpec = {}) =>
  tinySpec({
    environment: LARGE,
    model: { preset: "nano", warmStart: "none" },
    evaluation: { levels: 256, every: 1 },
    ...changes,
  });

test("test levels are counted while they are made, and stop within 200 ms", async () => {
  const { training, phases, counting } = session();
  const started = counting((phase, done) => phase === "making test levels" && done > 0);
  await training.receive({ type: "start", spec: specOf(), paused: false });
  await started;
  expect(await stopped(training)).toBeLessThan(200);
  expect(phases.get("making test levels")!.slice(0, 2)).toEqual([0, 256]);
});

test("so are the levels of an iteration", async () => {
  const { training, counting } = session();
  const started = counting((phase) => /iteration 1: making levels \d+ \/ 64$/.test(phase));
  const optimisation = { iterations: 1, tasksPerIteration: 64, groupSize: 2, minibatch: 4 };
  const spec = specOf({
    evaluation: { levels: 0, every: 1 },
    algorithms: [{ name: "grpo", set: {} }],
    optimisation,
  });
  await training.receive({ type: "start", spec, paused: false });
  await started;
  expect(await stopped(training)).toBeLessThan(200);
});

test.each(["making levels to clone", "solving levels to clone"])("so does %s", async (what) => {
  const { training, counting } = session();
  const started = counting((phase) => phase === what);
  // The expert is slow where a board is made at once.
  const making = what.startsWith("making");
  const environment = { ...LARGE, rows: 8, columns: 8, boxes: making ? 2 : 4, searchDepth: 100 };
  const clone = { levels: making ? 100_000 : 20, steps: 1, batch: 4, lr: 0.001 };
  const model = { preset: "nano", warmStart: "clone" };
  const evaluation = { levels: 4, every: 1 };
  const spec = specOf({ model, environment, clone, evaluation });
  await training.receive({ type: "start", spec, paused: false });
  await started;
  expect(await stopped(training)).toBeLessThan(200);
});
