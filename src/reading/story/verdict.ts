/** What a method did, judged by its success (held-out where it is measured) or its reward, against its own beginning. */
import { mean, quantile, std } from "../../numeric/statistics.ts";
import { levelChange } from "./changes.ts";
import type { Track, Tracks } from "./tracks.ts";

export type StoryVerdict =
  "learned" | "fell" | "stalled" | "fell-back" | "lost-format" | "too-early" | "healthy";

export interface StoryJudgement {
  verdict: StoryVerdict;
  /** What it was judged by; null if the log has neither success nor reward. */
  score: MethodScore | null;
  /** When the level of the score (or of valid turns) changed, and an interval of about 95 %. */
  change: { at: number; from: number; to: number } | null;
  /** Its numbers were no longer finite. */
  crashed?: boolean;
  /** Of a lost format: the share of valid turns at first and at last. */
  valid?: ValidTurns;
}

interface ValidTurns {
  start: number;
  end: number;
}

export interface MethodScore {
  track: Track;
  kind: "held-out success" | "held-out reward" | "success" | "reward";
  start: number;
  end: number;
  /** Standard error of the difference between a level and the start. */
  noise: number;
  /** The method's last iteration, where the score ends well before it; else null. */
  outlived: number | null;
  /** ScoreLevel and iteration of the lowest and of the highest stretch. */
  low: ScoreLevel;
  high: ScoreLevel;
}

interface ScoreLevel {
  value: number;
  iteration: number;
}

/** Below this nothing can be said: the doctor's rules need up to ten measurements. */
const LEAST_ITERATIONS = 8;
/** Below this a method without a rise may still be on its way. */
const STALLED_FROM = 15;
/** Standard errors that a level must be from the start. */
const SIGMAS = { rise: 2.5, fall: 2 };
/** Least change relative to the start: a smaller one is not worth a word. */
const SHARE = { rise: 0.1, fall: 0.2 };
/** Below this share of successes, cheaper failures are nothing learned. */
const NO_SUCCESS = 0.05;
/** Share of the start's valid turns below which the format is lost. */
const FORMAT_LOST = 0.6;

/** @param tracks the method's */
export function judge(tracks: Tracks): StoryJudgement {
  const scores = scoresOf(tracks);
  const [score = null] = scores;
  const { log, algorithm } = tracks;
  const crash = log.crashes.find((one) => one.algorithm === algorithm)?.iteration;
  if (crash !== undefined)
    return { verdict: "fell", score, change: { at: crash, from: crash, to: crash }, crashed: true };
  const trained = Math.max(log.iterations(algorithm).length, score?.track.x.length ?? 0);
  if (trained < LEAST_ITERATIONS) return { verdict: "too-early", score, change: null };
  const valid = tracks.of("*/action_is_valid") ?? tracks.of("episode/valid_action_ratio");
  const lost = valid && lostFormat(valid);
  if (lost) return { verdict: "lost-format", score, change: levelChange(valid), valid: lost };
  if (!score) return { verdict: "healthy", score, change: null };
  const judged = scores.map((one): StoryJudgement => {
    const verdict = verdictOf(one, trained);
    return { verdict, score: one, change: verdict === "healthy" ? null : levelChange(one.track) };
  });
  // Reward speaks where success says nothing; it may not rise against it, nor without any.
  const told = judged.find(({ verdict }) => MOVED.includes(verdict)) ?? judged[0]!;
  const isHopeless =
    judged[0]!.score!.kind.endsWith("success") && scores[0]!.high.value < NO_SUCCESS;
  return isHopeless && told.verdict === "learned" ? { ...judged[0]!, verdict: "stalled" } : told;
}

const MOVED: readonly StoryVerdict[] = ["learned", "fell", "fell-back"];

function lostFormat({ y }: Track): ValidTurns | null {
  const count = windowOf(y.length);
  const [start, end] = [mean(y.slice(0, count)), mean(y.slice(-count))];
  return end < FORMAT_LOST * start && start - end > 0.2 ? { start, end } : null;
}

function verdictOf({ start, end, low, high, noise }: MethodScore, trained: number): StoryVerdict {
  const rose = (level: number) =>
    level - start > Math.max(SIGMAS.rise * noise, SHARE.rise * Math.abs(start));
  const fellBelow = (level: number, from: number) =>
    from - level > Math.max(SIGMAS.fall * noise, SHARE.fall * Math.abs(from));
  if (rose(high.value) && fellBelow(end, high.value) && high.value - end > (high.value - start) / 2)
    return fellBelow(end, start) ? "fell" : "fell-back";
  if (rose(end)) return "learned";
  if (fellBelow(low.value, start)) return "fell";
  return trained >= STALLED_FROM ? "stalled" : "healthy";
}

function scoresOf(tracks: Tracks): MethodScore[] {
  const last = tracks.log.iterations(tracks.algorithm).at(-1) ?? 0;
  return measuredScores(tracks).map((score) => ({ ...score, outlived: outlived(score, last) }));
}

/** A score that is measured seldom ends up to two of its steps before the run. */
function outlived({ track: { x } }: Pick<MethodScore, "track">, last: number): number | null {
  const step = x.length > 1 ? (x.at(-1)! - x[0]!) / (x.length - 1) : Infinity;
  return last - x.at(-1)! > 2 * step ? last : null;
}

type MeasuredScore = Omit<MethodScore, "outlived">;

/** Held-out scores if they were measured often enough, else those of training; success before reward. */
function measuredScores(tracks: Tracks): MeasuredScore[] {
  const held = ["success", "reward"].flatMap((name) => {
    const track = tracks.of(`val-env/*/${name}`);
    if (!track || track.x.length < 3) return [];
    return [heldOut(track, name === "success" ? "held-out success" : "held-out reward", tracks)];
  });
  if (held.length > 0) return held;
  const success = tracks.of("*/success");
  const reward = tracks.of("critic/score/mean");
  return [
    ...(success ? [inTraining(success, "success")] : []),
    ...(reward ? [inTraining(reward, "reward")] : []),
  ];
}

/** Points whose mean counts as a level. */
const windowOf = (points: number) => Math.max(3, Math.min(10, Math.floor(points / 5)));

/** An evaluation is a measurement of many levels, the first of them before the first update. */
function heldOut(track: Track, kind: MethodScore["kind"], tracks: Tracks): MeasuredScore {
  const { y } = track;
  const size = Math.max(1, Math.min(3, Math.floor((y.length - 1) / 3)));
  const share = Math.sqrt(1 + 1 / size);
  return summary(track, kind, y[0]!, size, spreadOf(track, kind, tracks) * share);
}

/** Standard error of one evaluation. */
function spreadOf(track: Track, kind: MethodScore["kind"], tracks: Tracks): number {
  const levels = tracks.log.start?.spec?.evaluation?.levels;
  if (typeof levels !== "number" || levels <= 0) return stepNoise(track);
  if (kind === "held-out reward") {
    const spread = tracks.of("reward_std")?.y[0];
    return spread === undefined ? stepNoise(track) : spread / Math.sqrt(levels);
  }
  const p = Math.min(1 - 0.5 / levels, Math.max(0.5 / levels, track.y[0]!));
  return Math.sqrt((p * (1 - p)) / levels);
}

function inTraining(track: Track, kind: MethodScore["kind"]): MeasuredScore {
  const size = windowOf(track.y.length);
  const start = mean(track.y.slice(0, size));
  return summary(track, kind, start, size, stepNoise(track) * Math.sqrt(2 / size));
}

/** Standard deviation of one value, from its steps, so that a trend does not count. */
function stepNoise({ y }: Track): number {
  const steps = y.slice(1).map((value, i) => Math.abs(value - y[i]!));
  // A median step of normal noise is 0.954 of its standard deviation.
  return quantile(steps, 0.5) / 0.954 || std(y) || 0;
}

function summary(
  { metric, x, y }: Track,
  kind: MethodScore["kind"],
  start: number,
  size: number,
  noise: number,
): MeasuredScore {
  const levels = y.flatMap((_, i) =>
    i < size ? [] : [{ value: mean(y.slice(i + 1 - size, i + 1)), iteration: x[i]! }],
  );
  const none = { value: start, iteration: x[0]! };
  return {
    track: { metric, x, y },
    kind,
    start,
    noise,
    end: (levels.at(-1) ?? none).value,
    low: levels.reduce((a, b) => (b.value < a.value ? b : a), levels[0] ?? none),
    high: levels.reduce((a, b) => (b.value > a.value ? b : a), levels[0] ?? none),
  };
}
