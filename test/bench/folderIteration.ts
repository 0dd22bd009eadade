/** One iteration of Turn-PPO with adapters on a whole model folder: its seconds by phase, its memory, and the work of its products. */
import { readAsset } from "../../src/cli/assets.ts";
import { openNodeEngine } from "../../src/cli/engine.ts";
import { filesIn, folderOpener } from "../../src/cli/modelFolder.ts";
import { parameterShapes } from "../../src/engine/parameters.ts";
import { trainedConfig } from "../../src/model/initModel.ts";
import { hashFolder, openTextFolder } from "../../src/model/textFolder.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { gpuFacts } from "../../src/runtime/machineFacts.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { iterationTokens, memorySentence } from "../../src/train/memoryNeeds.ts";
import { sayConditions, startConditions } from "./conditions.ts";

export interface IterationOptions {
  backend: "wasm" | "webgpu";
  /** Tasks, and rollouts of each. */
  tasks: number;
  group: number;
  /** Tokens that a turn may have; made-up weights use them all. */
  turnTokens: number;
  turns: number;
}

const LORA = { rank: 8, alpha: 16 };

/** Sokoban in RAGEN's words, whole history in context, a critic with adapters of its own, a KL to the model without adapters. */
function iterationSpec(
  hash: string,
  { backend, tasks, group, turns, turnTokens }: IterationOptions,
) {
  return toSpec({
    preset: "talker-nano",
    environment: { maxTurns: turns },
    model: { folder: { hash, name: "folder" }, lora: LORA },
    algorithms: [{ name: "turn-ppo", set: { betaKl: 0.01 } }],
    critic: { warmup: 0, epochs: 1 },
    sampling: { maxTokensPerTurn: turnTokens },
    optimisation: {
      iterations: 1,
      ...{ tasksPerIteration: tasks, groupSize: group, minibatch: tasks * group, epochs: 1 },
    },
    evaluation: { levels: 1, every: 1 },
    recordEpisodes: 0,
    engine: { backend },
  });
}

/** Opens the text of the folder, and says what an iteration on it takes by count. */
async function planned(folder: string, options: IterationOptions) {
  const open = folderOpener("folder", folder);
  const opened = await openTextFolder(open, filesIn(folder));
  const { hash } = await hashFolder(open, opened.files);
  const spec = iterationSpec(hash, options);
  const { tokenizer, template } = opened;
  const config = trainedConfig(opened.opened.config, spec, opened.opened.halves);
  const model = template ? { config, speech: { tokenizer, template } } : { config };
  const shapes = [...parameterShapes(config, "none").values()];
  const parameters = shapes.reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const tokens = iterationTokens(spec, model);
  const memory = memorySentence(spec, 1, options.backend === "wasm", model);
  return {
    opened,
    spec,
    work: { parameters, tokens, teraflops: 2e-12 * parameters * tokens, memory },
  };
}

/**
 * What an iteration takes, by count alone. `tokens`: those of all passes, a backward as two, for the longest episodes that may come.
 * `teraflops`: of their products, an upper bound, since a head is computed for wanted tokens only and a frozen base has no gradients.
 * @param folder path of a Hugging Face folder
 */
export const planIteration = async (folder: string, options: IterationOptions) =>
  (await planned(folder, options)).work;

const secondsSince = (begun: number) => (performance.now() - begun) / 1000;

/** @returns also seconds of opening, rollout and update, and megabytes at most between phases */
export async function measureIteration(folder: string, options: IterationOptions) {
  const finish = startConditions();
  const { opened, spec, work } = await planned(folder, options);
  const { backend } = options;
  const engine = await openNodeEngine({ name: backend, backend });
  const begun = performance.now();
  let device = 0;
  const progress = () => {
    const { bytes, poolBytes } = engine.memory();
    device = Math.max(device, bytes, poolBytes);
  };
  const experiment = await Experiment.open(spec, {
    ...{ engine, loadAsset: readAsset, openFolder: async () => opened, progress },
  });
  const opening = secondsSince(begun);
  const events: RunEvent[] = [];
  while (!experiment.finished) events.push(...(await experiment.advance()));
  progress();
  const { metrics, time } = events.find((event) => event.type === "iteration")!;
  experiment.dispose();
  engine.dispose();
  return {
    adapter: backend === "wasm" ? null : (await gpuFacts()).adapter,
    ...work,
    episodes: options.tasks * options.group,
    tokensOfAnswers: metrics["response_length/mean"],
    megabytes: { device: device / 1e6, process: process.resourceUsage().maxRSS / 1e3 },
    seconds: { opening, rollout: time["rollout"], update: time["update"] },
    entropy: metrics["actor/entropy"],
    gradientNorm: metrics["actor/grad_norm"],
    conditions: sayConditions(finish()),
  };
}
