/** As many episodes as an iteration may have, and more: none of them takes room on the stack. */
import { expect, test } from "vitest";
import { rollout, type RolloutRequest } from "../../src/rollout/rollout.ts";
import { modelOf, worldOf } from "./oneTurnGame.ts";

/** More than twice the 65,536 of an iteration: a worker of Chromium has half the stack that Node has. */
const EPISODES = 150_000;

const world = worldOf("");
const model = modelOf(64);

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
