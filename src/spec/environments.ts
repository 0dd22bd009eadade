/**
 * What a spec says of its environment, one schema per kind. All have `trainLevels`, `maxTurns` and `formatPenalty`; what
 * each is played, drawn and written down with stands in `env/descriptors.ts` under the same kind.
 */
import { real, whole, z } from "./zod.ts";

const sokoban = z.strictObject({
  kind: z.literal("sokoban"),
  /** Rows and columns of a generated level. */
  rows: whole(5, 16),
  columns: whole(5, 16),
  boxes: whole(1, 6),
  /** Recursion budget of RAGEN's reverse play; above 900 RAGEN itself fails. */
  searchDepth: whole(2, 900),
  /** Distinct levels that training draws from, again and again; 0 means ever new ones. */
  trainLevels: whole(0, 1_000_000),
  maxTurns: whole(1, 50),
  maxActions: whole(1, 200),
  maxActionsPerTurn: whole(1, 20),
  formatPenalty: real(-10, 0),
  /** A turn of fewer actions is played, but is bad form; equal to maxActionsPerTurn all turns are alike. Absent: 1. */
  minActionsPerTurn: whole(1, 20).optional(),
  /** Paid for every action; gym-sokoban's penalty_for_step. Absent: -0.1. */
  stepCost: real(-10, 10).optional(),
  /** Paid when the level is solved; gym-sokoban's reward_finished. Absent: 10. */
  successBonus: real(-100, 100).optional(),
  /** How often a move goes in one of the other directions. Absent: never. */
  slip: real(0, 1).optional(),
  /** How often an inner cell of the shown board is shown wrongly; the board itself stays as it is. Absent: never. */
  observationNoise: real(0, 1).optional(),
  /** Whether a response must begin with a think block. Absent: not. */
  think: z.boolean().optional(),
  /** Name of the definition that pays turns in place of the environment. Absent: none. */
  reward: z.string().optional(),
});

const webshop = z.strictObject({
  kind: z.literal("webshop"),
  /** Seed of the generated shop. */
  catalogSeed: whole(0, 2 ** 32 - 1),
  /** What is recorded of each page, and shown to models that read text: WebShop's two text modes. */
  observation: z.enum(["text", "text_rich"]),
  /** Distinct goals that training draws from, again and again; 0 means all that are not held out. */
  trainLevels: whole(0, 1_000_000),
  maxTurns: whole(1, 50),
  /** WebShop itself punishes nothing: 0. */
  formatPenalty: real(-10, 0),
  /** Whether a response must begin with a think block. */
  think: z.boolean(),
  /** Name of the definition that pays turns in place of the environment. Absent: none. */
  reward: z.string().optional(),
});

const frozenLake = z.strictObject({
  kind: z.literal("frozenlake"),
  /** Rows and columns of a random map. */
  size: whole(3, 8),
  /** One of Gymnasium's maps for all episodes, whatever the size: then only luck is held out. Absent: random ones. */
  map: z.enum(["4x4", "8x8"]).optional(),
  /** Probability that a tile is frozen and no hole; the map is drawn again until there is a way across. */
  frozenProbability: real(0.5, 1),
  /** How often a step goes to one side or the other of where it should. */
  slip: real(0, 1),
  /** Distinct maps that training draws from, again and again; 0 means ever new ones. */
  trainLevels: whole(0, 1_000_000),
  maxTurns: whole(1, 50),
  maxActions: whole(1, 200),
  /** Few, so that the best player can be computed. */
  maxActionsPerTurn: whole(1, 3),
  formatPenalty: real(-10, 0),
  /** Whether a response must begin with a think block. Absent: not. */
  think: z.boolean().optional(),
  /** Name of the definition that pays turns in place of the environment. Absent: none. */
  reward: z.string().optional(),
});

const bandit = z.strictObject({
  kind: z.literal("bandit"),
  /** What the steady arm always pays. */
  steadyReward: real(-10, 10),
  /** What the daring arm pays when it pays; else it pays nothing. */
  daringReward: real(-10, 10),
  daringProbability: real(0, 1),
  /** Distinct games that training draws from, again and again; 0 means ever new ones. */
  trainLevels: whole(0, 1_000_000),
  /** A turn without a known name is a turn lost. */
  maxTurns: whole(1, 50),
  formatPenalty: real(-10, 0),
  /** Whether a response must begin with a think block. Absent: not. */
  think: z.boolean().optional(),
  /** Name of the definition that pays turns in place of the environment. Absent: none. */
  reward: z.string().optional(),
});

/** Played by code of the spec's own. */
const defined = z.strictObject({
  kind: z.literal("defined"),
  /** Name of the definition that plays it. */
  definition: z.string(),
  /** Distinct tasks that training draws from, again and again; 0 means ever new ones. */
  trainLevels: whole(0, 1_000_000),
  maxTurns: whole(1, 50),
  /** Actions of one response that are played. Absent: 1. */
  maxActionsPerTurn: whole(1, 20).optional(),
  /** Paid for a response that names no action, which is a turn lost. */
  formatPenalty: real(-10, 0),
  /** Whether a response must begin with a think block. Absent: not. */
  think: z.boolean().optional(),
  /** Name of the definition that pays turns in place of the environment. Absent: none. */
  reward: z.string().optional(),
});

/** A spec's environment, distinguished by its kind. */
export const environment = z.discriminatedUnion("kind", [
  sokoban,
  webshop,
  frozenLake,
  bandit,
  defined,
]);

export const environmentKinds = environment.options.map(({ shape }) => shape.kind.value);
