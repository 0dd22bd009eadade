/** A spec that cannot fit in memory is refused with the limit's name and what would fit. */
import { expect, test } from "vitest";
import { pageMemory } from "../../src/runtime/engineThreads.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { adaptedConfig, presetConfig } from "../../src/model/initModel.ts";
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import { presetNames, presetSpec, toSpec } from "../../src/spec/presets.ts";
import {
  checkMemory,
  expectedMemory,
  memorySentence,
  sizesOf,
  type MachineMemory,
  type TrainedModel,
} from "../../src/train/memoryNeeds.ts";

const GIB = 2 ** 30;
const SMALL: MachineMemory = {
  heap: { bytes: 2 * GIB, name: "the heap" },
  total: { bytes: 4 * GIB, name: "the memory" },
  slot: 8,
  threads: 2,
};
const huge = { tasksPerIteration: 4096, groupSize: 16, minibatch: 8 };
const long = { kind: "sokoban", rows: 16, columns: 16, boxes: 6, maxTurns: 50, maxActions: 200 };

function refusal(spec: ExperimentSpec, machine = SMALL, wasm = true): string {
  try {
    checkMemory(spec, machine, wasm);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

test("presets fit a small machine", () => {
  for (const name of presetNames) expect(refusal(presetSpec(name)), name).toBe("");
});

test("an iteration that its heap cannot hold is refused, and what would fit does", () => {
  const spec = toSpec({ preset: "nano", environment: long, optimisation: huge });
  const text = refusal(spec, SMALL, false);
  expect(text).toMatch(
    /^optimisation\.tasksPerIteration is 4096 and groupSize 16: 65536 episodes of 50 turns or more, \d+ tokens each, need at least [\d.]+ GiB, and the heap has 2\.0 GiB; a tasksPerIteration of at most \d+ would fit$/,
  );
  const most = Number(/at most (\d+)/.exec(text)![1]);
  const with_ = (tasksPerIteration: number) =>
    toSpec({ preset: "nano", environment: long, optimisation: { ...huge, tasksPerIteration } });
  expect(refusal(with_(most), SMALL, false)).toBe("");
  expect(refusal(with_(most + 1), SMALL, false)).not.toBe("");
});

test("so is a cache beyond a WebAssembly memory, on that engine alone", () => {
  const roomy = {
    ...SMALL,
    heap: { bytes: Infinity, name: "" },
    total: { bytes: Infinity, name: "" },
  };
  const sampling = { maxTokensPerTurn: 4096 };
  const spec = toSpec({ preset: "nano", sampling, optimisation: huge });
  expect(refusal(spec, roomy)).toContain("a WebAssembly memory has 4.0 GiB");
  expect(refusal(spec, roomy, false)).toBe("");
});

test("where no single task fits, a group is proposed", () => {
  const tiny = { ...SMALL, heap: { bytes: 2 ** 24, name: "the heap" } };
  const optimisation = { tasksPerIteration: 2, groupSize: 1024, minibatch: 8 };
  const spec = toSpec({ preset: "nano", environment: long, optimisation });
  expect(refusal(spec, tiny)).toMatch(
    /tasksPerIteration of 1 with a groupSize of at most \d+ would fit$/,
  );
});

test("turns count where no board is solved at once", () => {
  expect(sizesOf(presetSpec("nano")).turns).toBe(1);
  expect(sizesOf(toSpec({ preset: "nano", environment: long })).turns).toBe(50);
});

test("a run in full context says what its passes and caches need, longer thoughts more", () => {
  expect(memorySentence(presetSpec("nano"), 2, true)).toBeNull();
  const spec = presetSpec("talker-nano-64");
  const said = memorySentence(spec, 2, true)!;
  expect(said).toMatch(
    /^memory: up to [\d.]+\s.B: models [\d.]+\s.B, training passes [\d.]+\s.B, key\/value cache [\d.]+\s.B for 64 episodes of \d+ tokens$/,
  );
  const long = expectedMemory(spec, 2, true);
  const short = expectedMemory(presetSpec("talker-nano"), 2, true);
  // 80 tokens a turn more, and a word of the prompt.
  const { maxTurns } = spec.environment;
  expect(long.longest - short.longest).toBeGreaterThanOrEqual(maxTurns * 80);
  expect(long.longest - short.longest).toBeLessThan(maxTurns * 85);
  expect(long.passes).toBeGreaterThan(short.passes);
  // Two layers of keys and values for each token are the larger part of a cache.
  expect(Math.abs(long.caches / short.caches - long.longest / short.longest)).toBeLessThan(0.2);
  expect(expectedMemory(spec, 4, true).passes).toBe(2 * long.passes);
});

test("a page counts what its browser says", () => {
  const device = { hardwareConcurrency: 4, deviceMemory: 2 };
  expect(pageMemory(device).total.bytes).toBe(2 * GIB);
  expect(pageMemory({ ...device, deviceMemory: 8 }).total.bytes).toBe(16 * GIB);
  expect(pageMemory({ hardwareConcurrency: 4 }).total.bytes).toBe(16 * GIB);
  expect(pageMemory(device).threads).toBe(3);
});

/** Qwen2.5-0.5B's shape. */
const HALF_B: ModelConfig = {
  ...presetConfig("talker-nano"),
  family: "qwen2",
  vocabSize: 151_936,
  hiddenSize: 896,
  intermediateSize: 4864,
  layers: 24,
  heads: 14,
  kvHeads: 2,
  headDim: 64,
  maxPositions: 32_768,
  tieWordEmbeddings: true,
};
const folder = { hash: "a".repeat(64), name: "qwen-half" };
/** What is said of the opened folder; `changes`: of a spec of Sokoban in words. */
function ofFolder(changes: PartialSpec, model: TrainedModel, machine = SMALL): string {
  const spec = toSpec({ preset: "talker-nano", ...changes });
  const named = { ...spec, model: { ...spec.model, folder } };
  expect(() => checkMemory(named, machine, true)).not.toThrow();
  try {
    checkMemory(named, machine, true, model);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}
const one = { algorithms: [{ name: "grpo", set: {} }] } as const;
const lora = { rank: 8, alpha: 16, targets: ["q_proj", "v_proj"] } as const;
const adapted: TrainedModel = {
  config: { ...adaptedConfig(HALF_B, { ...lora, targets: [...lora.targets] }), packed: "bf16" },
};

test("a folder is judged by its own size: full training of 0.5 B parameters does not fit WebAssembly", () => {
  expect(ofFolder(one, { config: HALF_B })).toMatch(
    /^model\.preset is talker-nano and model\.folder "qwen-half.*": the models of 1 method need at least \d\.\d GiB, and the memory has 4\.0 GiB; use adapters \(model\.lora\), fewer methods or a smaller model$/,
  );
});

test("adapters on it fit, and are refused with the time of a long iteration on WebAssembly", () => {
  const roomy = { ...SMALL, total: { bytes: 64 * GIB, name: "the memory" } };
  expect(ofFolder(one, adapted, roomy)).toMatch(
    /^model\.folder is "qwen-half.*": an iteration would take up to \d.* on WebAssembly; use a graphics card/,
  );
  const few = { tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 1 };
  expect(ofFolder({ ...one, optimisation: few }, adapted, roomy)).toBe("");
});
