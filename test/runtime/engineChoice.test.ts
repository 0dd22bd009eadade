import { describe, expect, test } from "vitest";
import type { Engine, EngineModel } from "../../src/engine/engine.ts";
import { EngineError } from "../../src/engine/errors.ts";
import { createWasmEngine } from "../../src/engine/wasm/createWasmEngine.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";
import { browserCheckStore } from "../../src/runtime/trust.ts";
import { openEngine, type Open } from "../../src/runtime/engineChoice.ts";
import { describeError } from "../../src/runtime/errors.ts";
import { tinySpec } from "../train/support.ts";
import { trusting } from "./trusting.ts";

type Backend = "webgpu" | "wasm" | "cpu";

const fake = (backend: Backend, adapter: string) =>
  ({
    info: { engine: "tfjs", backend, adapter, reproducible: "no" },
    dispose: () => undefined,
  }) as unknown as Engine;

const believe = async () => null;
const auto = tinySpec({ engine: { backend: "auto" } });

describe("the choice", () => {
  test("auto takes the best backend that starts, and says why not a better one", async () => {
    const noGpu: Open = async (backend) => {
      if (backend === "webgpu") throw new EngineError("no-adapter", "this browser has no WebGPU");
      return fake(backend, "SIMD");
    };
    expect((await openEngine(auto, believe, noGpu)).report).toMatchObject({
      backend: "wasm",
      fallback: "Not used: webgpu: this browser has no WebGPU.",
    });
    const software: Open = async (backend) => fake(backend, "SwiftShader (software)");
    expect((await openEngine(auto, believe, software)).report.backend).toBe("wasm");
    const hardware: Open = async (backend) => fake(backend, "a GPU");
    expect((await openEngine(auto, believe, hardware)).report).toMatchObject({
      backend: "webgpu",
      fallback: null,
    });
  });

  test("auto goes on whatever is wrong with the better one, and says each cause once", async () => {
    const asked: string[] = [];
    const open: Open = async (backend, name) => {
      asked.push(`${name} on ${backend}`);
      if (backend === "webgpu") throw new TypeError("GPUBufferUsage is not defined");
      if (backend === "wasm") throw new EngineError("no-adapter", "no SIMD; use the cpu backend");
      return fake(backend, "plain JavaScript");
    };
    expect((await openEngine(auto, believe, open)).report).toMatchObject({
      backend: "cpu",
      fallback: "Not used: webgpu: GPUBufferUsage is not defined; wasm: no SIMD.",
    });
    expect(asked).toEqual(["webgpu on webgpu", "wasm on wasm", "tfjs on wasm", "tfjs on cpu"]);
  });

  test("two causes on one backend are two pieces of news; with none left it says all", async () => {
    const open: Open = async (_backend, name) => {
      throw new EngineError("backend-failed", `${name} is ill`);
    };
    await expect(openEngine(auto, believe, open)).rejects.toThrow(
      "no backend starts here (webgpu: webgpu is ill; wasm: wasm is ill; tfjs on wasm: tfjs is ill; cpu: tfjs is ill)",
    );
  });

  test("a backend asked for by name is not replaced by another", async () => {
    const spec = tinySpec({ engine: { backend: "webgpu" } });
    const noGpu = () => Promise.reject(new EngineError("no-adapter", "no adapter"));
    await expect(openEngine(spec, believe, noGpu)).rejects.toThrow("no adapter");
    const software: Open = async () => fake("webgpu", "SwiftShader (software)");
    expect((await openEngine(spec, believe, software)).report.backend).toBe("webgpu");
  });

  test("a file of an engine that does not load is not an error of the program", async () => {
    const spec = tinySpec({ engine: { name: "wasm", backend: "auto" } });
    const offline: Open = () => Promise.reject(new TypeError("Failed to fetch"));
    const error = await openEngine(spec, believe, offline).catch((e: unknown) => e);
    const report = describeError(error, "wasm");
    expect(report).toMatchObject({
      kind: "environment",
      message: "The wasm engine on wasm did not start: Failed to fetch.",
    });
    expect(report.action).toContain("Press Reset, then Run");
  });
});

/** The wasm engine under another name, whose models give no gradient. */
async function deadGradients(engine: "webgpu" | "wasm"): Promise<Engine> {
  const healthy = await createWasmEngine(nodeKernels());
  const backward = () => Promise.resolve();
  return {
    ...healthy,
    info: { engine, backend: engine, adapter: "a faulty card", reproducible: "device" },
    createModel: async (...args) => {
      const model = await healthy.createModel(...args);
      return new Proxy(model, {
        get: (target, key: keyof EngineModel) => {
          const value: unknown = key === "backward" ? backward : target[key];
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
    },
  };
}

const openFaulty: Open = async (_backend, name) => {
  if (name === "webgpu") return deadGradients("webgpu");
  if (name === "wasm") return createWasmEngine(nodeKernels());
  throw new Error("not expected");
};

describe("the self-check at the start", () => {
  test("refuses an engine without gradients: auto takes the next one and says why", async () => {
    const { trusted } = trusting();
    const { engine, report } = await openEngine(auto, trusted.trust, openFaulty);
    expect(report).toMatchObject({ engine: "wasm", backend: "wasm", unchecked: null });
    expect(report.fallback).toMatch(
      /^Not used: webgpu: the webgpu engine on webgpu \(a faulty card\) failed the self-check .*gradients \(.*\) off by 1.0, 0.001 allowed, .*\.$/,
    );
    expect(report.fallback).not.toContain("use the wasm backend");
    engine.dispose();
  });

  test("is an error that names the way out where the engine was asked for by name", async () => {
    const { trusted } = trusting();
    const spec = tinySpec({ engine: { name: "webgpu", backend: "auto" } });
    const error = await openEngine(spec, trusted.trust, openFaulty).catch((e: unknown) => e);
    expect(error).toMatchObject({ kind: "wrong-numbers" });
    expect(String(error)).toContain("use the wasm backend");
    expect(describeError(error)).toMatchObject({ kind: "environment" });
  });

  test("runs once on a device, again for another build, browser or card", async () => {
    const { trusted, store, referees } = trusting();
    const engine = await createWasmEngine(nodeKernels());
    expect(await trusted.trust(engine)).toBeNull();
    expect(store.kept.size).toBe(1);
    const later = trusting({ store });
    expect(await later.trusted.trust(engine)).toBeNull();
    expect([referees(), later.referees()]).toEqual([1, 0]);
    const kept = (await later.trusted.kept(engine.info))!;
    expect(kept.check.items).toHaveLength(10);
    expect(Date.parse(kept.at)).toBeGreaterThan(0);
    for (const change of [{ build: "b2" }, { browser: "c2" }]) {
      const other = trusting({ store, ...change });
      await other.trusted.trust(engine);
      expect(other.referees()).toBe(1);
    }
    const card = trusting({ store });
    await card.trusted.trust({ ...engine, info: { ...engine.info, adapter: "another" } });
    expect(card.referees()).toBe(1);
    expect(store.kept.size).toBe(4);
  });

  test("does not store a refusal, and does not repeat it within one worker's life", async () => {
    const { trusted, store, referees } = trusting();
    const engine = await deadGradients("webgpu");
    await expect(trusted.trust(engine)).rejects.toThrow("failed the self-check");
    expect(store.kept.size).toBe(0);
    expect(referees()).toBe(1);
    await expect(trusted.trust(engine)).rejects.toThrow("failed the self-check");
    expect(referees()).toBe(1);
    expect((await trusted.check(await createWasmEngine(nodeKernels()))) as object).toMatchObject({
      passed: true,
    });
  });

  test("runs again for a driver that tells something else of itself, and after a month", async () => {
    const healthy = await createWasmEngine(nodeKernels());
    const card = { ...healthy, info: { ...healthy.info, backend: "webgpu", adapter: "a card" } };
    const { trusted, store } = trusting();
    await trusted.trust(card as Engine);
    const again = async (options: Parameters<typeof trusting>[0]) => {
      const later = trusting({ store, ...options });
      await later.trusted.trust(card as Engine);
      return later.referees();
    };
    const days = (n: number) => ({ now: () => Date.now() + n * 24 * 3600 * 1000 });
    expect(await again({})).toBe(0);
    expect(await again({ traits: async () => "t2" })).toBe(1);
    expect(await again(days(29))).toBe(0);
    expect(await again(days(31))).toBe(1);
    // A clock that was wrong then, or is now.
    expect(await again(days(-31))).toBe(1);
  });

  test("keeps beside it how fast the card has shown itself, for the next engine on it", async () => {
    const healthy = await createWasmEngine(nodeKernels());
    const expected: number[] = [];
    const info = { ...healthy.info, backend: "webgpu" as const, adapter: "a card" };
    const card = (shown: number | null): Engine => {
      const pace = { shown, expect: (speed: number) => void expected.push(speed) };
      return { ...healthy, info, pace };
    };
    const { trusted, store } = trusting();
    await trusted.trust(card(null));
    await trusted.keepSpeed(card(null)); // nothing has been shown
    const [first] = store.kept.values();
    expect(first!.speed).toBeUndefined();
    await trusted.keepSpeed(card(3e9));
    const [second] = store.kept.values();
    expect(second).toEqual({ ...first!, speed: 3e9 });
    const later = trusting({ store });
    expect(await later.trusted.trust(card(null))).toBeNull();
    expect(expected).toEqual([3e9]);
    await later.trusted.check(card(null)); // again
    await trusting({ store }).trusted.trust(card(null));
    expect(expected).toEqual([3e9, 3e9]);
  });

  test("keeps nothing of a check that another trouble ended: the next start may pass", async () => {
    const { trusted } = trusting();
    const healthy = await createWasmEngine(nodeKernels());
    let lost = true;
    const createModel: Engine["createModel"] = async (...args) => {
      if (lost) throw new EngineError("device-lost", "the graphics device was lost");
      return healthy.createModel(...args);
    };
    const engine = { ...healthy, createModel };
    await expect(trusted.trust(engine)).rejects.toMatchObject({ kind: "device-lost" });
    expect(await trusted.kept(engine.info)).toBeUndefined();
    lost = false;
    expect(await trusted.trust(engine)).toBeNull();
  });

  test("says so where the referee does not run", async () => {
    const openReferee = () => Promise.reject(new Error("no chunk"));
    const { trusted } = trusting({ openReferee });
    const { report } = await openEngine(auto, trusted.trust, openFaulty);
    expect(report.unchecked).toBe(
      "The engine's numbers could not be checked: the referee does not run here (no chunk).",
    );
  });

  test("works where the browser keeps nothing", async () => {
    // Node has no IndexedDB, which is one way of failing.
    const store = browserCheckStore();
    expect(await store.get("key")).toBeUndefined();
    const { trusted, referees } = trusting({ store });
    const engine = await createWasmEngine(nodeKernels());
    expect(await trusted.trust(engine)).toBeNull();
    expect(await trusted.trust(engine)).toBeNull();
    expect(referees()).toBe(1);
  });
});
