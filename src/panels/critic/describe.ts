/** The critic panel in words. */
import { formatNumber, formatPercent, formatSigned } from "../../charts/format.ts";
import { truthFit } from "./fit.ts";
import type { CriticModel } from "./model.ts";
import { words } from "./words.ts";

/** A number for a table; a dash where there is none. */
export function cell(x: number | null, format: (x: number) => string = formatSigned): string {
  return x === null || !Number.isFinite(x) ? words.notKnown : format(x);
}

export function describeFit({ points, fit, against }: CriticModel): string {
  if (points.length === 0) return words.noPairs;
  const episodes = new Set(points.map(({ pair }) => `${pair.iteration} ${pair.episode}`)).size;
  const means = [formatSigned(fit.meanValue), formatSigned(fit.meanReturn)] as const;
  const summary = words.summary(fit.n, episodes, ...means, PLURAL[against]);
  const error = words.error(formatNumber(fit.error));
  if (!Number.isFinite(fit.explained)) return `${summary} ${error} ${words.one}`;
  return `${summary} ${error} ${words.explained(formatPercent(fit.explained), verdict(fit.explained))}`;
}

const PLURAL = { target: "targets", came: "rewards that came" } as const;

function verdict(explained: number): string {
  const { worse, none, some, most } = words.verdicts;
  if (explained < 0) return worse;
  return explained < 0.1 ? none : explained < 0.5 ? some : most;
}

export function describeTruth({ truth }: CriticModel): string {
  if (truth.length === 0) return words.truthNone;
  const { n, meanValue, meanReturn, error, inside } = truthFit(truth);
  const means = [formatSigned(meanValue), formatSigned(meanReturn)] as const;
  return words.truthSummary(n, ...means, formatNumber(error), formatPercent(inside));
}
