/** What is said of the reader's own model: its folder, what goes wrong, and what an iteration would take. */
import { EngineError } from "../../engine/errors.ts";
import { parametersOf } from "../../model/loadOpened.ts";
import { trainedConfig } from "../../model/initModel.ts";
import type { ModelSpeed } from "../../model/speed.ts";
import type { TextFolder } from "../../model/textFolder.ts";
import { InputError } from "../../numeric/inputError.ts";
import { toSpec } from "../../spec/presets.ts";
import { iterationTokens } from "../../train/memoryNeeds.ts";
import { describeError } from "../errors.ts";
import type { FolderFacts, MeasuredSpeed, ModelReport } from "../modelReport.ts";

/** Of GRPO with the preset of Sokoban in words and small adapters: an episode as long as it may be. */
export function iterationTime(
  { reads }: ModelSpeed,
  { opened, tokenizer, template }: TextFolder,
): Pick<MeasuredSpeed, "iteration" | "episodes"> {
  const lora = { rank: 8 };
  const algorithms = [{ name: "grpo", set: {} }];
  const spec = toSpec({ preset: "talker-nano", model: { lora }, algorithms });
  const { tasksPerIteration, groupSize } = spec.optimisation;
  const episodes = tasksPerIteration * groupSize;
  if (!template) return { iteration: null, episodes };
  const config = trainedConfig(opened.config, spec, opened.halves);
  const tokens = iterationTokens(spec, { config, speech: { tokenizer, template } });
  return { iteration: tokens / reads, episodes };
}

export const sizeOf = (names: readonly string[], blobs: ReadonlyMap<string, Blob>): number =>
  names.reduce((sum, name) => sum + (blobs.get(name)?.size ?? 0), 0);

export function factsOf(
  name: string,
  { opened, tokenizer, template, hasThinking, files }: TextFolder,
  blobs: ReadonlyMap<string, Blob>,
): FolderFacts {
  const { config, notes, storedBytes } = opened;
  return {
    name,
    config,
    parameters: parametersOf(opened),
    storedBytes,
    tokens: tokenizer.vocabSize,
    hasTemplate: template !== null,
    hasThinking,
    notes,
    hash: null,
    files: files.map((file) => ({ name: file, bytes: blobs.get(file)!.size, sha256: null })),
  };
}

const ACTIONS: Partial<Record<EngineError["kind"], string>> = {
  "out-of-memory": "Choose a smaller model, or close other pages and try again.",
  "device-lost": "Load it again; if that fails too, choose the wasm backend.",
};

export function modelProblem(error: unknown): ModelReport["problem"] {
  const { message, action } = describeError(error);
  if (error instanceof InputError)
    return {
      message: sentence(message),
      action: "Nothing was loaded. Correct the folder, then choose it again.",
    };
  const own = error instanceof EngineError ? ACTIONS[error.kind] : undefined;
  return { message, action: own ?? action };
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`;
