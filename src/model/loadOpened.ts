/** A checked folder's weights into an engine. */
import type { Engine, EngineModel } from "../engine/engine.ts";
import { EngineError } from "../engine/errors.ts";
import { formatBytes } from "../numeric/format.ts";
import { wholeWeights, type OpenedModel } from "./folder.ts";

/** Maximum bytes of float32 weights that tfjs holds beside its passes: its WebAssembly memory ends at 2 GiB. */
const MAX_TFJS = 1.5 * 2 ** 30;

/** Numbers of all tensors. */
export const parametersOf = ({ shapes }: OpenedModel): number =>
  [...shapes.values()].reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);

/** Streams the weights into the engine, or hands them over whole to one that needs that. @throws EngineError beforehand if they do not fit */
export async function loadOpened(engine: Engine, opened: OpenedModel): Promise<EngineModel> {
  const { config, pieces } = opened;
  const head = config.critic ? "detached" : "none";
  if (engine.streamModel) return engine.streamModel(config, pieces(), head);
  const bytes = 4 * parametersOf(opened);
  if (bytes > MAX_TFJS)
    throw new EngineError(
      "out-of-memory",
      `the model does not fit: its parameters need ${formatBytes(bytes)}, and engine tfjs holds ${formatBytes(MAX_TFJS)}; use engine wasm`,
    );
  return engine.createModel(config, await wholeWeights(opened), head);
}
