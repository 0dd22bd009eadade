/** What a rollout refuses, and how it judges a turn that costs nothing. */
import { expect, test } from "vitest";
import { BanditEnv } from "../../src/env/bandit/banditEnv.ts";
import { FrozenLakeEnv } from "../../src/env/frozenLake/frozenLakeEnv.ts";
import { SokobanEnv } from "../../src/env/sokoban/sokobanEnv.ts";
import type { Environment } from "../../src/env/environment.ts";
import { playResponse, rollout, type RolloutRequest } from "../../src/rollout/rollout.ts";
import type { TurnInfo } from "../../src/rollout/world.ts";
import { modelOf, worldOf } from "./oneTurnGame.ts";

const model = modelOf(16);

test.each(["turn", "full"] as const)(
  "context %s holds a query and its response within the model's positions, or says so",
  async (context) => {
    const request = (length: number): RolloutRequest => ({
      model,
      world: worldOf("", Array<number>(length).fill(1)),
      tasks: [{ name: "a", seed: 0 }],
      context,
      sampling: { temperature: 1, topK: 0, topP: 1, maxTokensPerTurn: 6 },
      key: { seed: 1, stream: "rollout", iteration: 1 },
    });
    expect(await rollout(request(10))).toHaveLength(1);
    await expect(rollout(request(11))).rejects.toThrow(
      `context "${context}" has no room for trajectory 0 at turn 1: its 16 tokens have no room for a query of 11`,
    );
  },
);

const free = { formatPenalty: 0 };
const games: [string, () => Environment<TurnInfo>, string][] = [
  ["Sokoban", () => new SokobanEnv(free), "Up"],
  ["FrozenLake", () => new FrozenLakeEnv({ ...free, slippery: false }), "Left"],
  ["the bandit", () => new BanditEnv({ ...free, arms: "Miller/Racer" }), "Racer"],
];

test.each(games)(
  "in %s a turn in bad form is not valid, also where it costs nothing",
  (_, create, good) => {
    const validOf = (answer: string, judgesForm: boolean) => {
      const environment = create();
      const { info } = environment.reset(10_000);
      const world = { ...worldOf(`<answer>${answer}</answer>`), judgesForm };
      const said = {
        observation: "",
        queryIds: [],
        responseIds: [],
        sampledLogprob: [],
        chance: 1,
      };
      return playResponse(world, environment, info, said).turn.valid;
    };
    expect(validOf(good, true)).toBe(true);
    expect(validOf("Fly", true)).toBe(false);
    // Before revision 2 what was not punished counted as valid.
    expect(validOf("Fly", false)).toBe(true);
  },
);
