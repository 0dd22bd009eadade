/** A checked folder's weights into an engine. */
import type { Engine, EngineModel } from "../engine/engine.ts";
import { EngineError } from "../engine/errors.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { formatBytes } from "../numeric/format.ts";
import { wholeWeights, type OpenedModel } from "./folder.ts";

/** Maximum bytes of float32 weights that tfjs holds beside its passes: its WebAssembly memory ends at 2 GiB. */
const MAX_TFJS = 1.5 * 2 ** 30;

/** Numbers of all tensors. */
export const parametersOf = ({ shapes }: OpenedModel): number =>
  [...shapes.values()].reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);

/** How an engine keeps weights that are only read. Stored: as the files have them, if that is BF16. */
export const WEIGHT_FORMS = ["stored", "int8", "float32"] as const;
export type WeightForm = (typeof WEIGHT_FORMS)[number];

/** The model as an engine that packs weights keeps it, see ModelConfig.packed. */
export function readingConfig({ config, halves }: OpenedModel, form: WeightForm): ModelConfig {
  if (form === "int8") return { ...config, packed: "int8" };
  return form === "stored" && halves ? { ...config, packed: "bf16" } : config;
}

/** Streams the weights into the engine, or hands them over whole to one that needs that. @throws EngineError beforehand if they do not fit */
export async function loadOpened(
  engine: Engine,
  opened: OpenedModel,
  form: WeightForm = "stored",
): Promise<EngineModel> {
  const { config, pieces } = opened;
  const head = config.critic ? "detached" : "none";
  if (engine.streamModel) return engine.streamModel(readingConfig(opened, form), pieces(), head);
  const bytes = 4 * parametersOf(opened);
  if (bytes > MAX_TFJS)
    throw new EngineError(
      "out-of-memory",
      `the model does not fit: its parameters need ${formatBytes(bytes)}, and engine tfjs holds ${formatBytes(MAX_TFJS)}; use engine wasm`,
    );
  // It has float32 alone, and says so.
  const shape = form === "int8" ? readingConfig(opened, form) : config;
  return engine.createModel(shape, await wholeWeights(opened), head);
}
