/** What has been measured for the studies, read from the lines that `sweep --keep` wrote. */
import { mean, tInterval, type Interval } from "../../numeric/statistics.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { specHash } from "../../spec/specHash.ts";
import { methodsOf, specsOf, STUDY_MEASURES, type Study } from "../../spec/study.ts";

/** One condition with one method. */
export interface StudyCell {
  condition: string;
  method: string;
  /** Finished runs. */
  n: number;
  /** Mean share solved before the first and after the last update; null where nothing has run. */
  first: number | null;
  last: number | null;
  /** 95 % interval of the mean gain, Student's t over seeds; null for fewer than two runs. */
  gain: Interval | null;
}

interface Line {
  /** What `specHash` makes of the run's spec: a run may serve several studies, under one name. */
  spec: string;
  /** Scores of each evaluation, by iteration and measure. */
  methods: { method: string; points: [number, Record<string, number | null>][] }[];
}

/** The lines that fit; others are left out. */
export function readResults(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    const value = jsonOrNothing(line) as Partial<Line> | undefined;
    const fits = typeof value?.spec === "string" && Array.isArray(value.methods);
    return fits ? [value as Line] : [];
  });
}

/** Every cell of a study, those that have not run too: a result counts for the spec that made it, and for no other. [conditions x methods] */
export function studyCells(study: Study, lines: readonly Line[]): StudyCell[] {
  return study.conditions.flatMap(({ name: condition }) =>
    methodsOf(study).map((method) => {
      const planned = new Set(specsOf(study, condition, method).map(specHash));
      const own = lines.filter(({ spec }) => planned.has(spec));
      const points = own.flatMap((line) => pointsOf(line, method));
      return {
        condition,
        method,
        n: points.length,
        first: meanOf(points.map((all) => all.at(0)!)),
        last: meanOf(points.map((all) => all.at(-1)!)),
        gain: points.length > 1 ? tInterval(points.map((all) => all.at(-1)! - all.at(0)!)) : null,
      };
    }),
  );
}

/** The first measure's scores in order; none where one is missing. */
function pointsOf({ methods }: Line, method: string): number[][] {
  const [measure] = STUDY_MEASURES;
  const scores = methods
    .find((one) => one.method === method)
    ?.points.map(([, all]) => all[measure]);
  const whole = scores?.every((score) => typeof score === "number");
  return whole && scores!.length > 0 ? [scores as number[]] : [];
}

function meanOf(values: number[]): number | null {
  return values.length > 0 ? mean(values) : null;
}
