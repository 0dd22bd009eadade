/**
 * The example of the algorithms page: two groups of four rollouts with made-up rewards and critic
 * values, of which the first rollout is drawn. Every number that the page draws from it is computed
 * by the rows' own code.
 */
import { computeCredit } from "../../algorithm/credit.ts";
import { decodeBatch } from "../../record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { algorithmFamily, type Family } from "../../spec/algorithmDocs/families.ts";

/** What a credit is assigned to. */
type Unit = "episode" | "turn" | "token";

export interface ExampleCredit {
  /** By turn and token, as they enter the loss. [4][2] */
  turns: readonly (readonly number[])[];
  /** The coarsest unit within which all credits are equal. */
  unit: Unit;
  family: Family;
}

interface ExampleTurn {
  /** Shown; only for the drawn rollout. */
  board?: string;
  text?: string;
  /** Name of the state before the turn; rollouts that reach the same state share it. */
  state: string;
  reward: number;
  /** V(s) before the turn, and of the prefix before each of its two tokens. */
  value: number;
  tokens: readonly [number, number];
}

const turn = (state: string, reward: number, value: number, second: number): ExampleTurn => ({
  state,
  reward,
  value,
  tokens: [value, second],
});

/**
 * The box is pushed up twice: the first turn steps away from it, the second comes back below it.
 */
export const DRAWN: readonly Required<ExampleTurn>[] = [
  {
    ...turn("start", -0.1, 8, 3),
    board: "#####\n#_O_#\n#___#\n#_X_#\n#_P_#\n#####",
    text: "Left",
  },
  {
    ...turn("left", -0.1, 1.5, 4),
    board: "#####\n#_O_#\n#___#\n#_X_#\n#P__#\n#####",
    text: "Right",
  },
  {
    ...turn("start-late", -0.1, 6, 8),
    board: "#####\n#_O_#\n#___#\n#_X_#\n#_P_#\n#####",
    text: "Up",
  },
  {
    ...turn("pushed", 10.9, 9, 10),
    board: "#####\n#_O_#\n#_X_#\n#_P_#\n#___#\n#####",
    text: "Up",
  },
];

const LOST = [turn("start", -0.1, 8, 5), turn("up", -0.1, 4, 2), turn("corner", -0.1, 1, 0)];
const QUICK = [turn("start", -0.1, 8, 8.5), turn("pushed", 10.9, 9, 10)];
const HARD = [turn("far", -0.1, 2, 1), turn("near", 10.9, 5, 8)];
const STUCK = [turn("far", -0.1, 2, 1), turn("wall", -0.1, 0.5, 0)];

/**
 * Information gains come from the critic: the difference between the next turn's V and this one's.
 */
function trajectory(task: string, turns: readonly ExampleTurn[]) {
  return {
    task,
    terminated: true,
    success: turns.at(-1)!.reward > 0,
    greedyScore: task === "box" ? 5 : 1,
    turns: turns.map(({ state, reward, value, tokens }, h) => ({
      reward,
      value,
      newValue: value,
      anchor: state,
      // What leads to the next state.
      action: turns[h + 1]?.state ?? "end",
      gain: (turns[h + 1]?.value ?? value) - value,
      format: 0,
      tokens: tokens.map((v) => ({
        oldLogprob: -1,
        logprob: -1,
        refLogprob: -1,
        rolloutLogprob: -1,
        sumPiSquared: 0.3,
        value: v,
        newValue: v,
      })),
    })),
  };
}

/** Eight rollouts of two tasks. */
export function exampleBatch(): TrajectoryBatch {
  return decodeBatch({
    trajectories: [
      ...[DRAWN, LOST, QUICK, LOST].map((turns) => trajectory("box", turns)),
      ...[HARD, STUCK, HARD, HARD].map((turns) => trajectory("wall", turns)),
    ],
  });
}

/**
 * The row's credit for the drawn rollout. @throws InputError if the example lacks what it needs.
 */
export function exampleCredit(config: AlgorithmConfig, batch: TrajectoryBatch): ExampleCredit {
  const { tokenAdvantage } = computeCredit(config, batch);
  const turns = DRAWN.map((_, h) => [
    ...tokenAdvantage.slice(batch.tokenStart[h], batch.tokenStart[h + 1]),
  ]);
  return { turns, unit: unitOf(turns), family: algorithmFamily(config) };
}

function unitOf(turns: readonly (readonly number[])[]): Unit {
  if (equal(turns.flat())) return "episode";
  return turns.every(equal) ? "turn" : "token";
}

/** Up to rounding. */
function equal(values: readonly number[]): boolean {
  return values.every((one) => Math.abs(one - values[0]!) < 1e-9);
}
