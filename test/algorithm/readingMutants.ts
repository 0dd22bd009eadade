/** Forty slips: each is one change of a source text, which the comparison of readings and rows must notice. */

/** The old text occurs exactly once in the file; a list that has grown stale fails. */
export type Mutant = readonly [file: string, old: string, now: string];

const grpo = "algorithm/reading/grpo.ts";
const tokenPpo = "algorithm/reading/tokenPpo.ts";
const turnPpo = "algorithm/reading/turnPpo.ts";

export const readingMutants: readonly Mutant[] = [
  [grpo, "r + inside[h]!", "r"],
  [grpo, "task[c] === name", "c >= 0"],
  [grpo, "return 0; // nothing", "return group[0]!; // nothing"],
  [grpo, "group.every((R) => R === group[0]) ? group[0]! : mean(group)", "mean(group)"],
  [grpo, "+ 1e-6", "+ 1e-4"],
  [grpo, "1 - epsLow, w", "1 - epsHigh, w"],
  [grpo, "(N_b) => 1 / (B * N_b)", "() => 1 / start.at(-1)!"],
  [grpo, "exp(x) - 1 - x", "0.5 * x * x"],
  [grpo, "gain[t] === x && ", ""],
  [grpo, "Math.abs(d[t]!) <= 20", "true"],
  [tokenPpo, "tokenStart[h + 1]! - 1", "tokenStart[h]!"],
  [tokenPpo, "terminated[b] ? 0 : ", ""],
  [tokenPpo, "gamma * lambda * nextAdv", "lambda * nextAdv"],
  [tokenPpo, "const n = N + 1e-8", "const n = N"],
  [tokenPpo, "A < 0 && dualClip", "dualClip"],
  [tokenPpo, "sum + 0.5 *", "sum +"],
  [turnPpo, "segmentSum(bounded", "segmentMean(bounded"],
  [turnPpo, "squares / (K - 1)", "squares / K"],
  [turnPpo, "(K_b) => 1 / (B * K_b)", "() => 1 / value.length"],
  [turnPpo, "(1 - exp(x)) / n[t]!", "1 - exp(x)"],
];

export const tableMutants: readonly Mutant[] = [
  ["method/credit/rewards.ts", "tokenStart[k + 1]! - 1", "tokenStart[k]!"],
  ["method/credit/rewards.ts", "batch.terminated[b] ? 0 : v", "v"],
  ["method/credit/gae.ts", "gamma * lambda[b]! * nextAdv", "gamma * nextAdv"],
  ["method/credit/gae.ts", "nextAdv + value[k]! : nextTarget", "nextAdv : nextTarget"],
  ["method/credit/whiten.ts", "/ (n - 1)", "/ n"],
  ["method/credit/whiten.ts", "VERL_COUNT_EPSILON = 1e-8", "VERL_COUNT_EPSILON = 0"],
  ["method/credit/groupScores.ts", 'alone === "score" ? 0 :', 'alone !== "score" ? 0 :'],
  ["method/credit/groupScores.ts", "spread + 1e-6", "spread + 1e-9"],
  ["method/credit/groupScores.ts", "equal ? score[0]! : mean(score)", "mean(score)"],
  ["method/objective/ratio.ts", "LOG_RATIO_LIMIT = 20", "LOG_RATIO_LIMIT = 10"],
  ["method/objective/ratio.ts", "held[t] !== d[t] ? 0 : ", ""],
  ["method/clip/range.ts", "epsLow * scale, epsHigh * scale", "epsHigh * scale, epsLow * scale"],
  ["method/clip/range.ts", "A < 0 && dualClip", "dualClip"],
  ["method/clip/range.ts", "clipped[u] || clippedLower[u] ? 0", "clipped[u] ? 0"],
  [
    "method/objective/aggregate.ts",
    'trajectory: "tokens",\n    turn: true',
    "trajectory: null,\n    turn: true",
  ],
  ["method/objective/valueLoss.ts", "totals.trajectories * K_b", "totals.trajectories"],
  ["method/objective/kl.ts", "[value, 1 - e]", "[value, e - 1]"],
  ["method/objective/entropy.ts", "loss: -coef * entropy", "loss: coef * entropy"],
  ["algorithm/objective.ts", '.turn ? "token-mean"', '.turn ? "turn-mean"'],
  ["spec/algorithmRows.ts", 'whiten: "turns", dualClip: 3', 'whiten: "tokens", dualClip: 3'],
];
