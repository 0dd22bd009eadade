/** Which engines Node lets pass, and that others are disposed of. */
import { expect, test } from "vitest";
import { checked } from "../../src/cli/engine.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { EngineError } from "../../src/engine/errors.ts";
import { createWasmEngine } from "../../src/engine/wasm/createWasmEngine.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";

/** The wasm engine under another name, changed; `disposed` tells how often it was. */
async function card(adapter: string, change: (healthy: Engine) => Partial<Engine>) {
  const healthy = await createWasmEngine(nodeKernels());
  let count = 0;
  const engine: Engine = {
    ...healthy,
    info: { engine: "webgpu", backend: "webgpu", adapter, reproducible: "device" },
    dispose: () => void count++,
    ...change(healthy),
  };
  return { engine, disposed: () => count };
}

test("an engine that fails in the check is disposed of, and the next one is checked again", async () => {
  const lost = new EngineError("device-lost", "the graphics device was lost");
  const broken = await card("a card", () => ({ createModel: () => Promise.reject(lost) }));
  await expect(checked(broken.engine)).rejects.toBe(lost);
  expect(broken.disposed()).toBe(1);
  const mended = await card("a card", () => ({}));
  expect(await checked(mended.engine)).toBe(mended.engine);
  expect(mended.disposed()).toBe(0);
});

test("wrong numbers are remembered: the next engine on such a card is refused at once", async () => {
  const wrong = await card("a wrong card", (healthy) => ({
    createModel: async (config, weights, head) => {
      weights.get("model.norm.weight")!.data.fill(0.9);
      return healthy.createModel(config, weights, head);
    },
  }));
  await expect(checked(wrong.engine)).rejects.toMatchObject({ kind: "wrong-numbers" });
  const unused = await card("a wrong card", () => ({
    createModel: () => Promise.reject(new Error("not expected")),
  }));
  await expect(checked(unused.engine)).rejects.toMatchObject({ kind: "wrong-numbers" });
  expect([wrong.disposed(), unused.disposed()]).toEqual([1, 1]);
});
