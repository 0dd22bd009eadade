import { beforeAll, describe, expect, test } from "vitest";
import { classPresetNames } from "../../src/spec/presets.ts";
import { EngineError } from "../../src/engine/errors.ts";
import { createTfjsEngine } from "../../src/engine/tfjs/createTfjsEngine.ts";
import { createWasmEngine } from "../../src/engine/wasm/createWasmEngine.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";
import type { Open } from "../../src/runtime/engineChoice.ts";
import { Machine, type MachineHost } from "../../src/runtime/machine.ts";
import { browserName, gpuFacts, gpuTraits, hostFacts } from "../../src/runtime/machineFacts.ts";
import {
  FORWARD_SHARE,
  iterationSeconds,
  trainRate,
  type MachineReport,
} from "../../src/runtime/machineReport.ts";
import { trusting } from "./trusting.ts";

/** No WebGPU, and tfjs's wasm backend acts as one that does not start. */
const open: Open = async (backend, name) => {
  if (backend === "webgpu") throw new EngineError("no-adapter", "this browser offers no WebGPU");
  if (name === "wasm") return createWasmEngine(nodeKernels());
  if (backend === "cpu") return createTfjsEngine({ backend });
  throw new EngineError("backend-failed", "no SIMD; use the cpu backend");
};

/** Milliseconds that this process has computed: those in which others have the processor do not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function machine(changes: Partial<MachineHost> = {}) {
  const told: MachineReport[] = [];
  const worker = new Machine({
    post: (report) => void told.push(report),
    open,
    trusted: trusting({ store: null }).trusted,
    hostFacts: () => hostFacts({ userAgent: "Chrome/142.0", hardwareConcurrency: 2 }),
    gpuFacts: () => gpuFacts(undefined),
    now: processorTime,
    rest: () => new Promise((resolve) => setTimeout(resolve, 0)),
    ...changes,
  });
  return { worker, told, last: () => told.at(-1)! };
}

describe("a machine without WebGPU", () => {
  // Each look at this clock takes 10 ms: a busy machine has no less time than another.
  let clock = 0;
  const { worker, told, last } = machine({ now: () => (clock += 10) });
  beforeAll(async () => {
    await worker.examine(false);
  });

  test("says of every engine whether it runs and why not, and which one is taken", () => {
    const states = last().engines.map(({ name, backend, state }) => [name, backend, state]);
    expect(states).toEqual([
      ["webgpu", "webgpu", "absent"],
      ["wasm", "wasm", "ready"],
      ["tfjs", "webgpu", "absent"],
      ["tfjs", "wasm", "absent"],
      ["tfjs", "cpu", "referee"],
    ]);
    expect(last().engines[1]!.check!.items).toHaveLength(10);
    expect(last().engines[3]!.why).toBe("no SIMD");
    expect(last().choice).toEqual({
      ...{ name: "wasm", backend: "wasm" },
      fallback: "Not used: webgpu: this browser offers no WebGPU.",
    });
    expect(last()).toMatchObject({ state: "examined", doing: null });
    expect(told.map(({ doing }) => doing)).toContain("Checking WebAssembly");
  });

  test("measures each engine that runs, and says from that how long an iteration takes", async () => {
    await worker.measure(0.3);
    const { timings, expectations, state } = last();
    expect(state).toBe("measured");
    expect(timings.map(({ name, model }) => [name, model])).toEqual([
      ["wasm", "nano"],
      ["wasm", "micro"],
      ["wasm", "talker-nano"],
    ]);
    expect(last().unmeasured).toEqual([
      "TensorFlow.js in plain JavaScript: it is the reference for correctness, not for speed",
    ]);
    for (const { stepMs, decodeRate, bytes } of timings) {
      expect(stepMs).toBeGreaterThan(0);
      expect(decodeRate).toBeGreaterThan(0);
      expect(bytes).toBeGreaterThan(0);
    }
    const [nano, micro] = [timings[0]!, timings[1]!];
    expect(nano.bytes).toBeGreaterThan(4 * 4 * 100_000);
    for (const timing of [nano, micro]) expect(trainRate(timing)).toBeGreaterThan(0);
    const presets = expectations.map(({ preset }) => preset);
    // Ten seconds are too few for the larger one that speaks.
    expect(presets).toEqual(classPresetNames.filter((name) => name !== "talker"));
    expect(presets.slice(0, 3)).toEqual(["nano", "nano-fair", "sokoban-class"]);
    // A critic of its own.
    const talker = expectations.find(({ preset }) => preset === "talker-nano")!;
    expect(talker).toMatchObject({ turns: 320, answer: 24, networks: 2 });
    expect(talker.bytes).toBe(3 * 2 * timings[2]!.bytes);
    // 6 x 6 cells, turns and actions left, the state-end; 128 episodes of 5 turns.
    expect(expectations[0]).toMatchObject({ turns: 640, answer: 6, epochs: 2, methods: 3 });
    expect(expectations[0]!.query).toBeGreaterThanOrEqual(39);
    expect(expectations[0]!.query).toBeLessThan(45);
    expect(expectations[0]!.bytes).toBe(3 * nano.bytes);
  });
});

test("an engine with wrong numbers is refused in the table too", async () => {
  const faulty: Open = async (backend, name) => {
    const engine = await open(backend, name);
    if (name !== "wasm") return engine;
    const createModel: typeof engine.createModel = async (config, weights, head) => {
      weights.get("model.norm.weight")!.data.fill(0.9);
      return engine.createModel(config, weights, head);
    };
    return { ...engine, createModel };
  };
  const { worker, last } = machine({ open: faulty });
  await worker.examine(false);
  expect(last().engines[1]).toMatchObject({ state: "refused" });
  expect(last().engines[1]!.why).toContain("failed the self-check");
  expect(last().choice).toMatchObject({ name: "tfjs", backend: "cpu" });
  expect(last().choice!.fallback).toContain("wasm: the wasm engine on wasm");
});

test("an engine that breaks in its check is started afresh at the next look", async () => {
  let opened = 0;
  const breaking: Open = async (backend, name) => {
    const engine = await open(backend, name);
    if (name !== "wasm" || opened++ > 0) return engine;
    const createModel = () => Promise.reject(new EngineError("device-lost", "the device was lost"));
    return { ...engine, createModel };
  };
  const { worker, last } = machine({ open: breaking });
  await worker.examine(false);
  expect(last().engines[1]).toMatchObject({ state: "absent", why: "the device was lost" });
  await worker.examine(false);
  expect(last().engines[1]).toMatchObject({ state: "ready", why: null });
});

test("seconds of an iteration: decoding, one forward pass, E epochs", () => {
  const work = { turns: 100, query: 40, answer: 6, epochs: 2 };
  // 600 sampled tokens at 600/s, 4600 tokens at 4600/s through a forward and two epochs.
  expect(iterationSeconds(work, 600, 4600)).toBeCloseTo(1 + FORWARD_SHARE + 2, 10);
  const two = { ...work, networks: 2 };
  expect(iterationSeconds(two, 600, 4600)).toBeCloseTo(1 + 2 * (FORWARD_SHARE + 2), 10);
});

test("browsers are named by their most telling word", () => {
  const chrome = "Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";
  expect(browserName(chrome)).toBe("Chrome 142");
  expect(browserName(`${chrome} Edg/142.0`)).toBe("Edge 142");
  expect(browserName("Mozilla/5.0 (X11; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe(
    "Firefox 140",
  );
  expect(browserName("Mozilla/5.0 (Mac) AppleWebKit/605 Version/26.1 Safari/605")).toBe(
    "Safari 26",
  );
  expect(browserName("curl")).toBe("unknown browser");
});

test("an adapter is told with its features and limits", async () => {
  const adapter = {
    info: { vendor: "google", architecture: "swiftshader" },
    features: new Set(["subgroups", "bgra8unorm-storage"]),
    limits: { maxBufferSize: 1024 },
  };
  const gpu = { requestAdapter: async () => adapter } as unknown as GPU;
  const facts = await gpuFacts(gpu);
  expect(facts).toMatchObject({
    ...{ adapter: "google swiftshader (software)", software: true, features: ["subgroups"] },
  });
  expect(facts.limits[0]).toEqual({ name: "maxBufferSize", value: 1024 });
  expect((await gpuFacts(undefined)).why).toBe("This browser offers no WebGPU.");
});

test("another driver's features and limits are other traits", async () => {
  // As in a browser, where the facts are on the prototype.
  const told = (entries: object) => Object.create(entries) as object;
  const adapter = (limits: object, ...features: string[]) => ({
    info: told({ vendor: "google" }),
    features: new Set(features),
    limits: told(limits),
  });
  const traits = (of: object) =>
    gpuTraits({ requestAdapter: async () => of } as unknown as GPU | undefined);
  const before = await traits(adapter({ maxBufferSize: 1024 }, "subgroups", "timestamp-query"));
  expect(before).toBe('["subgroups","timestamp-query","vendor google","maxBufferSize 1024"]');
  expect(await traits(adapter({ maxBufferSize: 1024 }, "timestamp-query", "subgroups"))).toBe(
    before,
  );
  expect(await traits(adapter({ maxBufferSize: 2048 }, "subgroups", "timestamp-query"))).not.toBe(
    before,
  );
  expect(await gpuTraits(undefined)).toBe("");
});
