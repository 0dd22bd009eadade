/**
 * How long a run is busy before its first iteration: large boards take a good part of a second each
 * to generate. Computed from the spec alone, so that it can be shown beforehand.
 */
import { specAlgorithms, type ExperimentSpec, type SokobanSpec } from "./experiment.ts";
import { LEVELS_OF_SET } from "./specChecks.ts";
import { groupSizeOf } from "./groups.ts";
import { counted } from "../numeric/counted.ts";

/**
 * Milliseconds to generate a level, by boxes (from 1) and side of the board: processor time of one
 * server core at search depth 300, means of 60 levels if they take over 10 ms, else of 8. 900 is
 * similar; below 100 they take less. Levels of one size differ by a factor of ten, so timing two of
 * them would be less accurate. Means of 8 at depths of 100 and 900 were mostly within a factor of
 * two. Other machines differ.
 */
const SIDES = [6, 8, 10, 12, 16];
const LEVEL_MS = [
  [0.1, 0.1, 0.1, 0.2, 0.3],
  [0.1, 0.2, 0.3, 1.5, 5],
  [0.3, 1, 1.4, 15, 55],
  [0.5, 2.4, 6, 55, 100],
  [3, 25, 60, 80, 105],
  [8, 60, 105, 125, 150],
];

/** Milliseconds until the expert has solved it, or given up: the same boards, search depth 100, 1 to 6 levels each. */
const SOLVE_MS = [
  [0.5, 0.5, 0.5, 0.5, 1],
  [1, 1, 5, 20, 90],
  [4, 11, 30, 80, 500],
  [8, 13, 40, 150, 600],
  [5, 300, 400, 500, 600],
  [2, 600, 600, 640, 650],
];

/** Seconds below which nothing is shown. */
const LONG_SETUP = 20;

interface SetupTime {
  seconds: number;
  /** What takes the time, largest first, e.g. "512 test levels". */
  parts: string[];
  /** Of the boards, e.g. "16 × 16 with 6 boxes". */
  size: string;
}

/** Null if the time is negligible. A run continued from a checkpoint generates no levels to clone. */
export function setupTime(spec: ExperimentSpec, resumed = false): SetupTime | null {
  const { environment } = spec;
  if (!("searchDepth" in environment)) return null;
  const level = milliseconds(LEVEL_MS, environment) * Math.min(1, environment.searchDepth / 100);
  const times: Record<string, number> = { [CLONED]: level + milliseconds(SOLVE_MS, environment) };
  const jobs = levelCounts(spec, resumed)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => ({ what, count, seconds: (count * (times[what] ?? level)) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds);
  const seconds = jobs.reduce((sum, job) => sum + job.seconds, 0);
  if (seconds < LONG_SETUP) return null;
  const { rows, columns, boxes } = environment;
  return {
    seconds,
    parts: jobs.map(({ count, what }) => `${count} ${what}`),
    size: `${rows} × ${columns} with ${counted(boxes, "box", "boxes")}`,
  };
}

/** "Setting up takes about 2 min: 512 test levels of 16 × 16 with 6 boxes." */
export function setupSentence(
  { seconds, parts, size }: SetupTime,
  duration: (seconds: number) => string,
): string {
  return `Setting up takes about ${duration(seconds)}: ${listed(parts)} of ${size}.`;
}

const listed = (parts: string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

const CLONED = "levels to clone";

/** Levels that are generated before the first episode begins. */
function levelCounts(spec: ExperimentSpec, resumed: boolean): [what: string, count: number][] {
  const { evaluation, model, clone, optimisation, environment } = spec;
  const clones = model.warmStart === "clone";
  const all = clones || evaluation.set !== undefined;
  const { tasksPerIteration, groupSize } = optimisation;
  // A method that plays each level once takes more of them than one that plays groups.
  const alone = specAlgorithms(spec).some((method) => groupSizeOf(spec, method) === 1);
  const tasks = tasksPerIteration * (alone ? groupSize : 1);
  const { trainLevels } = environment;
  return [
    ["test levels", all ? 2 * LEVELS_OF_SET : evaluation.levels],
    [CLONED, clones && !resumed ? clone.levels : 0],
    ["levels to play", trainLevels > 0 ? Math.min(trainLevels, tasks) : tasks],
  ];
}

/** Linear interpolation between the measured sides. */
function milliseconds(table: number[][], { rows, columns, boxes }: SokobanSpec): number {
  const times = table[boxes - 1]!;
  const side = Math.min(16, Math.max(6, Math.sqrt(rows * columns)));
  const above = Math.max(
    1,
    SIDES.findIndex((one) => one >= side),
  );
  const [low, high] = [SIDES[above - 1]!, SIDES[above]!];
  const share = (side - low) / (high - low);
  return times[above - 1]! * (1 - share) + times[above]! * share;
}
