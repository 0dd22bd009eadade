/** The lines of every chart: one for each method of each run, or of runs that differ only in their seed. */
import { lineStyles, type LineStyle } from "../../charts/palette.ts";
import type { Curve } from "../../charts/curveTypes.ts";
import { toggled, type CurvesView } from "../../store/curvesView.ts";
import type { NamedRun } from "../../store/runs.ts";
import { titleOf } from "../../reading/titles.ts";
import { groupRuns, lettersOf, type RunGroup } from "./runGroups.ts";

/** What the charts are drawn from; the place where they are read is not among it. */
export type CurveSettings = Omit<CurvesView, "reading" | "metrics">;

export interface RunLine extends LineStyle {
  id: string;
  algorithm: string;
  name: string;
  weight: Curve["weight"];
  mark: string;
  group: RunGroup;
}

/** Runs and settings of one moment. */
export interface CurveJob {
  runs: readonly NamedRun[];
  settings: CurveSettings;
}

/** The run that panels show. */
export const shownLog = ({ runs }: CurveJob) => runs[0]?.log;

export function shownRuns({ runs, settings }: CurveJob): NamedRun[] {
  return runs.filter(({ id }) => !settings.hidden.includes(id));
}

/** All methods of the runs, hidden ones too, in the order in which they appear. */
export function algorithmsOf(runs: readonly NamedRun[]): string[] {
  return [...new Set(runs.flatMap(({ log }) => log.algorithms))];
}

/** Methods drawn together: nobody can follow more lines. */
export const MOST_METHODS = 6;

/** Of the methods the first six that are not hidden: the others are chosen in the legend in their place. */
export function drawnMethods(names: readonly string[], hidden: readonly string[]): string[] {
  return names.filter((name) => !hidden.includes(name)).slice(0, MOST_METHODS);
}

/** What is hidden once a method is shown or not: by name, so that nothing moves up into its place. Runs stay as they are. */
export function methodToggled(
  names: readonly string[],
  hidden: readonly string[],
  name: string,
): string[] {
  const drawn = toggled(drawnMethods(names, hidden), name);
  const others = hidden.filter((one) => !names.includes(one));
  return [...others, ...names.filter((one) => !drawn.includes(one))];
}

export function runLines(job: CurveJob): RunLine[] {
  const { runs, settings } = job;
  const algorithms = algorithmsOf(runs);
  const drawn = drawnMethods(algorithms, settings.hidden);
  const styles = lineStyles(algorithms);
  const groups = groupRuns(shownRuns(job), settings);
  return groups.flatMap((group) => {
    const letters = lettersOf(group.runs.map(({ place }) => place));
    const own = algorithmsOf(group.runs).filter((name) => drawn.includes(name));
    return own.map((algorithm) => {
      const id = `${group.id}|${algorithm}`;
      const mark = groups.length > 1 ? letters.replaceAll(", ", "") : "";
      const name = titleOf(algorithm) + (mark === "" ? "" : ` (${letters})`);
      const chosen = isBaseline(settings.baseline, id, algorithm, group.runs.includes(runs[0]!));
      const weight = chosen ? "baseline" : weightOf(group, runs);
      const style = styles.get(algorithm)!;
      // A broad line needs no dashes, and would hide those of a line upon it.
      const dash = weight === "sender" ? "" : style.dash;
      return { id, algorithm, name, weight, mark, group, ...style, dash };
    });
  });
}

/** A link names only the method: that of the run that is shown. */
function isBaseline(baseline: string | null, id: string, algorithm: string, shown: boolean) {
  return id === baseline || (shown && algorithm === baseline);
}

/** The sender's is a broad line behind all; the recorded run behind a live one is a ghost. */
function weightOf({ runs }: RunGroup, all: readonly NamedRun[]): Curve["weight"] {
  const shown = all[0];
  if (shown && runs.includes(shown)) return "main";
  if (runs.every(({ origin }) => origin === "shared")) return "sender";
  const ghost = runs.every(({ origin }) => origin === "recorded") && shown?.origin === "live";
  return ghost ? "ghost" : "other";
}
