/** Our engines, through the interface that training uses. */
import type { Engine, EngineModel, TokenRows, WeightMap } from "../../../src/engine/engine.ts";
import type { Contender, Trainer } from "../contender.ts";
import {
  config,
  decodeWeightsOf,
  decoding,
  optimizer,
  promptsOf,
  weightsOf,
  type Batch,
} from "../workload.ts";

/** `submitted`: until the device has been given all that the engine has recorded. */
export function engineContender(
  engine: Engine,
  submitted: () => void | Promise<void> = () => undefined,
): Contender {
  const createModel = (weights: WeightMap) => engine.createModel(config, weights, "none");
  return {
    about: [engine.info.adapter, engine.info.workers].filter(Boolean).join(", "),
    trainer: async (batch) => trainerOf(await createModel(weightsOf()), batch, submitted),
    decoder: async () => {
      const model = await createModel(decodeWeightsOf());
      return { generate: (tokens) => generate(model, promptsOf(), tokens) };
    },
    bytes: () => Math.max(engine.memory().bytes, engine.memory().poolBytes),
    dispose: () => engine.dispose(),
  };
}

/** The workload's loss and step, of a model of any size. */
export function trainerOf(
  model: EngineModel,
  batch: Batch,
  submitted: () => void | Promise<void> = () => undefined,
): Trainer {
  const rows = rowsOf(batch);
  const { B, T } = batch;
  const weight = -1 / (B * (T - 1));
  const dLogprob = Float32Array.from(rows.ids, (_, i) => (i % T === 0 ? 0 : weight)); // [B, T]
  const { clip, lr, ...adam } = optimizer;
  return {
    loss: async () => {
      const { logprob } = await model.forward({ rows, temperature: 1 });
      return weight * logprob.reduce((a, b) => a + b, 0);
    },
    step: async () => {
      await model.backward({ rows, temperature: 1, dLogprob });
      model.scaleGrads(Math.min(1, clip / (await model.gradNorm())));
      await model.update({ lr: { trunk: lr }, ...adam });
      await submitted();
    },
  };
}

function rowsOf({ B, T, ids }: Batch): TokenRows {
  const position = Int32Array.from(ids, (_, i) => i % T); // [B, T]
  return { B, L: T, ids, position, segment: new Int32Array(B * T) };
}

/** Tokens after each prompt, which are as many and as long as the workload's. */
export async function generate(
  model: EngineModel,
  prompts: number[][],
  maxNewTokens: number,
  temperature = 0,
): Promise<number[][]> {
  const { rows, prompt, tokens } = decoding;
  const numbers = prompts.map((_, i) => i);
  const key = {
    ...{ seed: 1, stream: "bench", iteration: 0, trajectory: numbers },
    step: numbers.map(() => 0),
  };
  const session = model.decode(rows, prompt + tokens);
  const { ids } = await session.generate({ prompts, maxNewTokens, stopIds: [], temperature, key });
  session.dispose();
  return ids;
}
