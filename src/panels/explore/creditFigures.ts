/** Figures on credit itself: moving a reward, growing a group, GAE from the end, and how far a reward reaches. */
import { compareInGroups } from "../../method/credit/groupScores.ts";
import { uniforms } from "../../numeric/rng.ts";
import { formatBrief, formatPercent, formatSignedBrief } from "../../numeric/format.ts";
import { columnNames, episodeGae, handle, type Exploration } from "./exploration.ts";

const gammaHandle = handle("gamma", "discount γ", [0.5, 1, 0.01], 1);
const lambdaHandle = handle("lambda", "λ", [0, 1, 0.05], 0.95);

/** A reward is moved between turns, and scaled: which estimators notice? */
export const rewardFigure: Exploration = {
  title: "Move the reward",
  needs: ["rewards", "values"],
  handles: [
    handle("size", "bonus", [-10, 10, 0.5], 5),
    handle("turn", "paid at turn", [1, 5, 1], 1),
    { ...lambdaHandle, start: 0.5 },
  ],
  show({ size = 0, turn = 1, lambda = 1 }, { rewards = [], values = [] }) {
    const at = Math.min(turn, rewards.length) - 1;
    const paid = rewards.map((r, h) => r + (h === at ? size : 0)); // [H]
    const total = paid.reduce((sum, r) => sum + r, 0);
    const { adv } = episodeGae(paid, values, 1, lambda);
    const before = episodeGae(rewards, values, 1, lambda).adv;
    const moved = Array.from(adv, (A, h) => A - before[h]!); // [H]
    const changed = moved.filter((x) => Math.abs(x) > 1e-9).length;
    return {
      columns: columnNames("turn", rewards.length),
      rows: [
        { name: "reward", kind: "amount", values: paid },
        { name: "return of the episode", kind: "credit", values: paid.map(() => total) },
        { name: "turn credit (GAE)", kind: "credit", values: [...adv] },
        { name: "changed by the bonus", kind: "credit", values: moved },
      ],
      says: `The episode's return is ${formatBrief(total)} wherever the bonus is paid. GAE changes the credit of ${changed} of ${rewards.length} turns: none that comes after the bonus.`,
    };
  },
};

/** A growing group: its mean settles, and the value of one success changes. */
export const groupFigure: Exploration = {
  title: "Grow the group",
  handles: [
    handle("size", "rollouts", [2, 12, 1], 4),
    handle("chance", "chance to solve", [0.05, 0.95, 0.05], 0.25),
    handle("draw", "draw", [1, 20, 1], 1),
  ],
  show({ size = 2, chance = 0.5, draw = 1 }) {
    const key = { seed: draw, stream: "explore-group", iteration: 0, trajectory: 0, step: 0 };
    const scores = uniforms(key, size).map((u) => (u < chance ? SOLVED : FAILED)); // [G]
    const names = Array.from(scores, () => "group");
    const { adv, mean } = compareInGroups(scores, names, "sample");
    const solved = scores.filter((x) => x === SOLVED).length;
    const expected = chance * SOLVED + (1 - chance) * FAILED;
    const signal =
      solved === 0 || solved === size
        ? "All scored the same, so the group says nothing: every advantage is 0."
        : `Each success gets ${formatSignedBrief(adv[scores.indexOf(SOLVED)]!)}, each failure ${formatSignedBrief(adv[scores.indexOf(FAILED)]!)}.`;
    return {
      columns: columnNames("rollout", size),
      rows: [
        { name: "reward", kind: "amount", values: [...scores] },
        { name: "advantage", kind: "credit", values: [...adv] },
      ],
      says: `${solved} of ${size} solved: mean ${formatBrief(mean[0]!)}, expected ${formatBrief(expected)}. ${signal}`,
    };
  },
};

/** Rewards of a solved and of a failed rollout of Sokoban: ten moves at -0.1 each, 11 for the box on its target. */
const SOLVED = 10;
const FAILED = -1;

/** GAE as it is computed: from the last turn back. */
export const backwardsFigure: Exploration = {
  title: "GAE, from the end",
  needs: ["rewards", "values"],
  handles: [handle("steps", "turns done", [0, 8, 1], 1), gammaHandle, lambdaHandle],
  show({ steps = 0, gamma = 1, lambda = 1 }, { rewards = [], values = [] }) {
    const turns = rewards.length;
    const { delta, adv } = episodeGae(rewards, values, gamma, lambda);
    const first = Math.max(0, turns - steps);
    const done = (x: Float64Array) => Array.from(x, (value, h) => (h >= first ? value : null));
    return {
      columns: columnNames("turn", turns),
      rows: [
        { name: "reward r", kind: "amount", values: rewards },
        { name: "value V(s)", kind: "amount", values },
        { name: "TD error δ", kind: "credit", values: done(delta) },
        { name: "advantage A", kind: "credit", values: done(adv) },
      ],
      says:
        first === turns
          ? "Nothing is computed yet."
          : sayStep(first, { rewards, values, delta, adv, gamma, lambda }),
    };
  },
};

interface CreditSteps {
  rewards: readonly number[];
  values: readonly number[];
  delta: Float64Array;
  adv: Float64Array;
  gamma: number;
  lambda: number;
}

function sayStep(h: number, { rewards, values, delta, adv, gamma, lambda }: CreditSteps): string {
  const nextValue = values[h + 1] ?? 0;
  const nextAdv = adv[h + 1] ?? 0;
  return (
    `Turn ${h + 1}: δ = ${formatBrief(rewards[h]!)} + ${formatBrief(gamma)} · ${formatBrief(nextValue)} − ${formatBrief(values[h]!)} = ${formatBrief(delta[h]!)}; ` +
    `A = ${formatBrief(delta[h]!)} + ${formatBrief(gamma * lambda)} · ${formatBrief(nextAdv)} = ${formatBrief(adv[h]!)}.`
  );
}

/**
 * How much of the last reward reaches each turn, with a step per turn and with a step per token.
 */
export const reachFigure: Exploration = {
  title: "How far a reward reaches",
  handles: [
    handle("turns", "turns", [2, 8, 1], 5),
    handle("tokens", "tokens a turn", [1, 200, 1], 40),
    { ...lambdaHandle, step: 0.01 },
  ],
  show({ turns = 2, tokens = 1, lambda = 1 }) {
    // The last reward is a TD error at the last step; a credit k steps before it contains lambda^k
    // of it.
    const byTurn = Array.from({ length: turns }, (_, h) => lambda ** (turns - 1 - h));
    const byToken = Array.from({ length: turns }, (_, h) => lambda ** ((turns - h) * tokens - 1));
    return {
      columns: columnNames("turn", turns),
      rows: [
        { name: "one step a turn", kind: "credit", values: byTurn },
        { name: "one step a token (first token)", kind: "credit", values: byToken },
      ],
      says: `Of a surprise at the end, the first turn is credited with ${formatPercent(byTurn[0]!)} by turns, and its first token with ${formatPercent(byToken[0]!)} by tokens, ${turns * tokens - 1} steps away.`,
    };
  },
};
