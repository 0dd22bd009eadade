/** Numbers of the task's group, and of the batch. */
import { gatherSegments } from "../../numeric/segments.ts";
import { mean, populationVariance, variance } from "../../numeric/statistics.ts";
import { stdOf } from "../../reading/credit/training.ts";
import { episodeCell, known, type Find, type Finders, type Known } from "./known.ts";
import type { Place } from "./place.ts";
import { outcomes } from "./turnNumbers.ts";
import { words } from "./words.ts";

const from = words.from;

/** Episodes of the same task. */
export function membersOf({ all, b }: Place): number[] {
  const { task } = all.batch;
  return [...task.keys()].filter((other) => task[other] === task[b]);
}

/** Mean of a sample as the comparisons take it: of equal numbers just that, of one number 0 if it keeps its score. */
function centre(x: readonly number[], alone: "score" | "zero"): number {
  if (x.length === 1 && alone === "score") return 0;
  return x.every((y) => y === x[0]) ? x[0]! : mean(x);
}

/** Its standard deviation; 1 for a single number. */
function spread(x: readonly number[], { all }: Place): number {
  if (x.length === 1) return 1;
  return Math.sqrt(all.config.std === "population" ? populationVariance(x) : variance(x));
}

/** A2TGPO always divides by the population's, also that of a single turn. */
function turnSpread(x: readonly number[], place: Place): number {
  if (place.all.config.estimator !== "turn-group") return spread(x, place);
  return Math.sqrt(populationVariance(x));
}

/** verl-agent's count: an episode once for each of its turns. */
function counted(place: Place): { scores: number[]; cells: string[] } {
  const { batch, config, score } = place.all;
  const members = membersOf(place);
  const times = (b: number) =>
    config.groupCount === "turn" && config.estimator === "anchor-state"
      ? batch.turnStart[b + 1]! - batch.turnStart[b]!
      : 1;
  const scores = members.flatMap((b) => Array<number>(times(b)).fill(score[b]!));
  return { scores, cells: members.map(episodeCell) };
}

function othersMean(place: Place): Known {
  const others = membersOf(place).filter((b) => b !== place.b);
  const value = others.length === 0 ? 0 : mean(others.map((b) => place.all.score[b]!));
  return known(value, from.others(others.length), others.map(episodeCell));
}

function lengthWeightedMean(place: Place): Known {
  const { all } = place;
  const members = membersOf(place);
  const lengths = members.map((b) => all.tokensOf[b + 1]! - all.tokensOf[b]!);
  const weighted = members.reduce((sum, b, i) => sum + lengths[i]! * all.score[b]!, 0);
  const total = lengths.reduce((sum, n) => sum + n, 0);
  const value = members.length > 1 ? weighted / total : 0;
  return known(value, from.lengths(members.length), members.map(episodeCell));
}

/** GiGPO: returns of the group's turns from the same state. */
function fromState({ all, k }: Place): number[] {
  const { config, turnReturn } = all;
  if (config.estimator !== "anchor-state") return [];
  return Array.from(turnReturn).filter((_, j) => all.states[j] === all.states[k]);
}

/** Of the group's turns of the same number that are no episode's last: MT-GRPO's rewards, A2TGPO's gains. */
function sameNumber(place: Place): number[] {
  const { batch, turnReward, config } = place.all;
  const columns = { "turn-plus-outcome": turnReward, "turn-group": batch.turnGain };
  const column = columns[config.estimator as keyof typeof columns];
  if (!column || place.h + 1 === place.turns) return [];
  return membersOf(place).flatMap((b) => {
    const [start, end] = [batch.turnStart[b]!, batch.turnStart[b + 1]!];
    return place.h < end - start - 1 ? [column[start + place.h]!] : [];
  });
}

function ofSample(
  sample: (place: Place) => number[],
  statistic: (x: readonly number[], place: Place) => number,
  text: (n: number) => string,
): Find {
  return (place) => {
    const x = sample(place);
    return x.length === 0 ? known(null, from.notUsed) : known(statistic(x, place), text(x.length));
  };
}

const groupOutcomes = (place: Place) => membersOf(place).map((b) => outcomes(place.all)[b]!);
const score = (x: readonly number[]) => centre(x, "score");
const zero = (x: readonly number[]) => centre(x, "zero");

/** What batch normalisation is over: raw advantages of turns or tokens that take part. */
function normalised({ all }: Place): Float64Array {
  const { batch, credit, raw, config, tokensOf } = all;
  const ofTokens = config.whiten === "tokens";
  const x = ofTokens ? raw.tokenAdvantage : raw.turnAdvantage;
  const { kept } = credit;
  if (!kept) return x;
  const chosen = [...kept.keys()].filter((b) => kept[b] === 1);
  return gatherSegments(x, ofTokens ? tokensOf : batch.turnStart, chosen);
}

function normalisedMean(place: Place): Known {
  const { whitening } = place.all.row;
  return whitening
    ? known(whitening.mean, trainedFrom(place))
    : known(mean(normalised(place)), from.batch);
}

function normalisedStd(place: Place): Known {
  const { row, config } = place.all;
  const { whitening } = row;
  return whitening
    ? known(stdOf(whitening, config.whiten), trainedFrom(place))
    : known(sampleStd(place), from.batch);
}

/** A filter leaves out episodes, and the log does not say how many. */
function trainedFrom({ all }: Place): string {
  return from.training(all.credit.kept ? null : (all.played?.count ?? null));
}

function sampleStd(place: Place): number {
  const x = normalised(place);
  const population = place.all.config.whiten === "turns-population";
  return Math.sqrt(population ? populationVariance(x) : variance(x));
}

export const groupNumbers: Finders = {
  "group.size": (place) => {
    const members = membersOf(place);
    return known(members.length, from.counted, members.map(episodeCell));
  },
  "group.mean": (place) => {
    const { scores, cells } = counted(place);
    return known(score(scores), from.group(cells.length), cells);
  },
  "group.std": (place) => {
    const { scores, cells } = counted(place);
    const source = from.scaled(from.group(cells.length), place.all.row.rewardScale);
    return known(spread(scores, place), source, cells);
  },
  "group.othersMean": othersMean,
  "group.lengthWeightedMean": lengthWeightedMean,
  "group.outcomeMean": ofSample(groupOutcomes, score, from.group),
  "group.outcomeStd": ofSample(groupOutcomes, spread, from.group),
  "group.turnMean": ofSample(sameNumber, zero, from.sameNumber),
  "group.turnStd": ofSample(sameNumber, turnSpread, from.sameNumber),
  "group.anchorMean": ofSample(fromState, zero, from.sameState),
  "group.anchorStd": ofSample(fromState, spread, from.sameState),
  "batch.trajectories": ({ all }) => known(all.totals.trajectories, from.counted),
  "batch.turns": ({ all }) => known(all.totals.turns, from.counted),
  "batch.tokens": ({ all }) => known(all.totals.tokens, from.counted),
  "batch.longest": ({ all }) => known(all.totals.horizon, from.counted),
  "batch.advantageMean": normalisedMean,
  "batch.advantageStd": normalisedStd,
  "batch.cutNorm": ({ all }) =>
    all.config.clipBiasScope === "logprobs"
      ? known(all.cut.norm, from.batch)
      : known(null, from.engine),
  "batch.clipFraction": ({ all }) => known(all.cut.fraction, from.batch),
};
