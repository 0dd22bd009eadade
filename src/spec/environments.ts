/**
 * The environment of a spec, one schema per kind. All have `trainLevels`, `maxTurns` and
 * `formatPenalty`; how each is played, drawn and encoded is in `env/descriptors.ts` under the same
 * kind.
 */
import { THOUGHT_LENGTHS } from "./thoughts.ts";
import { real, whole, z } from "./zod.ts";

const sokoban = z.strictObject({
  kind: z.literal("sokoban"),
  /** Rows and columns of a generated level. */
  rows: whole(5, 16),
  columns: whole(5, 16),
  boxes: whole(1, 6),
  /** Recursion budget of RAGEN's reverse play; above 900 RAGEN itself fails. */
  searchDepth: whole(2, 900),
  /** Number of distinct levels that training cycles through; 0 means new ones every time. */
  trainLevels: whole(0, 1_000_000),
  maxTurns: whole(1, 50),
  maxActions: whole(1, 200),
  maxActionsPerTurn: whole(1, 20),
  formatPenalty: real(-10, 0),
  /**
   * A turn with fewer actions is played, but counts as malformed; if equal to maxActionsPerTurn,
   * all turns have the same length. Absent: 1.
   */
  minActionsPerTurn: z.optional(whole(1, 20)),
  /** Reward of every action; gym-sokoban's penalty_for_step. Absent: -0.1. */
  stepCost: z.optional(real(-10, 10)),
  /** Reward for solving the level; gym-sokoban's reward_finished. Absent: 10. */
  successBonus: z.optional(real(-100, 100)),
  /** Probability that a move goes in one of the other directions. Absent: 0. */
  slip: z.optional(real(0, 1)),
  /** Probability that an inner cell of the shown board is wrong; the board itself does not change. Absent: 0. */
  observationNoise: z.optional(real(0, 1)),
  /** Whether a response must begin with a think block. Absent: no. */
  think: z.optional(z.boolean()),
  /**
   * Turns are a chat in words (RAGEN's prompts, Qwen3's template), and thoughts have about this many
   * tokens; 0 asks for none. Absent: the compact format, a token per cell and action.
   */
  thought: z.optional(z.literal(THOUGHT_LENGTHS)),
  /**
   * In turn context: each query repeats the whole chat, earlier thoughts left out, as Qwen3's template
   * does. Absent: in full context they stay, in turn context a query shows the current state alone.
   */
  earlierThoughts: z.optional(z.enum(["stripped"])),
  /** Name of the definition that replaces the environment's rewards. Absent: none. */
  reward: z.optional(z.string()),
  /** Name of the definition that writes the messages of a model that reads text. Absent: none. */
  prompt: z.optional(z.string()),
});

const webshop = z.strictObject({
  kind: z.literal("webshop"),
  /** Seed of the generated shop. */
  catalogSeed: whole(0, 2 ** 32 - 1),
  /** The form of each page in recordings and for text models: WebShop's two text modes. */
  observation: z.enum(["text", "text_rich"]),
  /** Number of distinct goals that training cycles through; 0 means all that are not held out. */
  trainLevels: whole(0, 1_000_000),
  maxTurns: whole(1, 50),
  /** WebShop itself has no penalty: 0. */
  formatPenalty: real(-10, 0),
  /** Whether a response must begin with a think block. */
  think: z.boolean(),
  /** Name of the definition that replaces the environment's rewards. Absent: none. */
  reward: z.optional(z.string()),
  /** Name of the definition that writes the messages of a model that reads text. Absent: none. */
  prompt: z.optional(z.string()),
});

const frozenLake = z.strictObject({
  kind: z.literal("frozenlake"),
  /** Rows and columns of a random map. */
  size: whole(3, 8),
  /** One of Gymnasium's maps for all episodes, whatever the size: then only the randomness is held out. Absent: random maps. */
  map: z.optional(z.enum(["4x4", "8x8"])),
  /** Probability that a tile is frozen rather than a hole; the map is redrawn until there is a path to the goal. */
  frozenProbability: real(0.5, 1),
  /** Probability that a step goes to one side or the other of the intended direction. */
  slip: real(0, 1),
  /** Number of distinct maps that training cycles through; 0 means new ones every time. */
  trainLevels: whole(0, 1_000_000),
  maxTurns: whole(1, 50),
  maxActions: whole(1, 200),
  /** Few, so that the best player can be computed. */
  maxActionsPerTurn: whole(1, 3),
  formatPenalty: real(-10, 0),
  /** Whether a response must begin with a think block. Absent: no. */
  think: z.optional(z.boolean()),
  /** Name of the definition that replaces the environment's rewards. Absent: none. */
  reward: z.optional(z.string()),
  /** Name of the definition that writes the messages of a model that reads text. Absent: none. */
  prompt: z.optional(z.string()),
});

const bandit = z.strictObject({
  kind: z.literal("bandit"),
  /** Reward of the steady arm. */
  steadyReward: real(-10, 10),
  /** Reward of the daring arm when it pays; otherwise 0. */
  daringReward: real(-10, 10),
  daringProbability: real(0, 1),
  /** Number of distinct games that training cycles through; 0 means new ones every time. */
  trainLevels: whole(0, 1_000_000),
  /** A turn that names no arm is wasted. */
  maxTurns: whole(1, 50),
  formatPenalty: real(-10, 0),
  /** Whether a response must begin with a think block. Absent: no. */
  think: z.optional(z.boolean()),
  /** Name of the definition that replaces the environment's rewards. Absent: none. */
  reward: z.optional(z.string()),
  /** Name of the definition that writes the messages of a model that reads text. Absent: none. */
  prompt: z.optional(z.string()),
});

/** An environment defined by the spec's own code. */
const defined = z.strictObject({
  kind: z.literal("defined"),
  /** Name of the definition. */
  definition: z.string(),
  /** Number of distinct tasks that training cycles through; 0 means new ones every time. */
  trainLevels: whole(0, 1_000_000),
  maxTurns: whole(1, 50),
  /** Maximum actions played per response. Absent: 1. */
  maxActionsPerTurn: z.optional(whole(1, 20)),
  /** Reward of a response that names no action, which wastes the turn. */
  formatPenalty: real(-10, 0),
  /** Whether a response must begin with a think block. Absent: no. */
  think: z.optional(z.boolean()),
  /** Name of the definition that replaces the environment's rewards. Absent: none. */
  reward: z.optional(z.string()),
  /** Name of the definition that writes the messages of a model that reads text. Absent: none. */
  prompt: z.optional(z.string()),
});

/** A spec's environment, distinguished by its kind. */
export const environment = z.discriminatedUnion("kind", [
  sokoban,
  webshop,
  frozenLake,
  bandit,
  defined,
]);

export const environmentKinds = environment.def.options.map(
  ({ shape }) => shape.kind.def.values[0]!,
);
