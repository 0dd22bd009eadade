/** The lines of charts: one for each method of a run, or of runs together; which of them are drawn, and what they are called. */
import { greatest, least } from "../../numeric/lists.ts";
import { canonicalJson } from "../../spec/canonical.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { toggled, type CurvesView } from "../../store/curvesView.ts";
import type { NamedRun } from "../../store/runs.ts";
import type { Curve } from "./curve.ts";
import { words } from "./words.ts";

/** What the charts are drawn from; the place where they are read is not among it. */
export type CurveSettings = Omit<CurvesView, "reading" | "metrics">;

export interface RunLine {
  id: string;
  method: string;
  /** See `Curve`. */
  look?: string;
  name: string;
  weight: Curve["weight"];
  /** Its label if one chart has lines of several runs; "" for none. */
  mark: string;
  /** One run, or several whose mean it is. */
  logs: readonly RunLog[];
  /** Runs that a point needs; one when absent. */
  needs?: number;
  /** In place of how many seeds it is the mean of. */
  note?: string;
  /** Whether it is left out if it has no number. */
  optional?: boolean;
  /** Whether its numbers stay as they are where others are smoothed. */
  plain?: boolean;
}

/** The line of a method in one run, or of the mean over several. */
export function methodLine(
  method: string,
  logs: readonly RunLog[],
  parts: Partial<RunLine> = {},
): RunLine {
  return { id: method, method, name: titleOf(method), weight: "main", mark: "", logs, ...parts };
}

/** One line for each method of a run. */
export function linesOfRun(log: RunLog, parts: Partial<RunLine> = {}): RunLine[] {
  return log.algorithms.map((method) => methodLine(method, [log], parts));
}

/** Recorded seeds of each method that at least two of them have: pale, with bands. */
export function seedLines(seeds: readonly RunLog[], methods: readonly string[]): RunLine[] {
  return methods.flatMap((method) => {
    const logs = seeds.filter((log) => log.algorithms.includes(method));
    if (logs.length < 2) return [];
    const [id, note] = [`band-${method}`, words.seedMean(logs.length)];
    const kind = { weight: "ghost", needs: 2, optional: true, plain: true } as const;
    return [methodLine(method, logs, { id, note, ...kind })];
  });
}

/** The curves that came with a link: broad and pale, so that a line that is the same can be seen on them. */
export function senderLines(sent: RunLog): RunLine[] {
  return linesOfRun(sent, { weight: "sender", optional: true, plain: true }).map((line) => ({
    ...line,
    id: `sender-${line.method}`,
    name: words.sender.name(line.name),
  }));
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

/** All methods of runs, hidden ones too, in the order in which they appear. */
export function methodsIn(logs: readonly RunLog[]): string[] {
  return [...new Set(logs.flatMap(({ algorithms }) => algorithms))];
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

/** The lines of the lens: of every run there is, those that differ only in their seed together. */
export function runLines(job: CurveJob): RunLine[] {
  const { runs, settings } = job;
  const drawn = drawnMethods(methodsIn(runs.map(({ log }) => log)), settings.hidden);
  const groups = groupRuns(shownRuns(job), settings);
  return groups.flatMap((group) => {
    const letters = lettersOf(group.runs.map(({ place }) => place));
    const mark = groups.length > 1 ? letters.replaceAll(", ", "") : "";
    const logs = group.runs.map(({ log }) => log);
    const own = methodsIn(logs).filter((name) => drawn.includes(name));
    return own.map((method): RunLine => {
      const id = `${group.id}|${method}`;
      const name = titleOf(method) + (mark === "" ? "" : ` (${letters})`);
      const chosen = isBaseline(settings.baseline, id, method, group.runs.includes(runs[0]!));
      const weight = chosen ? "baseline" : weightOf(group, runs);
      return { id, method, name, weight, mark, logs };
    });
  });
}

/** A link names only the method: that of the run that is shown. */
function isBaseline(baseline: string | null, id: string, method: string, shown: boolean) {
  return id === baseline || (shown && method === baseline);
}

/** The sender's is a broad line behind all; the recorded run behind a live one is a ghost. */
function weightOf({ runs }: RunGroup, all: readonly NamedRun[]): Curve["weight"] {
  const shown = all[0];
  if (shown && runs.includes(shown)) return "main";
  if (runs.every(({ origin }) => origin === "shared")) return "sender";
  const ghost = runs.every(({ origin }) => origin === "recorded") && shown?.origin === "live";
  return ghost ? "ghost" : "other";
}

interface RunGroup {
  id: string;
  /** Each with its own seed. */
  runs: NamedRun[];
  /** A repetition of the same experiment with the same seed: a separate line, because it adds no evidence. */
  again: boolean;
}

/** A, B, ..., Z, A2, B2, ...: in the order in which the page came to know the runs, which is the table's. */
export function letterOf(place: number): string {
  const round = Math.floor(place / 26);
  return String.fromCharCode(65 + (place % 26)) + (round === 0 ? "" : String(round + 1));
}

/** Letters of places in a line: "A, C", or "B–F" where more than three follow each other. */
export function lettersOf(places: readonly number[]): string {
  const [first, last] = [places[0]!, places.at(-1)!];
  const isRow = places.length > 3 && places.every((place, i) => place === first + i);
  return isRow ? `${letterOf(first)}–${letterOf(last)}` : places.map(letterOf).join(", ");
}

const ids = new Map<string, string>();

/** Whether nobody but the reader can say that a run differs from others only in its seed. */
export function lacksSeed({ spec }: NamedRun): boolean {
  return typeof spec?.seed !== "number";
}

/** What runs go by that the reader takes for seeds of one another. */
const TOGETHER = "together";

/** The same for runs that differ only in their seed. */
function configId(run: NamedRun, together: readonly string[]): string {
  if (lacksSeed(run)) return together.includes(run.id) ? TOGETHER : run.id;
  const rest = canonicalJson({ ...run.spec, seed: null });
  const known = ids.get(rest) ?? `config${ids.size + 1}`;
  ids.set(rest, known);
  return known;
}

export function groupRuns(
  runs: readonly NamedRun[],
  { seeds, together }: Pick<CurvesView, "seeds" | "together">,
): RunGroup[] {
  if (seeds === "each") return runs.map((run) => ({ id: run.id, runs: [run], again: false }));
  const groups = new Map<string, RunGroup>();
  for (const run of runs) {
    const id = configId(run, together);
    const group = groups.get(id);
    const again = group?.runs.some((other) => isSameSeed(other, run)) ?? false;
    if (group && !again) group.runs.push(run);
    else groups.set(again ? run.id : id, { id: again ? run.id : id, runs: [run], again });
  }
  return [...groups.values()];
}

function isSameSeed(a: NamedRun, b: NamedRun): boolean {
  return !lacksSeed(a) && a.spec?.seed === b.spec?.seed;
}

/** How many iterations every method (that has not crashed) has; a foreign run's numbers need not begin at 1. */
export function finishedIterations(log: RunLog): number {
  const crashed = new Set(log.crashes.map(({ algorithm }) => algorithm));
  const counts = log.algorithms.map((name) => ({ name, n: log.iterations(name).length }));
  const going = counts.filter(({ name }) => !crashed.has(name));
  if (going.length === 0) return greatest([0, ...counts.map(({ n }) => n)]);
  return least(going.map(({ n }) => n));
}
