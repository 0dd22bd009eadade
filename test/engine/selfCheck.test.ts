/** Healthy engines pass the self-check; an engine with one broken kernel, dead gradients, NaN or no answer does not. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import { EngineError, NotFiniteError } from "../../src/engine/errors.ts";
import { createTfjsEngine } from "../../src/engine/tfjs/createTfjsEngine.ts";
import type { Executor, Runnable, Store } from "../../src/engine/plan/executor.ts";
import { kernelCases } from "../../src/engine/check/kernelCases.ts";
import { checkKernels, hasHalves } from "../../src/engine/check/kernelCheck.ts";
import { createPlanEngine } from "../../src/engine/plan/planEngine.ts";
import type { Plan } from "../../src/engine/plan/planner.ts";
import {
  refereeNumbers,
  refusalOf,
  selfCheck,
  type SelfCheck,
} from "../../src/engine/selfCheck.ts";
import { provideWebGpu } from "../../src/engine/tfjs/node.ts";
import { WasmExecutor } from "../../src/engine/wasm/executor.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";
import { createWebGpuEngine } from "../../src/engine/webgpu/createWebGpuEngine.ts";
import { openDevice } from "../../src/engine/webgpu/device.ts";
import { openEngine, type EngineName } from "./support.ts";
import { some } from "../every.ts";

let referee: Engine;
beforeAll(async () => {
  referee = await createTfjsEngine({ backend: "cpu" });
});

const ITEMS = [
  ...["logprob", "entropy", "value", "logits", "greedy tokens", "sampled tokens"],
  ...["sampler log-prob", "gradients", "gradient norm", "updated weights"],
];

const failedItems = ({ items }: SelfCheck) =>
  items.filter(({ passed }) => !passed).map(({ name }) => name);

const engines = ["plan wasm", "wasm", "plan webgpu", "webgpu"] as const;

// tfjs on WebGPU is no engine of a run by itself.
describe.each<EngineName>(some(engines, (name) => name !== "webgpu"))("%s", (name) => {
  test("passes, far inside what is allowed", async () => {
    const engine = await openEngine(name);
    const check = await selfCheck(engine, referee);
    expect(check.problem).toBeNull();
    expect(check.items.map((item) => item.name)).toEqual(ITEMS);
    for (const { name, deviation, allowed, milliseconds } of check.items) {
      expect(deviation, name).toBeLessThanOrEqual(allowed / 20);
      expect(milliseconds).toBeGreaterThan(0);
    }
    expect(check.passed).toBe(true);
    expect(refusalOf(check)).toBeNull();
    engine.dispose();
  });
});

/** An executor whose plans, answers or reads are changed on the way. */
type Change = Partial<Pick<Executor, "compile" | "readOutput" | "read">>;

/** The check of a wasm engine that is changed so, and the names of what the engine holds. */
async function breakWasm(change: (healthy: Executor) => Change) {
  const healthy = await WasmExecutor.create(nodeKernels());
  const stores = new Map<Store, string>();
  const changes: Record<string, unknown> = {
    createStore: (name: string, size: number) => {
      const store = healthy.createStore(name, size);
      stores.set(store, name);
      return store;
    },
    destroyStore: (store: Store) => {
      stores.delete(store);
      healthy.destroyStore(store);
    },
    ...change(healthy),
  };
  const executor = new Proxy<Executor>(healthy, {
    get(target, key) {
      const value: unknown = changes[key as string] ?? Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const check = selfCheck(createPlanEngine(executor), referee, { timeLimit: 2000 });
  return { check, held: () => [...stores.values()] };
}

/** The check's result; whatever it is, nothing of the checked model is held afterwards. */
async function broken(change: (healthy: Executor) => Change): Promise<SelfCheck> {
  const wasm = await breakWasm(change);
  const check = await wasm.check;
  expect(wasm.held()).toEqual([]);
  return check;
}

const without = (plan: Plan, op: string): Plan => ({
  ...plan,
  ops: plan.ops.filter((one) => one.op !== op),
});

/** Every operation of the plans that the check runs. */
async function usedOps(): Promise<string[]> {
  const seen = new Set<string>();
  const watch = (healthy: Executor): Change => ({
    compile: (plan, stores) => {
      plan.ops.forEach(({ op }) => seen.add(op));
      return healthy.compile(plan, stores);
    },
  });
  expect((await broken(watch)).passed).toBe(true);
  return [...seen];
}

describe("a broken engine", () => {
  test("is refused whichever single operation does nothing", async () => {
    const ops = await usedOps();
    expect(ops.length).toBeGreaterThanOrEqual(20);
    const unnoticed: string[] = [];
    for (const op of ops) {
      const check = await broken((healthy) => ({
        compile: (plan: Plan, stores: ReadonlyMap<string, Store>) =>
          healthy.compile(without(plan, op), stores),
      }));
      if (check.passed) unnoticed.push(op);
    }
    expect(unnoticed).toEqual([]);
  });

  test("whose gradients are zero says which tensor is off by 1", async () => {
    const check = await broken((healthy) => ({
      read: async (store: Store, offset: number, size: number) => {
        const data = await healthy.read(store, offset, size);
        return store.name === "grads" ? data.fill(0) : data;
      },
    }));
    expect(failedItems(check)).toEqual(["gradients"]);
    const refusal = refusalOf(check)!;
    expect(refusal.kind).toBe("wrong-numbers");
    expect(refusal.message).toMatch(
      /^the wasm engine on wasm .* failed the self-check against tfjs on cpu: gradients \(.*weight\) off by 1.0, 0.001 allowed; use the cpu backend$/,
    );
  });

  test("whose gradients are a thousandth part off is refused", async () => {
    const check = await broken((healthy) => ({
      read: async (store: Store, offset: number, size: number) => {
        const data = await healthy.read(store, offset, size);
        return store.name === "grads" ? data.map((x) => x * 1.002) : data;
      },
    }));
    expect(failedItems(check)).toEqual(["gradients"]);
  });

  test("whose largest products alone are wrong is refused, and the kernels are named", async () => {
    const executor = await WasmExecutor.create(nodeKernels());
    const compile = executor.compile.bind(executor);
    const large = (op: Plan["ops"][number]) => op.op === "matmul" && op.M > 512;
    executor.compile = (plan, stores) =>
      compile({ ...plan, ops: plan.ops.filter((op) => !large(op)) }, stores);
    const onWasm = kernelCases().filter(({ op }) => !hasHalves(op));
    const engine = {
      ...createPlanEngine(executor),
      checkKernels: (answered: () => void) => checkKernels(executor, answered, onWasm),
    };
    const check = await selfCheck(engine, referee);
    expect(failedItems(check)).toEqual(["single kernels"]);
    expect(refusalOf(check)!.message).toMatch(
      /single kernels \(matmul N\w.*, large(st)? tiles, out\)/,
    );
    executor.compile = compile;
    const healthy = await selfCheck(engine, referee);
    expect(failedItems(healthy)).toEqual([]);
    expect(healthy.items.at(-1)!.deviation).toBeLessThan(5e-6);
    engine.dispose();
  });

  test("has as long for each single kernel as for a part, not for all of them together", async () => {
    const executor = await WasmExecutor.create(nodeKernels());
    const plain = createPlanEngine(executor);
    const passed = (milliseconds: number) =>
      new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    const slowly = (pause: number) => async (answered: () => void) => {
      for (let i = 0; i < 6; i++) {
        await passed(pause);
        answered();
      }
      return new Map();
    };
    // All six take twice the time limit.
    const slow = { ...plain, checkKernels: slowly(400) };
    expect((await selfCheck(slow, referee, { timeLimit: 1200 })).passed).toBe(true);
    const stuck = { ...plain, checkKernels: slowly(1600) };
    await expect(selfCheck(stuck, referee, { timeLimit: 1200 })).rejects.toThrow(
      "no answer within 1.2 s",
    );
    plain.dispose();
  });

  test("whose numbers are not finite is refused as such", async () => {
    const check = await broken((healthy) => ({
      readOutput: async (runnable: Runnable) => (await healthy.readOutput(runnable)).fill(NaN),
    }));
    expect(failedItems(check)).toContain("logprob");
    expect(refusalOf(check)!.message).toContain("logprob are not finite");
  });

  test.each([
    ["webgpu", "a card", 30],
    ["webgpu", "swiftshader (software)", 150],
  ] as const)("on %s, %s, that hangs is given up after %i s", async (backend, adapter, seconds) => {
    const info = { engine: "webgpu", backend, adapter, reproducible: "no" } as const;
    const hanging = { info, createModel: () => new Promise(() => {}) } as unknown as Engine;
    await refereeNumbers(referee);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const failure = selfCheck(hanging, referee).catch(({ message }: Error) => message);
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    await expect(Promise.race([failure, "none yet"])).resolves.toBe("none yet");
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toContain(`no answer within ${seconds} s`);
  });

  test("that does not answer is given up after a while: nothing is known of its numbers", async () => {
    let answer = (_: Float32Array) => {};
    const late = new Promise<Float32Array>((resolve) => (answer = resolve));
    const wasm = await breakWasm(() => ({ readOutput: () => late }));
    await expect(wasm.check).rejects.toMatchObject({
      kind: "backend-failed",
      message:
        "the wasm engine on wasm (WebAssembly SIMD) did not finish the self-check: " +
        "no answer within 2 s; use the cpu backend",
    });
    expect(wasm.held()).toContain("params");
    // Once it does answer, its memory is free again.
    answer(new Float32Array(1e5));
    await expect.poll(() => wasm.held()).toEqual([]);
  });

  test.each([
    [new EngineError("device-lost", "the graphics device was lost"), "device-lost"],
    [new EngineError("out-of-memory", "2 GB are too much"), "out-of-memory"],
    [new TypeError("GPUMapMode is not defined"), "backend-failed"],
  ])("that fails with %s says that, and not that its numbers are wrong", async (error, kind) => {
    const wasm = await breakWasm(() => ({ read: () => Promise.reject(error) }));
    const thrown = await wasm.check.catch((e: unknown) => e);
    expect(thrown).toBeInstanceOf(EngineError);
    expect(thrown).toMatchObject({ kind, message: expect.stringContaining(error.message) });
    expect(wasm.held()).toEqual([]);
  });

  test("whose logits are not finite is refused by what it says itself", async () => {
    const message = "the logits are not finite (NaN)";
    const check = await broken(() => ({
      read: () => Promise.reject(new NotFiniteError(message)),
    }));
    expect(check).toMatchObject({ passed: false, problem: message });
    expect(refusalOf(check)!.message).toContain(`it stopped with: ${message}`);
  });
});

test("one WGSL kernel that computes something else is noticed", async () => {
  await provideWebGpu();
  const opened = await openDevice();
  const { device } = opened;
  const create = device.createShaderModule.bind(device);
  let changed = 0;
  device.createShaderModule = (descriptor) => {
    const { code, label = "" } = descriptor;
    const wrong = label === "adamw" ? code.replace(/sqrt\(/, "2.0 * sqrt(") : code;
    if (wrong !== code) changed++;
    return create({ ...descriptor, code: wrong });
  };
  const engine = await createWebGpuEngine({ device: opened });
  const check = await selfCheck(engine, referee);
  expect(changed).toBe(1);
  expect(failedItems(check)).toEqual(["updated weights"]);
  expect(refusalOf(check)!.message).toContain("use the wasm backend");
  engine.dispose();
  device.destroy();
});
