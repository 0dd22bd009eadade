/** The spec's section on low-rank adapters: which linear layers have them, and their size. Plain data and its ranges. */
import { InputError } from "../numeric/inputError.ts";
import { least } from "../numeric/lists.ts";
import { modelPresets, type ModelPresetName } from "./models.ts";
import { real, whole, z } from "./zod.ts";

/** The linear layers of a block, as PEFT names them. */
export const LORA_TARGETS = [
  "q_proj",
  "k_proj",
  "v_proj",
  "o_proj",
  "gate_proj",
  "up_proj",
  "down_proj",
] as const;

export type LoraTarget = (typeof LORA_TARGETS)[number];

/** Absent: every weight is trained. */
export const loraSchema = z.strictObject({
  /** Rows of A and columns of B. */
  rank: whole(1, 4096),
  /** The product B A counts alpha / rank times. Absent: 2 rank, a factor of 2. */
  alpha: z.optional(real(0.001, 100_000)),
  /** The layers that get adapters. Absent: all, PEFT's "all-linear". */
  targets: z.optional(z.array(z.enum(LORA_TARGETS)).check(z.minLength(1), z.maxLength(7))),
});

/** Adapters with every default filled in: W + alpha / rank B A, W frozen. (LoRA, Hu et al. 2021, section 4.1) */
export interface LoraConfig {
  rank: number;
  alpha: number;
  targets: readonly LoraTarget[];
}

/** Targets in the order of LORA_TARGETS, each once. */
export function loraConfig({ rank, alpha, targets }: z.infer<typeof loraSchema>): LoraConfig {
  const chosen = LORA_TARGETS.filter((one) => targets?.includes(one) ?? true);
  return { rank, alpha: alpha ?? 2 * rank, targets: chosen };
}

/** Sizes of the layers, in and out, of a model's shape. */
export function linearSizes(shape: {
  hiddenSize: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  intermediateSize: number;
}): Record<LoraTarget, { from: number; to: number }> {
  const { hiddenSize: D, heads, kvHeads, headDim, intermediateSize: F } = shape;
  const [Q, K] = [heads * headDim, kvHeads * headDim];
  return {
    q_proj: { from: D, to: Q },
    k_proj: { from: D, to: K },
    v_proj: { from: D, to: K },
    o_proj: { from: Q, to: D },
    gate_proj: { from: D, to: F },
    up_proj: { from: D, to: F },
    down_proj: { from: F, to: D },
  };
}

/** @throws InputError for a rank above a layer's smallest dimension. `whose`: whose sizes they are. */
export function checkRank(
  lora: z.infer<typeof loraSchema>,
  shape: Parameters<typeof linearSizes>[0],
  whose: string,
): void {
  const sizes = linearSizes(shape);
  const dims = loraConfig(lora).targets.map((one) => Math.min(sizes[one].from, sizes[one].to));
  const most = least(dims);
  if (lora.rank > most)
    throw new InputError(
      `model.lora.rank is ${lora.rank}; with ${whose} it must be a whole number from 1 to ${most}, the smallest dimension of its targets`,
    );
}

/** @throws InputError for a rank above a preset's, or an engine that trains no adapters. A folder's sizes are known once it is open. */
export function checkLora(spec: {
  model: {
    preset: ModelPresetName;
    folder?: object | undefined;
    lora?: z.infer<typeof loraSchema> | undefined;
  };
  engine: { name: string };
}): void {
  const { preset, folder, lora } = spec.model;
  if (!lora) return;
  if (!folder) checkRank(lora, modelPresets[preset], `model.preset ${preset}`);
  if (spec.engine.name === "tfjs")
    throw new InputError(
      "engine.name is tfjs; with model.lora it must be auto, wasm or webgpu: the tfjs engine trains no adapters",
    );
}
