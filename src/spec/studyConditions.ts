/** Conditions that several studies have: such runs are made once, because a kept result is known by its spec. */
import type { PartialSpec } from "./experiment.ts";
import type { OwnSettings } from "./learning.ts";
import { recipeOf, type Condition } from "./study.ts";

/**
 * Weights cloned in the run itself, for a format that the shipped ones have not seen. Steps are chosen so that conditions start
 * alike, by validation levels: test/bench/recipes/README.md, "Starts of the studies".
 */
export const cloned = (steps: number): PartialSpec => ({
  model: { warmStart: "clone" },
  clone: { steps },
});

/** Both act ten times at most, as nano does in five turns. */
export const FEW_TURNS: Condition = {
  name: "three",
  about: "3 turns of up to 4 actions",
  set: {
    ...cloned(280),
    environment: { maxTurns: 3, maxActionsPerTurn: 4 },
    sampling: { maxTokensPerTurn: 8 },
  },
};

export const MANY_TURNS: Condition = {
  name: "ten",
  about: "10 turns of one action",
  set: { ...cloned(180), environment: { maxTurns: 10, maxActionsPerTurn: 1 } },
};

export const TOKEN_RATIO: Condition = {
  name: "token",
  about: "one ratio per token",
  method: { ratio: "token" },
};

export const TURN_RATIO: Condition = {
  name: "turn",
  about: "one ratio per turn, its tokens' product",
  method: { ratio: "turn-product" },
};

/** A critic with a trunk of its own, so that its rate moves all of it, at a multiple of the actor's rate. */
export const SEPARATE_CRITIC: PartialSpec = { critic: { kind: "separate" } };

const { actorLr } = recipeOf("turn-ppo").optimisation!;

/** The critic's rate at a multiple of Turn-PPO's actor rate, which is token-PPO's as well. */
export const criticAt = (times: number): OwnSettings => ({
  critic: { lr: Number((actorLr! * times).toPrecision(3)) },
});
