/** Plans are compiled once: a run whose batches vary in size and in what is wanted of them comes to rest. */
import { expect, test, vi } from "vitest";
import type { TokenRows } from "../../../src/engine/engine.ts";
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import { WasmExecutor } from "../../../src/engine/wasm/executor.ts";
import { nodeKernels } from "../../../src/engine/wasm/node.ts";
import { uniform } from "../../../src/numeric/rng.ts";
import { nano, nanoWeights } from "../support.ts";

const drawn = (stream: string, step: number) =>
  uniform({ seed: 1, stream, iteration: 0, trajectory: 0, step });

/** A batch of one sequence of 2 to 512 tokens, of which any share is wanted. */
function batch(step: number) {
  const L = 2 + Math.floor(510 * drawn("length", step));
  const wanted = 1 + Math.floor((L - 1) * drawn("wanted", step));
  const ids = Int32Array.from({ length: L }, (_, t) => (step + 7 * t) % 50);
  const rows: TokenRows = {
    ...{ B: 1, L, ids, position: Int32Array.from(ids, (_, t) => t) },
    segment: new Int32Array(L),
  };
  return { rows, mask: Uint8Array.from(ids, (_, t) => (t >= L - wanted ? 1 : 0)) };
}

test("a varied run compiles each shape once", async () => {
  const executor = await WasmExecutor.create(nodeKernels());
  const compile = vi.spyOn(executor, "compile");
  const model = await createPlanEngine(executor).createModel(nano, nanoWeights(1), "none");
  const pass = async () => {
    for (let step = 0; step < 120; step++) {
      const { rows, mask } = batch(step);
      await model.forward({ rows, mask, temperature: 1 });
      const dLogprob = Float32Array.from(mask, (m) => -m / 100);
      await model.backward({ rows, temperature: 1, dLogprob });
    }
  };
  await pass();
  const plans = compile.mock.calls.length;
  expect(plans).toBeGreaterThan(100); // of which the first would be gone, were fewer kept
  await pass();
  expect(compile.mock.calls.length).toBe(plans);
  model.dispose();
});
