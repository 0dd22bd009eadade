/** A model's own text: sampled a few tokens at a time, and scored token by token. */
import type { EngineModel, TokenRows } from "../engine/engine.ts";
import { InputError } from "../numeric/inputError.ts";

interface SpeakRequest {
  /** The prompt. */
  ids: readonly number[];
  maxTokens: number;
  stopIds: readonly number[];
  /** 0 means greedy. */
  temperature: number;
  topP: number;
  seed: number;
}

interface SpokenToken {
  id: number;
  /** Under the sampling temperature, over the whole vocabulary. */
  logprob: number;
}

/** Tokens after a prompt, up to `look` at a time, until a stop token or the limit; whoever breaks off ends it. */
export async function* speak(
  model: EngineModel,
  { ids, maxTokens, stopIds, temperature, topP, seed }: SpeakRequest,
  look = 1,
): AsyncGenerator<SpokenToken[]> {
  const session = model.decode(1, ids.length + maxTokens);
  try {
    let prompt = [...ids];
    for (let step = 0; step < maxTokens; step += look) {
      const result = await session.generate({
        prompts: [prompt],
        continues: true,
        maxNewTokens: Math.min(look, maxTokens - step),
        stopIds: [...stopIds],
        temperature,
        topP,
        key: { seed, stream: "speak", iteration: 0, trajectory: [0], step: [step] },
      });
      prompt = [];
      const said = result.ids[0]!.map((id, i) => ({ id, logprob: result.logprobs[0]![i]! }));
      yield said;
      if (said.length === 0 || stopIds.includes(said.at(-1)!.id)) return;
    }
  } finally {
    session.dispose();
  }
}

interface ScoredId extends SpokenToken {
  /** Of the distribution that the token was taken from, in nats. */
  entropy: number;
}

/** Log-prob and entropy of each token of a text at temperature 1; the first is predicted by nothing and has 0. */
export async function scoreIds(model: EngineModel, ids: readonly number[]): Promise<ScoredId[]> {
  const { maxPositions } = model.config;
  const L = ids.length;
  if (L < 2 || L > maxPositions)
    throw new InputError(`the text has ${L} tokens; it must have from 2 to ${maxPositions}`);
  const rows = singleRow(ids);
  const { logprob, entropy } = await model.forward({ rows, temperature: 1, entropy: true });
  return ids.map((id, t) => ({ id, logprob: logprob[t]!, entropy: entropy![t]! }));
}

/** One text of L tokens as a batch. */
export function singleRow(ids: readonly number[]): TokenRows {
  const L = ids.length;
  const position = Int32Array.from({ length: L }, (_, t) => t); // [1, L]
  return { B: 1, L, ids: Int32Array.from(ids), position, segment: new Int32Array(L) };
}
