/**
 * What the paths of files say: of which training step a file is, whether it holds an evaluation, and which files are
 * parts of one run. Writers make one file a step (`10.jsonl`, `global_step_20/rank_0.jsonl`), and use the same names
 * for rollouts and for validation; files of two runs must never become the mean of both.
 */

import { least } from "../../numeric/lists.ts";

/** What is known of a file before it is read. */
export interface FileSource {
  /** After the folders that it was found in. */
  name: string;
  /** What the name of its run ends in, with a hyphen before it; "" where one run of training is there. */
  run: string;
  /** The training step that its path names; null where it names none. */
  step: number | null;
  /** The step; where none is named, which of its run's files it is, from 1, or 0 of the only one. */
  iteration: number;
  /** Which of its run's files it is, from 0. */
  index: number;
}

/** What keeps files apart: folders and names, or folders alone where names say which part of a run it is. */
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

/** Whether two paths may be of one file that is there twice: one that is of another step is another. */
export function mayBeOne(name: string, other: string): boolean {
  const [a, b] = [pathOf(name), pathOf(other)];
  return a.evaluation === b.evaluation && (a.step === null || b.step === null || a.step === b.step);
}

const EVALUATION = /(?:^|[^a-z])(?:val|valid|validation|eval|evaluation)s?(?:[^a-z]|$)/i;
/** Parts of one step, by process or piece. */
const PIECE =
  /(?:^|[_.-])(?:rank|shard|part|worker|process|proc)[_.-]?\d+|[_.-]?\d{3,6}-of-\d{3,6}/gi;
const NAMED_STEP = /(?:^|[_.-])(?:global[_.-]?)?(?:step|iter(?:ation)?)s?[_.-]?(\d{1,8})(?!\d)/i;
/** At the end of a file's name; the time of day behind a date is no step, nor is the number of a seed or run. */
const LAST_NUMBER = /(?:^|(?<!\d{8}|seed|run|exp|trial|fold)[_.-])(\d{1,8})$/i;
const DIGITS = /^(\d{1,8})$/;
/** What a browser puts behind the name of a second download. */
const COPY = /\s*\(\d+\)$/;

interface ReadPath {
  step: number | null;
  evaluation: boolean;
  /** Without what names the step, or a piece of it. */
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

/** Where a path names the step: with the word before a bare number, and that only in the file's name and its own folder's. */
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

/** Of each run, from one of its paths: nothing where it is the only one of training; each is another. */
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

/** How many folders are the same in all. */
function commonStart(lists: readonly (readonly string[])[]): number {
  const shortest = least(lists.map(({ length }) => length));
  let same = 0;
  while (same < shortest && lists.every((list) => list[same] === lists[0]![same])) same++;
  return same;
}

/** Files that name no step are counted, past the steps that others name. */
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
