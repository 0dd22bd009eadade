/** As many episodes as an iteration may have, and more: none of them takes room on the stack. */
import { expect, test } from "vitest";
import type { EngineModel } from "../../src/engine/engine.ts";
import type { Environment } from "../../src/env/environment.ts";
import { rollout, type RolloutRequest } from "../../src/rollout/rollout.ts";
import type { World } from "../../src/rollout/world.ts";

/** More than twice the 65,536 of an iteration: a worker of Chromium has half the stack that Node has. */
const EPISODES = 150_000;

const step = { observation: "over", reward: 1, terminated: true, truncated: false, info: {} };
const environment: Environment = {
  reset: () => ({ observation: "begin", info: {} }),
  step: () => step,
  snapshot: () => null,
  restore: () => {},
};

const world = {
  create: () => environment,
  maxTurns: 1,
  prompter: { query: () => [1, 2], answer: () => "", display: () => "", stopIds: [0] },
} as unknown as World;

const model = {
  config: { maxPositions: 64 },
  decode: (batch: number) => ({
    lengths: new Int32Array(batch),
    generate: async ({ prompts }: { prompts: number[][] }) => ({
      ids: prompts.map(() => [0]),
      logprobs: prompts.map(() => [0]),
    }),
    dispose: () => {},
  }),
} as unknown as EngineModel;

test.each(["turn", "full"] as const)(
  "context %s plays more episodes than a stack holds",
  async (context) => {
    const request: RolloutRequest = {
      model,
      world,
      tasks: Array.from({ length: EPISODES }, (_, i) => ({ name: `${i}`, seed: i })),
      context,
      sampling: { temperature: 1, topK: 0, topP: 1, maxTokensPerTurn: 1 },
      key: { seed: 1, stream: "rollout", iteration: 1 },
    };
    const episodes = await rollout(request);
    expect(episodes).toHaveLength(EPISODES);
    expect(episodes.at(-1)).toMatchObject({ trajectory: EPISODES - 1, terminated: true });
  },
);
