/** A game of one turn that any answer ends, and a model that says one token, to see what a rollout does around them. */
import type { EngineModel } from "../../src/engine/engine.ts";
import type { Environment } from "../../src/env/environment.ts";
import type { World } from "../../src/rollout/world.ts";

const step = { observation: "over", reward: 1, terminated: true, truncated: false, info: {} };
const game: Environment = {
  reset: () => ({ observation: "begin", info: {} }),
  step: () => step,
  snapshot: () => null,
  restore: () => {},
};

export const worldOf = (answer: string, queryIds = [1, 2]): World =>
  ({
    create: () => game,
    maxTurns: 1,
    prompter: { query: () => queryIds, answer: () => answer, display: () => "", stopIds: [0] },
  }) as unknown as World;

export const modelOf = (maxPositions: number): EngineModel =>
  ({
    config: { maxPositions },
    decode: (batch: number) => ({
      lengths: new Int32Array(batch),
      generate: async ({ prompts }: { prompts: number[][] }) => ({
        ids: prompts.map(() => [0]),
        logprobs: prompts.map(() => [0]),
      }),
      dispose: () => {},
    }),
  }) as unknown as EngineModel;
