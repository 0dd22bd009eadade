/** What the referee writes, as data: a line for each task, row and critic. */

export const REFEREE_DEFAULTS = { seeds: 5, episodes: 512 };

/** perfect: the exact mean of what follows, given what is seen; learned: means over 64 earlier episodes. */
export const REFEREE_CRITICS = ["perfect", "learned"] as const;
export type RefereeCritic = (typeof REFEREE_CRITICS)[number];

/** `score.ts` defines them. */
export const REFEREE_MEASURES = [
  "bias",
  "variance",
  "rank",
  "sign",
  "finds",
  "cosine",
  "limit",
] as const;
export type RefereeMeasure = (typeof REFEREE_MEASURES)[number];

/** The mean over seeds and its 95 % interval; null where undefined. */
export type ReportedNumber = [value: number | null, low: number | null, high: number | null];

/** A row's score on a task: the measures of `score.ts`. */
export interface ScoredLine extends Record<RefereeMeasure, ReportedNumber> {
  task: string;
  row: string;
  /** null: the row uses no critic. */
  critic: RefereeCritic | null;
  units: "reward" | "fitted";
  /** The smallest batch with a good gradient; null: none that was tried. */
  episodes: number | null;
}

/** A line of a row that needs what a task has not. */
interface RefusedLine {
  task: string;
  row: string;
  critic: RefereeCritic | null;
  refused: string;
}

export type RefereeLine = ScoredLine | RefusedLine;

export interface RefereeReport {
  seeds: number;
  episodes: number;
  tasks: ReportedTask[];
  lines: RefereeLine[];
}

/** What a task is, and what is true of it. */
export interface ReportedTask {
  name: string;
  title: string;
  tests: string;
  /** Expected return and turns of an episode under the task's policy, and mean square of the advantage. */
  score: number;
  turns: number;
  meanSquare: number;
}

const COMMAND = "npm run -s turnbook -- referee";

/** The command that makes the line again, with the options that were given beside task and row. */
export function refereeCommandOf(
  { task, row, critic }: Pick<RefereeLine, "task" | "row" | "critic">,
  options: readonly string[] = [],
): string {
  const ofRow = critic === null ? [] : [`--critic ${critic}`];
  return [COMMAND, `--task ${task}`, `--algorithm ${row}`, ...ofRow, ...options].join(" ");
}
