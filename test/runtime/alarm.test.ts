import { expect, test } from "vitest";
import type { FromWorker } from "../../src/runtime/protocol.ts";
import { TrainingSession } from "../../src/runtime/session.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { loadAsset, tinySpec, wasmEngine } from "../train/support.ts";

test("the page's run pauses at a collapse, says why, hands over the checkpoint before the fall, and goes on when told to", async () => {
  const heard: FromWorker[] = [];
  let wake: () => void = () => undefined;
  const training = new TrainingSession({
    post: (message) => {
      heard.push(structuredClone(message));
      wake();
    },
    openEngine: async () => {
      const engine = { ...(await wasmEngine()), dispose: () => undefined };
      return { engine, report: { ...engine.info, fallback: null } };
    },
    loadAsset,
    now: () => performance.now(),
    rest: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  const state = async (wanted: string) => {
    const isIt = (message: FromWorker) => message.type === "state" && message.state === wanted;
    while (!heard.some(isIt)) await new Promise<void>((resolve) => (wake = resolve));
  };
  const spec = tinySpec({
    algorithms: [{ name: "grpo", set: {} }],
    optimisation: {
      ...{ iterations: 7, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
      ...{ actorLr: 1e-4, actorLrWarmup: 0 },
    },
    schedule: { from: 5, actorLr: 0.05 },
    evaluation: { levels: 0 },
    doctor: { pause: true, keepEvery: 2, crossScoreEvery: 0 },
  });
  await training.receive({ type: "start", spec, paused: false });
  await state("paused");
  const alarm = heard.find(
    (message): message is Extract<FromWorker, { type: "alarm" }> => message.type === "alarm",
  )!;
  expect(alarm.message).toContain(alarm.finding.title);
  expect(alarm.action).toContain("The checkpoint after iteration 4 is kept.");
  expect((await decodeCheckpoint(alarm.beforeFall!)).position.iteration).toBe(5);
  const events = heard.flatMap((message) => (message.type === "events" ? message.events : []));
  expect(events.at(-1)).toMatchObject({ type: "finding", detector: alarm.finding.detector });
  // Each time it is told to go on it does, to the next collapse or to the end.
  while (!heard.some((message) => message.type === "state" && message.state === "finished")) {
    const paused = heard.findLast((message) => message.type === "state");
    if (paused?.type === "state" && paused.state === "paused")
      await training.receive({ type: "resume" });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
