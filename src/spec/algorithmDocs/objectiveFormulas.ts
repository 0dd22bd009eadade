/** A row's ratio, clip, loss and what is done to the gradient, in KaTeX; built from its choices. */
import type { AlgorithmConfig } from "../algorithms.ts";
import { advantageLevel } from "./advantageFormulas.ts";
import type { AdvantageLevel } from "../../method/formula/parts.ts";
import { lines, type TexPiece, type Writer } from "../../method/formula/tex.ts";
import type { Binding } from "../../method/formula/vocabulary.ts";

const UNITS: Record<AlgorithmConfig["ratio"], AdvantageLevel> = {
  none: "token",
  token: "token",
  "turn-product": "turn",
  "turn-geomean": "turn",
  "sequence-geomean": "trajectory",
};

/** What one term of the objective covers: what a ratio covers, unless ratios are mere weights of tokens. */
export function unitOf({ ratio, clip }: AlgorithmConfig): AdvantageLevel {
  return clip === "weight" ? "token" : UNITS[ratio];
}

/** What one ratio covers. */
export function ratioLevelOf({ ratio }: AlgorithmConfig): AdvantageLevel {
  return UNITS[ratio];
}

/** The ratio that a unit's objective has in it. */
function ratioOf(config: AlgorithmConfig): Binding {
  return `${ratioLevelOf(config)}.ratio`;
}

const ORDER: readonly AdvantageLevel[] = ["token", "turn", "trajectory"];

/** The advantage of a unit: its own, or that of the longer unit it is part of. */
function unitAdvantage(config: AlgorithmConfig): Binding {
  const [unit, own] = [unitOf(config), advantageLevel(config)];
  return `${ORDER.indexOf(own) > ORDER.indexOf(unit) ? own : unit}.advantage`;
}

/** A unit longer than what advantages belong to takes their mean over its tokens. */
function meanAdvantage(config: AlgorithmConfig, f: Writer): TexPiece[] {
  const [unit, own] = [unitOf(config), advantageLevel(config)];
  if (ORDER.indexOf(own) >= ORDER.indexOf(unit)) return [];
  const mine = f`${`${own}.advantage`}`;
  if (unit === "turn")
    return [f`${"turn.advantage"} &= \frac{1}{${"turn.tokens"}}\sum_{t\in h} ${mine}`];
  const sum = own === "turn" ? f`\sum_{h\in b} n_h\, ${mine}` : f`\sum_{t\in b} ${mine}`;
  return [f`${"trajectory.advantage"} &= \frac{1}{${"trajectory.tokens"}}${sum}`];
}

/** Importance ratios; null where there are none. */
export function ratioFormula(config: AlgorithmConfig, f: Writer): TexPiece | null {
  const { ratio, clip } = config;
  if (ratio === "none") return null;
  const d = f`${"token.logRatio"} &= ${"token.logprob"} - ${"token.oldLogprob"}`;
  if (clip !== "log-geomean") return lines(d, RATIOS[ratio](f, "token.logRatio"));
  return lines(d, heldLogRatio(config, f), RATIOS[ratio](f, "token.clippedLogRatio"));
}

const RATIOS: Record<
  Exclude<AlgorithmConfig["ratio"], "none">,
  (f: Writer, d: Binding) => TexPiece
> = {
  token: (f, d) => f`${"token.ratio"} &= \exp ${d}`,
  "turn-product": (f, d) => f`${"turn.ratio"} &= \exp\Big(\sum_{t\in h} ${d}\Big)`,
  "turn-geomean": (f, d) =>
    f`${"turn.ratio"} &= \exp\Big(\frac{1}{${"turn.tokens"}}\sum_{t\in h} ${d}\Big)`,
  "sequence-geomean": (f, d) =>
    f`${"trajectory.ratio"} &= \exp\Big(\frac{1}{${"trajectory.tokens"}}\sum_{t\in b} ${d}\Big)`,
};

/** GMPO: log-ratios are held back before they are pooled, on the side that the advantage pushes to. */
function heldLogRatio(config: AlgorithmConfig, f: Writer): TexPiece {
  const [d, A]: [Binding, Binding] = ["token.logRatio", `${advantageLevel(config)}.advantage`];
  const up = f`\min\big(${d},\, ${"settings.epsHigh"}\big)`;
  const down = f`\max\big(${d},\, -${"settings.epsLow"}\big)`;
  return f`${"token.clippedLogRatio"} &= \begin{cases}${up} & ${A} > 0\\ ${down} & ${A} < 0\end{cases}`;
}

/** What one unit adds to the objective. */
export function surrogateFormula(config: AlgorithmConfig, f: Writer): TexPiece {
  return lines(...meanAdvantage(config, f), ...surrogateLines(config, f));
}

function surrogateLines(config: AlgorithmConfig, f: Writer): TexPiece[] {
  const J: Binding = `${unitOf(config)}.surrogate`;
  const [w, A] = [ratioOf(config), unitAdvantage(config)];
  if (config.ratio === "none") return [f`${J} &= ${A}·${"token.logprob"}`];
  if (config.clip === "log-geomean") return [f`${J} &= ${w}·${A}`];
  if (config.clip === "weight")
    return [f`${J} &= \mathrm{sg}\big[${clipped(config, f)}\big]·${A}·${"token.logprob"}`];
  const min = f`${J} &= \min\big(${w}·${A},\; ${clipped(config, f)}·${A}\big)`;
  return [min, ...adaptive(config, f), ...dual(config, f, J, A)];
}

function clipped(config: AlgorithmConfig, f: Writer): TexPiece {
  const c = config.clip === "adaptive" ? f`·${"turn.clipScale"}` : f``;
  return f`\mathrm{clip}\big(${ratioOf(config)},\, 1-${"settings.epsLow"}${c},\, 1+${"settings.epsHigh"}${c}\big)`;
}

function adaptive({ clip }: AlgorithmConfig, f: Writer): TexPiece[] {
  if (clip !== "adaptive") return [];
  return [
    f`${"turn.clipScale"} &= 1 + ${"settings.epsSpread"}·\big(2\,\sigma(${"turn.gainScore"}) - 1\big)\ \text{ (1 in the last turn)}`,
  ];
}

function dual({ dualClip }: AlgorithmConfig, f: Writer, J: Binding, A: Binding): TexPiece[] {
  if (dualClip === null) return [];
  return [
    f`${J} &\leftarrow \max\big(${J},\, ${"settings.dualClip"}·${A}\big)\quad\text{if } ${A} < 0`,
  ];
}

/** Weight of a token in each aggregation, as its factors. */
interface SumFactors {
  /** In front of everything. */
  outer: "tokens" | "turns" | "trajectories" | "horizon" | null;
  /** Each trajectory is divided by its count of these. */
  trajectory: "tokens" | "turns" | null;
  /** Each turn is divided by its count of tokens. */
  turn: boolean;
}

export const sumFactors: Record<AlgorithmConfig["aggregation"], SumFactors> = {
  "token-mean": { outer: "tokens", trajectory: null, turn: false },
  "token-sum": { outer: null, trajectory: null, turn: false },
  "seq-mean-token-mean": { outer: "trajectories", trajectory: "tokens", turn: false },
  "seq-mean-token-sum": { outer: "trajectories", trajectory: null, turn: false },
  "seq-mean-token-sum-norm": { outer: "horizon", trajectory: null, turn: false },
  "turn-mean": { outer: "turns", trajectory: null, turn: true },
  "traj-turn-mean": { outer: "trajectories", trajectory: "turns", turn: true },
  "turnsum-over-tokens": { outer: "trajectories", trajectory: "tokens", turn: true },
};

/** The loss that is made small: minus the aggregated objective, plus the pull towards the reference. */
export function lossFormula(config: AlgorithmConfig, f: Writer): TexPiece {
  const sum = sumFactors[config.aggregation];
  const policy = f`L &= -${outerFactor(sum, config, f)}${innerSum(sum, unitOf(config), f)}`;
  if (config.betaKl === 0) return lines(policy);
  const x = f`${"token.refLogprob"} - ${"token.logprob"}`;
  return lines(
    f`${policy} + ${"settings.betaKl"}·\sum_t ${"token.weight"}\,\big(e^{x_t} - 1 - x_t\big)`,
    f`x_t &= ${x}`,
  );
}

function outerFactor({ outer }: SumFactors, { horizon }: AlgorithmConfig, f: Writer): TexPiece {
  if (outer === null) return f``;
  if (outer !== "horizon") return f`\frac{1}{${`batch.${outer}`}}`;
  const divisor: Binding = horizon === null ? "batch.longest" : "settings.horizon";
  return f`\frac{1}{${"batch.trajectories"}·${divisor}}`;
}

/** Sums over units; a unit longer than a token counts as each of its tokens would. */
function innerSum(sum: SumFactors, unit: AdvantageLevel, f: Writer): TexPiece {
  if (unit === "token") return tokenSum(sum, f);
  return unit === "turn" ? turnSum(sum, f) : trajectorySum(sum, f);
}

function tokenSum(sum: SumFactors, f: Writer): TexPiece {
  const J = f`${"token.surrogate"}`;
  const front = trajectoryFront(sum, f);
  if (sum.turn) {
    const turns = front ? f`\sum_{h\in b}` : f`\sum_h`;
    return f`${front ?? f``}${turns}\frac{1}{${"turn.tokens"}}\sum_{t\in h} ${J}`;
  }
  return front ? f`${front}\sum_{t\in b} ${J}` : f`\sum_t ${J}`;
}

function turnSum(sum: SumFactors, f: Writer): TexPiece {
  const each = sum.turn ? f`${"turn.surrogate"}` : f`${"turn.tokens"}\,${"turn.surrogate"}`;
  const front = trajectoryFront(sum, f);
  return front ? f`${front}\sum_{h\in b} ${each}` : f`\sum_h ${each}`;
}

/** The sum over trajectories with its divisor; null where a sum over all units says the same. */
function trajectoryFront({ outer, trajectory }: SumFactors, f: Writer): TexPiece | null {
  if (trajectory) return f`\sum_b \frac{1}{${`trajectory.${trajectory}`}}`;
  return outer === "trajectories" || outer === "horizon" ? f`\sum_b` : null;
}

function trajectorySum({ trajectory, turn }: SumFactors, f: Writer): TexPiece {
  const count = turn ? "turns" : "tokens";
  const J = f`${"trajectory.surrogate"}`;
  if (trajectory === count) return f`\sum_b ${J}`;
  const many = f`${`trajectory.${count}`}`;
  return trajectory
    ? f`\sum_b \frac{${many}}{${`trajectory.${trajectory}`}}\,${J}`
    : f`\sum_b ${many}\,${J}`;
}

/** Which groups take part; null where all do. */
export function filterFormula({ filter }: AlgorithmConfig, f: Writer): TexPiece | null {
  if (filter === "none") return null;
  if (filter === "mixed") return f`g \text{ takes part} \iff ${"group.std"} > 0`;
  if (filter === "accuracy")
    return f`g \text{ takes part} \iff 0 < ${"group.solved"} < ${"group.size"}`;
  return f`g \text{ takes part} \iff ${"group.std"} \text{ is among the largest } ${"settings.filterKeep"} \text{ of all groups}`;
}

/** What the gradient is divided by; null where it is not. */
export function correctionFormula(config: AlgorithmConfig, f: Writer): TexPiece | null {
  if (config.clipBias === "none") return null;
  const D = DENOMINATORS[config.clipBias](f);
  return lines(
    f`C &= \nabla_\theta \sum_{u\ \text{clipped}} \omega_u\, w_u A_u`,
    f`\nabla_\theta L &\leftarrow \frac{\nabla_\theta L}{${D}}`,
    ...(config.clipBias === "clipped-batches"
      ? [f`&\text{only where } ${"batch.clipFraction"} > 0.2`]
      : []),
    SCOPES[config.clipBiasScope](f),
  );
}

const share = (f: Writer) => f`${"batch.cutNorm"} / ${"settings.clipBiasKappa"}`;

const DENOMINATORS: Record<
  Exclude<AlgorithmConfig["clipBias"], "none">,
  (f: Writer) => TexPiece
> = {
  "max-one": (f) => f`\max\big(1,\, ${share(f)}\big)`,
  norm: (f) => f`${"batch.cutNorm"}`,
  "norm-plus-one": (f) => f`${share(f)} + 1`,
  "clipped-batches": (f) => f`\max\big(1,\, ${share(f)}\big)`,
};

const SCOPES: Record<AlgorithmConfig["clipBiasScope"], (f: Writer) => TexPiece> = {
  minibatch: (f) => f`&${"batch.cutNorm"}\ \text{over the parameters, per minibatch}`,
  trajectory: (f) => f`&${"batch.cutNorm"}\ \text{over the parameters, per rollout}`,
  logprobs: (f) => f`&${"batch.cutNorm"}\ \text{over the log-probabilities, per minibatch}`,
};
