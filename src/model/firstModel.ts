/** First weights of a learner: tensors at hand, or a folder's, which stay in their files, with adapters beside them. */
import type { Engine, EngineModel, ValueHead, WeightMap, WeightPiece } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import type { OpenedModel } from "./folder.ts";

export interface FirstWeights {
  /** All tensors, or those that the base lacks. */
  weights: WeightMap;
  /** Read anew for every model. Absent: there is none. */
  base?: OpenedModel | undefined;
}

/** A model that begins with these. */
export async function createFirst(
  engine: Engine,
  config: ModelConfig,
  { weights, base }: FirstWeights,
  valueHead: ValueHead,
): Promise<EngineModel> {
  if (!base) return engine.createModel(config, weights, valueHead);
  if (!engine.streamModel)
    throw new Error(`engine ${engine.info.engine} does not take a folder's weights in pieces`);
  return engine.streamModel(config, piecesOf(base, weights), valueHead);
}

async function* piecesOf(base: OpenedModel, others: WeightMap): AsyncGenerator<WeightPiece> {
  yield* base.pieces();
  for (const [name, { data }] of others) yield { name, at: 0, data };
}
