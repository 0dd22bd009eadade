/** The measurements of the studies, read from the lines that `sweep --keep` wrote. */
import { firstAndLast, knownOnly, minus } from "../../numeric/finite.ts";
import { mean, tInterval, type Interval } from "../../numeric/statistics.ts";
import { resultCollapsed } from "../../spec/collapse.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { specHash } from "../../spec/specHash.ts";
import {
  methodsOf,
  seedsPerCell,
  specsOf,
  STUDY_MEASURES,
  type Study,
} from "../../spec/studies/study.ts";

/** One condition with one method. */
export interface StudyCell {
  condition: string;
  method: string;
  /** Finished runs, and how many of them collapsed; a crashed one counts with its last finite score, as in a sweep's summary. */
  n: number;
  collapsed: number;
  /** Mean share solved before the first and after the last update; null if nothing has been run. */
  first: number | null;
  last: number | null;
  /** 95 % interval of the mean gain, Student's t over seeds; null for fewer than two runs. */
  gain: Interval | null;
  /** Mean tokens that a run's policy sampled in training and mean duration; null if nothing has been run. */
  tokens: number | null;
  seconds: number | null;
}

interface MethodLine {
  method: string;
  /** Scores of each evaluation, by iteration and measure. */
  points: [number, Record<string, number | null>][];
  tokens: number;
  seconds: number;
  crashedAt?: number | null;
}

interface Line {
  /** `specHash` of the run's spec: a run may serve several studies, under one name. */
  spec: string;
  methods: MethodLine[];
}

/** The valid lines; others are left out. */
export function readResults(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    const value = jsonOrNothing(line) as Partial<Line> | undefined;
    const fits = typeof value?.spec === "string" && Array.isArray(value.methods);
    return fits ? [value as Line] : [];
  });
}

/** Every cell of a study, including those not run: a result counts only for the spec that made it. [conditions x methods] */
export function studyCells(study: Study, lines: readonly Line[]): StudyCell[] {
  return study.conditions.flatMap((condition) =>
    methodsOf(study).map((method) => {
      const planned = new Set(specsOf(study, condition, method).map(specHash));
      const own = lines
        .filter(({ spec }) => planned.has(spec))
        .flatMap(({ methods }) => methods.filter((one) => one.method === method));
      const scores = own.map(scoresOf);
      const gains = knownOnly(scores.map(({ first, last }) => minus(last, first)));
      return {
        condition: condition.name,
        method,
        n: own.length,
        collapsed: own.filter((one) => resultCollapsed(one)).length,
        first: meanOf(knownOnly(scores.map(({ first }) => first))),
        last: meanOf(knownOnly(scores.map(({ last }) => last))),
        gain: gains.length > 1 ? tInterval(gains) : null,
        tokens: meanOf(own.map(({ tokens }) => tokens)),
        seconds: meanOf(own.map(({ seconds }) => seconds)),
      };
    }),
  );
}

/** What a study's answer still needs. */
interface MissingRuns {
  runs: number;
  /** Of all its runs. */
  of: number;
  /** In all missing runs. */
  iterations: number;
}

export function missingRuns(study: Study, cells: readonly StudyCell[]): MissingRuns {
  const left = (n: number) => Math.max(0, seedsPerCell - n);
  const iterations = cells.map(({ n, condition, method }) => {
    const of = study.conditions.find(({ name }) => name === condition)!;
    return left(n) * specsOf(study, of, method)[0]!.optimisation.iterations;
  });
  return {
    runs: cells.reduce((sum, { n }) => sum + left(n), 0),
    of: cells.length * seedsPerCell,
    iterations: iterations.reduce((sum, x) => sum + x, 0),
  };
}

/** Of the first measure. */
const scoresOf = ({ points }: MethodLine) =>
  firstAndLast(points.map(([, scores]) => scores[STUDY_MEASURES[0]]));

function meanOf(values: number[]): number | null {
  return values.length > 0 ? mean(values) : null;
}
