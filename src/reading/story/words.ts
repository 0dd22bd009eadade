/** A story's sentences. */
import { capital } from "../../numeric/counted.ts";
import { formatNumber, formatPercent } from "../../numeric/format.ts";
import { greatest, least } from "../../numeric/lists.ts";
import { metricEntry, PERCENT } from "../../spec/metricTable.ts";
import type { MetricChange } from "./changes.ts";
import { ownName } from "./tracks.ts";
import type { StoryJudgement, MethodScore } from "./verdict.ts";

/** A value in its metric's unit. */
export function valueWords(metric: string, value: number): string {
  const isShare = /\/acc\/mean@/.test(metric);
  return isShare || metricEntry(metric.replace(/^val-env\//, ""))?.unit === PERCENT
    ? formatPercent(value)
    : formatNumber(value);
}

/** "Groups without spread: 0 % at iteration 11, 62.5 % at iteration 18." */
export function changeWords(change: Omit<MetricChange, "onset">): string {
  const { metric, before, from, since, to } = change;
  const title = (metricEntry(metric) ?? metricEntry(ownName(metric)))?.title ?? capital(metric);
  const now = `${valueWords(metric, to)} at iteration ${since}`;
  return before === since
    ? `${title}: ${now}.`
    : `${title}: ${valueWords(metric, from)} at iteration ${before}, ${now}.`;
}

/** What the method did, and who did better on the same tasks. */
export function verdictWords(
  { verdict, score, change, crashed = false, valid }: StoryJudgement,
  onset: number | null,
  learned: readonly string[],
): string {
  const others = learned.length > 0 ? ` ${learned.join(" and ")} learned in the same run.` : "";
  const at = onset ?? change?.at;
  const since = at === undefined ? "" : ` from iteration ${at}`;
  switch (verdict) {
    case "too-early":
      return "Too early to tell.";
    case "healthy":
      return score
        ? `No clear change so far: ${movement(score)}.`
        : "Nothing is wrong in what the log has, which is neither success nor reward.";
    case "learned":
      return `Learned: ${movement(score!)}.`;
    case "stalled":
      return `${score ? `Did not learn: ${movement(score)}` : "The log has neither success nor reward"}.${others}`;
    case "fell":
      if (crashed)
        return `Crashed at iteration ${change!.at}: its numbers were no longer finite.${others}`;
      return `Fell${since}: ${lowest(score!)}.${others}`;
    case "fell-back":
      return `Fell back${since}: ${highest(score!)}.${others}`;
    case "lost-format":
      return `Lost its format${since}: valid turns went from ${formatPercent(valid!.start)} to ${formatPercent(valid!.end)}.${others}`;
  }
}

const words = ({ track }: MethodScore, value: number) => valueWords(track.metric, value);

function movement(score: MethodScore): string {
  const { track, kind } = score;
  return `${kind} went from ${words(score, track.y[0]!)} to ${words(score, track.y.at(-1)!)} by iteration ${track.x.at(-1)}${ending(score)}`;
}

function lowest(score: MethodScore): string {
  const { track, kind } = score;
  const low = track.y.indexOf(least(track.y));
  return `${kind} went from ${words(score, track.y[0]!)} to ${words(score, track.y[low]!)} by iteration ${track.x[low]}${later(score, low)}`;
}

function highest(score: MethodScore): string {
  const { track, kind } = score;
  const high = track.y.indexOf(greatest(track.y));
  return `${kind} reached ${words(score, track.y[high]!)} at iteration ${track.x[high]}${later(score, high)}`;
}

/** What came after point `i`. */
function later(score: MethodScore, i: number): string {
  const { x, y } = score.track;
  const is = i === x.length - 1 ? "" : ` and is ${words(score, y.at(-1)!)} at ${x.at(-1)}`;
  return is + ending(score);
}

const ending = ({ outlived }: MethodScore) =>
  outlived === null ? "" : `; none is logged after that, up to iteration ${outlived}`;
