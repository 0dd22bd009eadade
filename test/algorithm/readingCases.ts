/** The readable algorithms beside the rows of the table that compute the same, on many batches. */
import type * as registry from "../../src/algorithm/registry.ts";
import type { Objective } from "../../src/algorithm/registry.ts";
import { normals } from "../../src/numeric/rng.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import type * as algorithms from "../../src/spec/algorithms.ts";
import { randomBatch, type Draw } from "./batches.ts";

/** What a row of the table is computed with. */
export type Table = Pick<typeof registry, "computeCredit" | "computeObjective"> &
  Pick<typeof algorithms, "resolveAlgorithm">;

/** What each readable file exports. */
export interface Reading {
  credit(
    batch: TrajectoryBatch,
    settings: algorithms.AlgorithmConfig,
  ): Record<"adv" | "ret", Float64Array>;
  objective(
    batch: TrajectoryBatch,
    credit: Record<"adv" | "ret", Float64Array>,
    settings: algorithms.AlgorithmConfig & { entropyCoef: number },
    entropy: Float64Array,
  ): Pick<Objective, "loss" | "dLogprob" | "dEntropy" | "valueLoss" | "dValue">;
}

export const readRows = ["grpo", "token-ppo", "turn-ppo"] as const;
export type ReadRow = (typeof readRows)[number];
export type Readings = Record<ReadRow, Reading>;

interface Case {
  name: string;
  batch: TrajectoryBatch;
  /** In place of the row's defaults. */
  set: Record<string, number | null>;
  entropyCoef: number;
}

const other = { gamma: 0.9, lambda: 0.7, epsLow: 0.1, epsHigh: 0.28, dualClip: 1.5, betaKl: 0.3 };

const shapes: Record<string, Draw> = {
  few: {},
  "one token": { trajectories: 1, turns: 1, tokens: 1, exact: true },
  "turns of one token": { trajectories: 6, turns: 5, tokens: 1, spread: 0.4 },
  "one long turn each": { trajectories: 5, turns: 1, tokens: 30, spread: 0.2 },
  uneven: { trajectories: 9, turns: 6, tokens: 8, spread: 0.3 },
  "far from the old policy": { trajectories: 8, turns: 3, tokens: 5, spread: 14 },
};

/** Every shape under the defaults and under other settings. */
export function cases(): Case[] {
  const drawn = Object.entries(shapes).flatMap(([shape, draw], i) =>
    [0, 1].map((seed) => ({ shape, batch: randomBatch(2 * i + seed, draw) })),
  );
  const batches = [
    ...drawn,
    ...drawn.map(({ shape, batch }) => ({ shape: `${shape}, tokens paid`, batch: paid(batch) })),
    { shape: "equal rewards", batch: equalRewards() },
  ];
  return batches.flatMap(({ shape, batch }) => [
    { name: `${shape}, defaults`, batch, set: {}, entropyCoef: 0 },
    { name: `${shape}, other settings`, batch, set: other, entropyCoef: 0.05 },
  ]);
}

/** Tokens have rewards of their own, one group has three, and ended episodes a value that must not count. */
function paid(batch: TrajectoryBatch): TrajectoryBatch {
  const key = { seed: 7, stream: "paid", iteration: 0, trajectory: 0, step: 0 };
  return {
    ...batch,
    task: batch.task.map((name, b) => (b < 3 ? "t0" : name)),
    bootstrapValue: batch.bootstrapValue.map((v, b) => (batch.terminated[b] ? 3 + b : v)),
    tokenReward: normals(key, batch.tokenStart.at(-1)!),
  };
}

/** Nothing to choose between: returns and advantages are equal, and 0.1 + 0.1 + 0.1 is not 0.3. */
function equalRewards(): TrajectoryBatch {
  const token = { logprob: -1, oldLogprob: -1.5, refLogprob: -1, value: 0, newValue: 0.5 };
  const turn = { reward: 0.1, value: 0, newValue: 0.3, tokens: [token] };
  return decodeBatch({ trajectories: [0, 1, 2].map(() => ({ task: "t", turns: [turn] })) });
}

/** Where a reading first leaves its row, with both numbers; null where they agree to 1e-12. */
export function firstDifference(table: Table, readings: Readings, rows: readonly ReadRow[]) {
  for (const row of rows) {
    for (const one of cases()) {
      const [expected, found] = [ofTable(table, row, one), ofReading(table, readings, row, one)];
      for (const [name, x] of Object.entries(expected)) {
        const at = x.findIndex((y, i) => !isClose(found[name as keyof typeof found][i]!, y));
        if (at < 0 && x.length === found[name as keyof typeof found].length) continue;
        return `${row}, ${one.name}: ${name}[${at}] is ${found[name as keyof typeof found][at]}, not ${x[at]}`;
      }
    }
  }
  return null;
}

/** Of numbers above 1 relative: ratios reach e^20. */
function isClose(x: number, y: number): boolean {
  return Math.abs(x - y) <= 1e-12 * Math.max(1, Math.abs(y));
}

/** One entropy a token. [N] */
function entropyOf({ logprob }: TrajectoryBatch): Float64Array {
  return logprob!.map((x, t) => Math.abs(x) / (1 + (t % 3)));
}

/** What the row computes, with 0 where a null says that there is nothing. */
export function ofTable(table: Table, row: ReadRow, { batch, set, entropyCoef }: Case) {
  const config = table.resolveAlgorithm(row, setOf(row, set));
  const credit = table.computeCredit(config, batch);
  const options = { entropy: entropyOf(batch), entropyCoef };
  const made = table.computeObjective(config, batch, credit, options);
  return {
    adv: [...(row === "turn-ppo" ? credit.turnAdvantage : credit.tokenAdvantage)],
    ret: [...(credit.tokenReturn ?? credit.turnReturn ?? [])],
    losses: [made.loss, made.valueLoss ?? 0],
    dLogprob: [...made.dLogprob],
    dEntropy: [...(made.dEntropy ?? made.dLogprob.map(() => 0))],
    dValue: [...(made.dValue ?? [])],
  };
}

function ofReading(table: Table, readings: Readings, row: ReadRow, one: Case) {
  const { batch, set, entropyCoef } = one;
  const settings = { ...table.resolveAlgorithm(row, setOf(row, set)), entropyCoef };
  const { credit, objective } = readings[row];
  const given = credit(batch, settings);
  const made = objective(batch, given, settings, entropyOf(batch));
  return {
    adv: [...given.adv],
    ret: row === "grpo" ? [] : [...given.ret],
    losses: [made.loss, made.valueLoss ?? 0],
    dLogprob: [...made.dLogprob],
    dEntropy: [...made.dEntropy!],
    dValue: [...(made.dValue ?? [])],
  };
}

/** GRPO has no dual clip. */
function setOf(row: ReadRow, set: Case["set"]): Case["set"] {
  return row === "grpo" && "dualClip" in set ? { ...set, dualClip: null } : set;
}
