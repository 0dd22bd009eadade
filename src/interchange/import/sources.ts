/**
 * What the paths of files mean: a file's training step, whether it is an evaluation, and which
 * files are parts of one run. Writers create one file per step (`10.jsonl`,
 * `global_step_20/rank_0.jsonl`), and use the same names for rollouts and for validation; files of
 * two runs must never be averaged together.
 */

import { least } from "../../numeric/lists.ts";

/** What is known of a file before it is read. */
export interface FileSource {
  /** Path: the name after its folders. */
  name: string;
  /** Suffix of its run's name, starting with a hyphen; "" if there is only one training run. */
  run: string;
  /** The training step in its path; null if it has none. */
  step: number | null;
  /** The step; without one, the file's index within its run, from 1, or 0 for a single file. */
  iteration: number;
  /** The file's index within its run, from 0. */
  index: number;
}

/** What separates files into runs: folders and names, or folders alone if names are parts of a run. */
export type ApartBy = "name" | "folder" | "nothing";

/** In the order of the paths. */
export function sourcesOf(names: readonly string[], apart: ApartBy): FileSource[] {
  const paths = names.map(pathOf);
  const byRun = new Map<string, number[]>();
  paths.forEach((path, i) => {
    const key = keyOf(path, apart);
    const files = byRun.get(key);
    if (files) files.push(i);
    else byRun.set(key, [i]);
  });
  const sources: FileSource[] = [];
  const runs = runNames(
    [...byRun].map(([, [first]]) => paths[first!]!),
    apart,
  );
  [...byRun.values()].forEach((files, r) => {
    const iterations = numbered(files.map((i) => paths[i]!.step));
    files.forEach((i, index) => {
      const { step } = paths[i]!;
      sources[i] = { name: names[i]!, run: runs[r]!, step, iteration: iterations[index]!, index };
    });
  });
  return sources;
}

/** Whether two paths may be copies of one file: files of different steps are different. */
export function mayBeOne(name: string, other: string): boolean {
  const [a, b] = [pathOf(name), pathOf(other)];
  return a.evaluation === b.evaluation && (a.step === null || b.step === null || a.step === b.step);
}

/** Whether a path says that its file is of an evaluation. */
export function evaluationIn(name: string): boolean {
  return pathOf(name).evaluation;
}

const EVALUATION = /(?:^|[^a-z])(?:val|valid|validation|eval|evaluation)s?(?:[^a-z]|$)/i;
/** Parts of one step, by process or shard. */
const PIECE =
  /(?:^|[_.-])(?:rank|shard|part|worker|process|proc)[_.-]?\d+|[_.-]?\d{3,6}-of-\d{3,6}/gi;
const NAMED_STEP = /(?:^|[_.-])(?:global[_.-]?)?(?:step|iter(?:ation)?)s?[_.-]?(\d{1,8})(?!\d)/i;
/** At the end of a file's name; a time of day after a date is not a step, nor is the number of a seed or run. */
const LAST_NUMBER = /(?:^|(?<!\d{8}|seed|run|exp|trial|fold)[_.-])(\d{1,8})$/i;
const DIGITS = /^(\d{1,8})$/;
/** The suffix that a browser adds to a second download. */
const COPY = /\s*\(\d+\)$/;

interface ReadPath {
  step: number | null;
  evaluation: boolean;
  /** Without the parts that name the step or a shard. */
  folders: string[];
  file: string;
}

function pathOf(name: string): ReadPath {
  const segments = name.split(/[\\/]/);
  const stem = segments.at(-1)!.replace(/(?<=.)\.[^.]*$/, "");
  const copy = COPY.exec(stem)?.[0] ?? "";
  const cut = [...segments.slice(0, -1), stem.slice(0, stem.length - copy.length)].map((text) =>
    text.replace(PIECE, ""),
  );
  const { step, at, rest } = stepIn(cut);
  if (at >= 0) cut[at] = rest;
  const file = cut.pop()! + copy;
  const evaluation = [...cut, file].some((text) => EVALUATION.test(text));
  return { step, evaluation, folders: cut.filter((text) => text !== ""), file };
}

/** The position of the step in a path: a word and number, or a bare number in the file's name or its own folder's. */
function stepIn(segments: readonly string[]): { step: number | null; at: number; rest: string } {
  const last = segments.length - 1;
  const tries: [RegExp, number][] = [
    ...segments.map((_, i): [RegExp, number] => [NAMED_STEP, last - i]),
    [LAST_NUMBER, last],
    [DIGITS, last],
    ...(last > 0 ? [[DIGITS, last - 1] as [RegExp, number]] : []),
  ];
  for (const [pattern, at] of tries) {
    const text = segments[at]!;
    const found = pattern.exec(text);
    if (!found) continue;
    const rest = text.slice(0, found.index) + text.slice(found.index + found[0].length);
    return { step: Number(found[1]), at, rest: rest.replace(/^[_.-]+|[_.-]+$/g, "") };
  }
  return { step: null, at: -1, rest: "" };
}

function keyOf({ evaluation, folders, file }: ReadPath, apart: ApartBy): string {
  if (apart === "nothing") return "";
  return JSON.stringify([evaluation, folders, apart === "name" ? file : ""]);
}

const RUN_LENGTH = 20;

/** The name of each run, from one of its paths: empty if there is only one training run; all names differ. */
function runNames(paths: readonly ReadPath[], apart: ApartBy): string[] {
  if (apart === "nothing") return paths.map(() => "");
  const parts = paths.map(({ folders, file }) => [...folders, ...(apart === "name" ? [file] : [])]);
  const used = new Set<string>();
  return paths.map(({ evaluation }, i) => {
    const alike = parts.filter((_, j) => paths[j]!.evaluation === evaluation);
    const own = alike.length > 1 ? parts[i]!.slice(commonStart(alike)) : [];
    const words = [evaluation ? "validation" : "", ...own].join("-").replace(/[^\w.-]+/g, "-");
    const name = words.replace(/^-+|-+$/g, "").slice(0, RUN_LENGTH);
    if (name === "" && alike.length === 1) return "";
    let unique = name;
    for (let n = 2; unique === "" || used.has(unique); n++)
      unique = name === "" ? `${n - 1}` : `${name}-${n}`;
    used.add(unique);
    return `-${unique}`;
  });
}

/** Number of folders that all have in common. */
function commonStart(lists: readonly (readonly string[])[]): number {
  const shortest = least(lists.map(({ length }) => length));
  let same = 0;
  while (same < shortest && lists.every((list) => list[same] === lists[0]![same])) same++;
  return same;
}

/** Files without a step are numbered after the highest step of the others. */
function numbered(steps: readonly (number | null)[]): number[] {
  if (steps.length === 1) return [steps[0] ?? 0];
  const named = new Set(steps);
  let next = 0;
  return steps.map((step) => {
    if (step !== null) return step;
    do next++;
    while (named.has(next));
    return next;
  });
}
