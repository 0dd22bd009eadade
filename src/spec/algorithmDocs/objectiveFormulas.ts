/** A row's ratio, clip, loss and change of the gradient, in KaTeX; built from its choices. */
import type { AlgorithmConfig } from "../algorithms.ts";
import { codeTerm } from "./codeTerm.ts";
import { clips } from "../../method/clip/clips.ts";
import { divisorsOf, type Divisors } from "../../method/objective/aggregate.ts";
import { filterFacts } from "../../method/credit/groupFilter.ts";
import { clipBiasFacts } from "../../method/objective/clipBias.ts";
import { rejectionFormula, samplerFormula } from "../../method/objective/sampler.ts";
import { ratios } from "../../method/objective/ratio.ts";
import { advantageLevel } from "./advantageFormulas.ts";
import type { AdvantageLevel } from "../../method/formula/parts.ts";
import type { Binding } from "../../method/formula/vocabulary.ts";
import {
  f,
  open,
  squareOf,
  type TexLines,
  type TexPiece,
  wording,
} from "../../method/formula/tex.ts";

/** What one term of the objective covers: the unit of a ratio, unless ratios are only weights of tokens. */
export function unitOf({
  ratio,
  clip,
  own,
}: Pick<AlgorithmConfig, "ratio" | "clip" | "own">): AdvantageLevel {
  const weighsTokens = own?.clip === undefined && clips[clip].weighsTokens;
  return weighsTokens ? "token" : ratioLevelOf({ ratio });
}

/** What one ratio covers. */
export function ratioLevelOf({ ratio }: Pick<AlgorithmConfig, "ratio">): AdvantageLevel {
  return ratio === "none" ? "token" : ratios[ratio].covers;
}

/** The ratio in a unit's objective. */
function ratioOf(config: AlgorithmConfig): Binding {
  return `${ratioLevelOf(config)}.ratio`;
}

const ORDER: readonly AdvantageLevel[] = ["token", "turn", "trajectory"];

/** The advantage of a unit: its own, or that of the longer unit it is part of. */
function unitAdvantage(config: AlgorithmConfig): Binding {
  const [unit, own] = [unitOf(config), advantageLevel(config)];
  return `${ORDER.indexOf(own) > ORDER.indexOf(unit) ? own : unit}.advantage`;
}

/** A unit longer than the unit of advantages uses their mean over its tokens. */
function meanAdvantage(config: AlgorithmConfig): TexPiece[] {
  const [unit, own] = [unitOf(config), advantageLevel(config)];
  if (ORDER.indexOf(own) >= ORDER.indexOf(unit)) return [];
  const mine = f`${`${own}.advantage`}`;
  if (unit === "turn")
    return [open`${"turn.advantage"} &= \frac{1}{${"turn.tokens"}}\sum_{t\in h} ${mine}`];
  const sum = own === "turn" ? open`\sum_{h\in b} n_h\, ${mine}` : open`\sum_{t\in b} ${mine}`;
  return [f`${"trajectory.advantage"} &= \frac{1}{${"trajectory.tokens"}}${sum}`];
}

/** Importance ratios; null if there are none. */
export function ratioFormula(config: AlgorithmConfig): TexLines | null {
  const { ratio, clip } = config;
  if (ratio === "none") return null;
  const code = codeTerm(config, "ratio");
  if (code) return [LOG_RATIO, open`${ratioOf(config)} &= ${code}(${"token.logRatio"}, \dots)`];
  const { held } = clips[clip];
  const pooled = ratios[ratio].formula(held ? "token.clippedLogRatio" : "token.logRatio");
  const A: Binding = `${advantageLevel(config)}.advantage`;
  return [LOG_RATIO, ...(held ? [held.formula(A)] : []), pooled];
}

/** What one unit contributes to the objective, and the factor that corrects for the sampler. */
export function surrogateFormula(config: AlgorithmConfig): TexLines {
  const corrected = samplerFormula(config.sampler);
  return [
    ...meanAdvantage(config),
    ...surrogateLines(config),
    ...(corrected ? [corrected.line] : []),
  ];
}

function surrogateLines(config: AlgorithmConfig): TexPiece[] {
  const J: Binding = `${unitOf(config)}.surrogate`;
  const [w, A] = [ratioOf(config), unitAdvantage(config)];
  if (config.ratio === "none") return [f`${J} &= ${A}·${"token.logprob"}`];
  const code = codeTerm(config, "clip");
  if (code) return [open`${J} &= ${code}(${w}, ${A})`];
  return clips[config.clip].formula({ J, w, A, hasDual: config.dualClip !== null });
}

/** The loss to be minimised: minus the aggregated objective, plus the pulls towards the reference, the old policy and successful rollouts. */
export function lossFormula(config: AlgorithmConfig): TexLines {
  const sum = divisorsOf(config.aggregation);
  const unit = unitOf(config);
  const term = weightedTerm(config, unit);
  const weights = codeTerm(config, "aggregation");
  const policy = weights
    ? open`L &= -\sum_t ${"token.weight"}\,${term}`
    : f`L &= -${outerFactor(sum, config)}${innerSum(sum, unit, term)}`;
  const own = weights ? [open`${"token.weight"} &= ${weights}(${"turn.tokens"}, \dots)`] : [];
  const code = codeTerm(config, "regulariser");
  if (code) {
    const of = f`${"token.logprob"}, ${"token.oldLogprob"}, ${"token.refLogprob"}`;
    return [
      f`${policy}${open` + \sum_t ${"token.weight"}\,P_t`}`,
      ...own,
      open`P_t &= ${code}(${of}, H_t)`,
    ];
  }
  const pulls = [
    ...(config.betaKl > 0
      ? [open` + ${"settings.betaKl"}·\sum_t ${"token.weight"}\,\big(e^{x_t} - 1 - x_t\big)`]
      : []),
    ...(config.betaOld > 0
      ? [
          open` + \frac{${"settings.betaOld"}}{2}\sum_t ${"token.weight"}\,${squareOf("token.logRatio")}`,
        ]
      : []),
    ...(config.lmWeight > 0
      ? [
          open` - \frac{${"settings.lmWeight"}}{${"batch.solvedTokens"}}\sum_{b\text{ solved}}\ \sum_{t\in b} ${"token.logprob"}`,
        ]
      : []),
  ];
  const isDefined = config.ratio !== "none" || config.betaOld === 0;
  return [
    pulls.reduce((whole, pull) => f`${whole}${pull}`, policy),
    ...own,
    ...(config.betaKl > 0 ? [f`x_t &= ${"token.refLogprob"} - ${"token.logprob"}`] : []),
    ...(isDefined ? [] : [LOG_RATIO]),
  ];
}

const LOG_RATIO = f`${"token.logRatio"} &= ${"token.logprob"} - ${"token.oldLogprob"}`;

function outerFactor({ outer }: Divisors, { horizon }: AlgorithmConfig): TexPiece {
  if (outer === null) return f``;
  if (outer !== "horizon") return f`\frac{1}{${`batch.${outer}`}}`;
  const divisor: Binding = horizon === null ? "batch.longest" : "settings.horizon";
  return f`\frac{1}{${"batch.trajectories"}·${divisor}}`;
}

/** A unit's part of the objective, times the sampler's correction: over longer units the mean of their tokens' factors. */
function weightedTerm({ sampler }: AlgorithmConfig, unit: AdvantageLevel): TexPiece {
  const J = f`${`${unit}.surrogate`}`;
  const factor = samplerFormula(sampler)?.factor;
  if (!factor) return J;
  const isMean = factor === "token.samplerWeight" && unit !== "token";
  return isMean ? open`\overline{${factor}}\,${J}` : f`${factor}\,${J}`;
}

/** Sums over units; a unit longer than a token counts as each of its tokens would. */
function innerSum(sum: Divisors, unit: AdvantageLevel, term: TexPiece): TexPiece {
  if (unit === "token") return tokenSum(sum, term);
  return unit === "turn" ? turnSum(sum, term) : trajectorySum(sum, term);
}

function tokenSum(sum: Divisors, J: TexPiece): TexPiece {
  const front = trajectoryFront(sum);
  if (sum.turn) {
    const turns = front ? open`\sum_{h\in b}` : open`\sum_h`;
    return open`${front ?? f``}${turns}\frac{1}{${"turn.tokens"}}\sum_{t\in h} ${J}`;
  }
  return front ? open`${front}\sum_{t\in b} ${J}` : open`\sum_t ${J}`;
}

function turnSum(sum: Divisors, J: TexPiece): TexPiece {
  const each = sum.turn ? J : f`${"turn.tokens"}\,${J}`;
  const front = trajectoryFront(sum);
  return front ? open`${front}\sum_{h\in b} ${each}` : open`\sum_h ${each}`;
}

/** The sum over trajectories with its divisor; null if a sum over all units is equivalent. */
function trajectoryFront({ outer, trajectory }: Divisors): TexPiece | null {
  if (trajectory) return open`\sum_b \frac{1}{${`trajectory.${trajectory}`}}`;
  return outer === "trajectories" || outer === "horizon" ? open`\sum_b` : null;
}

function trajectorySum({ trajectory, turn }: Divisors, J: TexPiece): TexPiece {
  const count = turn ? "turns" : "tokens";
  if (trajectory === count) return open`\sum_b ${J}`;
  const many = f`${`trajectory.${count}`}`;
  return trajectory
    ? open`\sum_b \frac{${many}}{${`trajectory.${trajectory}`}}\,${J}`
    : open`\sum_b ${many}\,${J}`;
}

/** Which groups and rollouts take part; null if all do. */
export function filterFormula(config: AlgorithmConfig): TexLines | null {
  const { filter, sampler } = config;
  const code = codeTerm(config, "filter");
  const facts = filterFacts(filter);
  const rejection = rejectionFormula(sampler);
  if (!code && !facts && !rejection) return null;
  return [
    ...(code ? [open`b \text{ takes part} &\iff ${code}(b, \dots)`] : []),
    ...(facts && !code ? [open`g \text{ takes part} &\iff ${facts.formula}`] : []),
    ...(rejection ? [rejection] : []),
  ];
}

/** The divisor of the gradient; null if there is none. */
export function correctionFormula({ clipBias, clipBiasScope }: AlgorithmConfig): TexLines | null {
  if (clipBias === "none") return null;
  const { formula, only } = clipBiasFacts(clipBias);
  return [
    open`C &= \nabla_\theta \sum_{u\ \text{clipped}} \omega_u\, \rho_u A_u`,
    f`\nabla_\theta L &\leftarrow \frac{\nabla_\theta L}{${formula}}`,
    ...(only ? [open`&\text{only where } ${only}`] : []),
    open`&${"batch.cutNorm"}\ ${wording(SCOPES[clipBiasScope])}`,
  ];
}

const SCOPES: Record<AlgorithmConfig["clipBiasScope"], string> = {
  minibatch: "\\text{over the parameters, per minibatch}",
  trajectory: "\\text{over the parameters, per rollout}",
  logprobs: "\\text{over the log-probabilities, per minibatch}",
};
