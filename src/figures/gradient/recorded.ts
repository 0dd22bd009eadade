/** The recorded figure: how near each row's gradient comes to the true one, at some checkpoints. */
import { z } from "../../spec/zod.ts";

export const FIGURE_FILE = "figures/gradient.json";

/** [value, low, high]; null if it is undefined. */
const estimate = z.tuple([z.nullable(z.number()), z.nullable(z.number()), z.nullable(z.number())]);

const row = z.strictObject({
  name: z.string(),
  title: z.string(),
  /** Whether it uses true values. */
  ceiling: z.boolean(),
  /** One per batch size. */
  cosine: z.array(estimate),
  snr: z.array(estimate),
  limit: z.array(estimate),
  /** Cosine minus that of the row `against`; null for that row itself. */
  difference: z.nullable(z.array(estimate)),
});

const checkpoint = z.strictObject({
  id: z.string(),
  /** Its name in the choice, e.g. "Sokoban nano, start". */
  title: z.string(),
  /** The commands that trained its run and computed this. */
  commands: z.array(z.string()),
  machine: z.string(),
  /** Rollouts of one task, and branches for each true value. */
  group: z.number(),
  branches: z.number(),
  sizes: z.array(z.number()),
  /** Episodes. */
  n: z.strictObject({ reference: z.number(), rows: z.number(), blocks: z.number() }),
  /** The share that the true gradient's own noise adds to its squared norm. */
  referenceNoise: estimate,
  /** Title of the row that all are compared with. */
  against: z.string(),
  rows: z.array(row),
});

const figure = z.strictObject({ checkpoints: z.array(checkpoint).check(z.minLength(1)) });

export type GradientFigure = z.infer<typeof figure>;
export type FigureCheckpoint = z.infer<typeof checkpoint>;
export type FigureEstimate = z.infer<typeof estimate>;
type FigureRow = z.infer<typeof row>;

/** @throws SyntaxError if the file is not JSON, z.ZodError if it has another shape. */
export function readFigure(text: string): GradientFigure {
  return figure.parse(JSON.parse(text));
}

/** Rows with the same numbers, which differ only in ways that a ratio of 1 hides. */
export interface Alike extends FigureRow {
  titles: string[];
}

/** The rows with the highest cosine at a size first; those with the same numbers are one. */
export function ranked(rows: readonly FigureRow[], at: number): Alike[] {
  const alike = new Map<string, Alike>();
  for (const own of rows) {
    const key = JSON.stringify([own.cosine, own.snr]);
    const known = alike.get(key);
    if (known) known.titles.push(own.title);
    else alike.set(key, { ...own, titles: [own.title] });
  }
  const height = (own: Alike) => own.cosine[at]?.[0] ?? -2;
  return [...alike.values()].sort((a, b) => height(b) - height(a));
}

/** Drawn at first: the methods of the comparison, a ceiling and the plainest row. */
const FIRST = ["true-v-1", "true-advantage", "turn-ppo", "token-ppo", "grpo", "gigpo"];

/** As many lines as can be distinguished. */
export const MOST_LINES = 6;

export function drawnAtFirst(rows: readonly Alike[]): string[] {
  const wanted = rows.filter(({ name }) => FIRST.includes(name)).map(({ name }) => name);
  return wanted.length > 0 ? wanted : rows.slice(0, MOST_LINES).map(({ name }) => name);
}
