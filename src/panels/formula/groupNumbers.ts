/** Numbers of the task's group, and of the batch. */
import { compareInGroups } from "../../method/credit/groupScores.ts";
import type { TraceName } from "../../method/credit/trace.ts";
import { gatherSegments } from "../../numeric/segments.ts";
import { mean } from "../../numeric/statistics.ts";
import { whitenings } from "../../method/credit/whiten.ts";
import { episodeCell, known, type Find, type Finders, type Known } from "./known.ts";
import { tracedAt, type BatchPlace } from "./place.ts";
import { words } from "./words.ts";

const from = words.from;

/** Episodes of the same task. */
export function membersOf({ all, b }: BatchPlace): number[] {
  const { task } = all.batch;
  return [...task.keys()].filter((other) => task[other] === task[b]);
}

/** A number of the group that the estimator compared with, and the episodes it came from. */
function ofGroup(name: TraceName, text: (members: number) => string): Find {
  return (place) => {
    const cells = membersOf(place).map(episodeCell);
    return known(tracedAt(name, place), text(cells.length), cells);
  };
}

/**
 * The estimator's own, from its trace. The fallback is for rows whose estimator divides by none: if
 * only a batch filter needs the spread of the group, it is that of its scores.
 */
function groupStd(place: BatchPlace): Known {
  const { config, batch, score, row } = place.all;
  const traced = tracedAt("group.std", place);
  const cells = membersOf(place).map(episodeCell);
  const std = traced ?? compareInGroups(score, batch.task, config.std).std[place.b]!;
  return known(std, from.scaled(from.group(cells.length), row.rewardScale), cells);
}

function othersMean(place: BatchPlace): Known {
  const others = membersOf(place).filter((b) => b !== place.b);
  const value = tracedAt("group.othersMean", place);
  return known(value, from.others(others.length), others.map(episodeCell));
}

/** From last turns' rewards, which have no cells of their own. */
function ofOutcomes(name: TraceName): Find {
  return (place) => known(tracedAt(name, place), from.group(membersOf(place).length));
}

/** From the compared turns: those of the same number, or from the same state. */
function ofTurns(
  name: TraceName,
  size: "group.turnCount" | "group.anchorCount",
  text: (n: number) => string,
): Find {
  return (place) => {
    const n = tracedAt(size, place) ?? 0;
    return n === 0 ? known(null, from.notUsed) : known(tracedAt(name, place), text(n));
  };
}

/** The sample of batch normalisation: raw advantages of turns or tokens that take part. */
function normalised({ all }: BatchPlace): Float64Array {
  const { batch, credit, raw, config, tokensOf } = all;
  const ofTokens = config.whiten !== "none" && whitenings[config.whiten].over === "token";
  const x = ofTokens ? raw.tokenAdvantage : raw.turnAdvantage;
  const { kept, keptTokens } = credit;
  if (!kept) return x;
  if (ofTokens && keptTokens) return x.filter((_, t) => keptTokens[t]);
  const chosen = [...kept.keys()].filter((b) => kept[b] === 1);
  return gatherSegments(x, ofTokens ? tokensOf : batch.turnStart, chosen);
}

function normalisedMean(place: BatchPlace): Known {
  const { whitening } = place.all.row;
  return whitening
    ? known(whitening.mean, trainedFrom(place))
    : known(mean(normalised(place)), from.batch);
}

function normalisedStd(place: BatchPlace): Known {
  const { row, config } = place.all;
  const rule = config.whiten === "none" ? whitenings.turns : whitenings[config.whiten];
  return row.whitening
    ? known(rule.stdOf(row.whitening.divisor), trainedFrom(place))
    : known(Math.sqrt(rule.variance(normalised(place))), from.batch);
}

/** A filter drops episodes, and the log does not say how many. */
function trainedFrom({ all }: BatchPlace): string {
  return from.training(all.credit.kept ? null : (all.played?.count ?? null));
}

export const groupNumbers: Finders = {
  "group.size": (place) => {
    const members = membersOf(place);
    return known(members.length, from.counted, members.map(episodeCell));
  },
  "group.solved": (place) => {
    const { success } = place.all.batch;
    const members = membersOf(place);
    const solved = success && members.reduce((sum, b) => sum + success[b]!, 0);
    return known(solved, from.counted, members.map(episodeCell));
  },
  "group.mean": ofGroup("group.mean", from.group),
  "group.std": groupStd,
  "group.othersMean": othersMean,
  "group.secondBest": ofGroup("group.secondBest", from.group),
  "group.passAtK": ofGroup("group.passAtK", from.group),
  "group.lengthWeightedMean": ofGroup("group.lengthWeightedMean", from.lengths),
  "group.outcomeMean": ofOutcomes("group.outcomeMean"),
  "group.outcomeStd": ofOutcomes("group.outcomeStd"),
  "group.turnMean": ofTurns("group.turnMean", "group.turnCount", from.sameNumber),
  "group.turnStd": ofTurns("group.turnStd", "group.turnCount", from.sameNumber),
  "group.turnRollouts": (place) => known(tracedAt("group.turnRollouts", place), from.counted),
  "group.anchorMean": ofTurns("group.anchorMean", "group.anchorCount", from.sameState),
  "group.anchorStd": ofTurns("group.anchorStd", "group.anchorCount", from.sameState),
  "batch.trajectories": ({ all }) => known(all.totals.trajectories, from.counted),
  "batch.turns": ({ all }) => known(all.totals.turns, from.counted),
  "batch.tokens": ({ all }) => known(all.totals.tokens, from.counted),
  "batch.solvedTokens": ({ all }) => known(all.totals.solvedTokens, from.counted),
  "batch.longest": ({ all }) => known(all.totals.horizon, from.counted),
  "batch.advantageMean": normalisedMean,
  "batch.advantageStd": normalisedStd,
  "batch.cutNorm": ({ all }) =>
    all.config.clipBiasScope === "logprobs"
      ? known(all.cut.norm, from.batch)
      : known(null, from.engine),
  "batch.clipFraction": ({ all }) => known(all.cut.fraction, from.batch),
};
