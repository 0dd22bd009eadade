/** The referee's kept lines: `referee --out public/referee.json` writes them, all rows and tasks. */
import { mean } from "../../numeric/statistics.ts";
import {
  REFEREE_CRITICS,
  REFEREE_MEASURES,
  type RefereeCritic,
  type RefereeMeasure,
  type RefereeReport,
  type ScoredLine,
} from "../../reading/referee/lines.ts";
import { z } from "../../spec/zod.ts";

export const REFEREE_FILE = "referee.json";

const known = z.nullable(z.number());
const reported = z.tuple([known, known, known]);
const about = {
  task: z.string(),
  row: z.string(),
  critic: z.nullable(z.enum(REFEREE_CRITICS)),
};
const line = z.union([
  z.strictObject({
    ...about,
    units: z.enum(["reward", "fitted"]),
    ...(Object.fromEntries(REFEREE_MEASURES.map((name) => [name, reported])) as Record<
      RefereeMeasure,
      typeof reported
    >),
    episodes: known,
  }),
  z.strictObject({ ...about, refused: z.string() }),
]);
const report = z.strictObject({
  seeds: z.number(),
  episodes: z.number(),
  tasks: z.array(
    z.strictObject({
      name: z.string(),
      title: z.string(),
      tests: z.string(),
      score: z.number(),
      turns: z.number(),
      meanSquare: z.number(),
    }),
  ),
  lines: z.array(line),
});

/** @throws SyntaxError if the file is not JSON, z.ZodError if it has another shape. */
export function readReport(text: string): RefereeReport {
  return report.parse(JSON.parse(text));
}

/** What the table can show. */
export const SHOWN_MEASURES = [...REFEREE_MEASURES, "episodes"] as const;
export type ShownMeasure = (typeof SHOWN_MEASURES)[number];

/** Rows whose lines are all equal: they differ only in ways that a ratio of 1 hides. */
export interface RefereeRow {
  names: string[];
  /** By task. */
  lines: Map<string, ScoredLine>;
  /** Mean over tasks; of episodes: on how many tasks some batch is enough. null if nothing is known. */
  mean: number | null;
}

/** Rows as one critic serves them; those without a critic are the same under both. */
export function refereeRows(
  { lines }: RefereeReport,
  measure: ShownMeasure,
  critic: RefereeCritic,
): RefereeRow[] {
  const byRow = new Map<string, Map<string, ScoredLine>>();
  for (const line of lines) {
    if ("refused" in line || (line.critic ?? critic) !== critic) continue;
    const own = byRow.get(line.row) ?? new Map<string, ScoredLine>();
    byRow.set(line.row, own.set(line.task, line));
  }
  const alike = new Map<string, RefereeRow>();
  for (const [name, own] of byRow) {
    const key = JSON.stringify([...own.values()].map((one) => ({ ...one, row: "" })));
    const same = alike.get(key);
    if (same) same.names.push(name);
    else alike.set(key, { names: [name], lines: own, mean: meanOf([...own.values()], measure) });
  }
  return [...alike.values()];
}

function meanOf(lines: readonly ScoredLine[], measure: ShownMeasure): number | null {
  if (measure === "episodes") return lines.filter(({ episodes }) => episodes !== null).length;
  const values = lines.map((line) => line[measure][0]).filter((x) => x !== null);
  return values.length > 0 ? mean(values) : null;
}

/** Whether less is better. */
const isLeast = (measure: ShownMeasure, inMean = false) =>
  measure === "bias" || measure === "variance" || (measure === "episodes" && !inMean);

/** The number by which a column is ordered: `task` null is the mean. Best first, unknown last. */
export function bestFirst(
  rows: readonly RefereeRow[],
  measure: ShownMeasure,
  task: string | null,
): RefereeRow[] {
  const sign = isLeast(measure, task === null) ? 1 : -1;
  const place = (row: RefereeRow) => {
    const value = task === null ? row.mean : shownNumber(row, measure, task);
    return value === null ? Infinity : sign * value;
  };
  return rows.toSorted((a, b) => place(a) - place(b) || 0);
}

export function shownNumber(
  { lines }: RefereeRow,
  measure: ShownMeasure,
  task: string,
): number | null {
  const line = lines.get(task);
  if (!line) return null;
  return measure === "episodes" ? line.episodes : line[measure][0];
}
