/** Whole training runs on the WebGPU engine: one fingerprint for one spec on one device, and a seed changes it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Engine } from "../../../src/engine/engine.ts";
import { createWebGpuEngine } from "../../../src/engine/webgpu/createWebGpuEngine.ts";
import { provideWebGpu } from "../../../src/engine/tfjs/node.ts";
import type { RunEvent } from "../../../src/record/runEvent.ts";
import { Experiment } from "../../../src/train/experiment.ts";
import { loadAsset, ofType, runToEnd, tinySpec } from "../../train/support.ts";

let engine: Engine;
beforeAll(async () => {
  await provideWebGpu();
  engine = await createWebGpuEngine();
});
afterAll(() => engine.dispose());

async function run(seed: number, on: Engine): Promise<{ events: RunEvent[]; fingerprint: string }> {
  const spec = tinySpec({
    seed,
    engine: { name: "webgpu" },
    algorithms: [{ name: "turn-ppo", set: {} }],
    evaluation: { levels: 0 },
    // A software adapter takes seconds a turn.
    environment: { maxTurns: 2 },
    optimisation: { iterations: 2, tasksPerIteration: 1, groupSize: 4, minibatch: 4, epochs: 1 },
    recordEpisodes: 4,
  });
  const experiment = await Experiment.open(spec, { engine: on, loadAsset });
  const events = await runToEnd(experiment);
  experiment.dispose();
  return { events, fingerprint: experiment.fingerprint };
}

const dispatchesOf = (events: RunEvent[]) =>
  ofType(events, "iteration").map(({ time }) => time["dispatches"]);

test("the same spec gives the same fingerprint, on a second engine too", async () => {
  const first = await run(5, engine);
  expect(first.events.filter(({ type }) => type === "iteration")).toHaveLength(2);
  expect(first.events.some(({ type }) => type === "crash")).toBe(false);
  const other = await createWebGpuEngine();
  const again = await run(5, other);
  expect(again.fingerprint).toBe(first.fingerprint);
  // What each iteration asks of the graphics card is told exactly, and is the same too.
  const counts = dispatchesOf(first.events);
  expect(counts.every((count) => Number(count) > 100)).toBe(true);
  expect(dispatchesOf(again.events)).toEqual(counts);
  other.dispose();
  expect((await run(6, engine)).fingerprint).not.toBe(first.fingerprint);
});
