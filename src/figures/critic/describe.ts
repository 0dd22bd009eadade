/** The critic panel in words. */
import { formatNumber, formatPercent, formatSigned } from "../../numeric/format.ts";
import { truthFit, type Fit } from "./fit.ts";
import type { CriticModel } from "./model.ts";
import { sayDiscount } from "../truthWords.ts";
import { words } from "./words.ts";

/** An explained variance; below -100 % the exact number means nothing. */
export function explainedText(share: number): string {
  return share < -1 ? words.belowAxis : formatPercent(share);
}

/** Which iterations, if there are several: after a name. */
export const spanOf = ({ iterations }: Pick<CriticModel, "iterations">) =>
  iterations.length > 1 ? words.of(iterations[0]!, iterations.at(-1)!) : "";

export function describeFit(model: CriticModel): string {
  const { points, fit, against } = model;
  if (points.length === 0) return words.noPairs;
  const episodes = new Set(points.map(({ pair }) => `${pair.iteration} ${pair.episode}`)).size;
  const means = [formatSigned(fit.meanValue), formatSigned(fit.meanReturn)] as const;
  const summary = words.summary(fit.n, episodes, spanOf(model), ...means, COMPARED[against]);
  const error = words.error(formatNumber(fit.error));
  if (!Number.isFinite(fit.explained)) return `${summary} ${error} ${words.one}`;
  return `${summary} ${error} ${sayExplained(fit)}`;
}

/** Fewer turns than this are few: their targets may be nearly equal by chance. */
const FEW = 100;

function sayExplained({ explained, n }: Fit): string {
  if (explained < -1) return words.farBelow(n < FEW);
  return words.explained(formatPercent(explained), verdict(explained));
}

/** The run's own number, which is over all episodes, before that of the recorded ones. */
export function describeModel(model: CriticModel): string {
  const { metric, without, untrained, pairs } = model;
  if (untrained) return words.untrained(pairs.length);
  const parts = [
    metric === null ? "" : words.overall(explainedText(metric)),
    describeFit(model),
    without > 0 ? words.without(without) : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

const COMPARED = { target: "target", came: "return" } as const;

function verdict(explained: number): string {
  const { worse, none, some, most } = words.verdicts;
  if (explained < 0) return worse;
  return explained < 0.1 ? none : explained < 0.5 ? some : most;
}

/** What hollow dots mean; nothing where there are none. */
export function hollowNote({ points, bootstraps, against }: CriticModel): string[] {
  if (!points.some(({ pair }) => pair.cutOff)) return [];
  const { unknown, ends, missing, guessed } = words.hollow;
  if (bootstraps === null) return [unknown];
  if (!bootstraps) return [ends];
  return [against === "target" ? guessed : missing];
}

export function describeTruth({ truth, otherTruth, unpaidTurns, critic }: CriticModel): string {
  if (truth.length === 0) {
    if (otherTruth && critic) return words.truthOther(sayDiscount(otherTruth), sayDiscount(critic));
    return unpaidTurns > 0 ? words.truthUnpaid : words.truthNone;
  }
  const { n, meanValue, meanReturn, error, inside } = truthFit(truth);
  const means = [formatSigned(meanValue), formatSigned(meanReturn)] as const;
  const summary = words.truthSummary(n, ...means, formatNumber(error), formatPercent(inside));
  return unpaidTurns > 0 ? `${summary} ${words.truthLeftOut(unpaidTurns)}` : summary;
}
