/** Conditions shared by several studies: such runs are made once, because a stored result is identified by its spec. */
import type { PartialSpec } from "../experiment.ts";
import type { OwnSettings } from "../learning.ts";
import { recipeOf, type Condition } from "./study.ts";

/**
 * Weights cloned in the run itself, for a format that the shipped ones have not seen. Steps are
 * chosen so that conditions start with equal validation scores: test/bench/recipes/README.md,
 * "Starts of the studies".
 */
export const cloned = (steps: number): PartialSpec => ({
  model: { warmStart: "clone" },
  clone: { steps },
});

/** Both act at most ten times, as nano does in five turns. */
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

/** A critic with its own trunk, so that its rate applies to all of it, at a multiple of the actor's rate. */
export const SEPARATE_CRITIC: PartialSpec = { critic: { kind: "separate" } };

const { actorLr } = recipeOf("turn-ppo").optimisation!;

/** The critic's rate as a multiple of Turn-PPO's actor rate, which is also token-PPO's. */
export const criticAt = (times: number): OwnSettings => ({
  critic: { lr: Number((actorLr! * times).toPrecision(3)) },
});
