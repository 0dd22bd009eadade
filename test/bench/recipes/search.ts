/**
 * An equal search: every method gets the same random draws, budget and stages. After each stage the best of each method go
 * on, judged by validation levels; the last ones are scored with new seeds on test levels that no stage has seen.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "../../../src/cli/args.ts";
import type { Summary, SummaryRow } from "../../../src/cli/sweep/summary.ts";
import { planSweep, type SweepFile } from "../../../src/cli/sweep/sweepFile.ts";
import { InputError } from "../../../src/numeric/inputError.ts";

declare const __TURNBOOK_ROOT__: string;

type Settings = Record<string, number | string | boolean>;

interface Stage {
  iterations: number;
  seeds: number[];
}

export interface Config {
  /** A partial spec; its evaluation.set is set by the stages. */
  base: Record<string, unknown>;
  methods: string[];
  /** As a sweep's draws. */
  space: NonNullable<SweepFile["draws"]>["over"];
  draws: number;
  /** `keep`: settings of each method that go on. */
  stages: (Stage & { keep: number })[];
  final: Stage;
  /** Of the log's evaluations; the higher the better. */
  measure: string;
}

export interface Outcome {
  stage: number | "final";
  method: string;
  /** draw01, draw02, ... */
  draw: string;
  settings: Settings;
  set: "validation" | "test";
  iterations: number;
  scores: SummaryRow["scores"];
  mean: number | null;
  crashed: number;
  /** Goes on to the next stage. */
  kept: boolean;
}

/** Runs a sweep's file under a name and returns its summary. */
export type RunSweep = (name: string, file: object) => Summary;

interface Candidate {
  method: string;
  draw: string;
  settings: Settings;
}

/** All stages; `note` hears the outcomes of each. */
export function search(config: Config, run: RunSweep, note: (all: Outcome[]) => void): Outcome[] {
  let candidates = drawn(config);
  for (const [i, { keep, ...stage }] of config.stages.entries()) {
    const of = { stage: i + 1, set: "validation" as const, ...stage };
    const outcomes = tried(config, candidates, of, run);
    markBest(outcomes, keep);
    note(outcomes);
    const best = outcomes.filter(({ kept }) => kept);
    candidates = best.map(({ method, draw, settings }) => ({ method, draw, settings }));
  }
  const final = tried(config, candidates, { stage: "final", set: "test", ...config.final }, run);
  note(final);
  return final;
}

/** The same draws for every method. */
function drawn({ base, methods, space, draws }: Config): Candidate[] {
  const { runs } = planSweep({ base, draws: { count: draws, over: space }, seeds: [0] });
  const settings = runs.map(({ changes }, i) => {
    return { draw: `draw${String(i + 1).padStart(2, "0")}`, settings: changes as Settings };
  });
  return methods.flatMap((method) => settings.map((one) => ({ method, ...one })));
}

interface Of extends Stage {
  stage: Outcome["stage"];
  set: Outcome["set"];
}

function tried(config: Config, candidates: Candidate[], of: Of, run: RunSweep): Outcome[] {
  const { stage, set, iterations, seeds } = of;
  const nameOf = ({ method, draw }: Candidate) => `${method}-${draw}`;
  const file = {
    base: config.base,
    variants: candidates.map((one) => ({
      name: nameOf(one),
      set: { algorithms: [{ name: one.method, set: {} }] },
      changes: { ...one.settings, iterations, "evaluation.set": set },
    })),
    ...{ seeds, measures: [config.measure] },
  };
  const { rows } = run(`stage-${stage}`, file);
  return candidates.map((candidate) => {
    const row = rows.find(({ setting }) => setting === nameOf(candidate));
    if (!row) throw new Error(`the sweep has no row of ${nameOf(candidate)}`);
    const { scores, mean, crashed } = row;
    return { stage, ...candidate, set, iterations, scores, mean, crashed, kept: false };
  });
}

/** Of each method; one without a score is never the best. */
function markBest(outcomes: Outcome[], keep: number): void {
  for (const method of new Set(outcomes.map((one) => one.method))) {
    const own = outcomes.filter((one) => one.method === method && one.mean !== null);
    own.sort((a, b) => b.mean! - a.mean!);
    for (const one of own.slice(0, keep)) one.kept = true;
  }
}

/** Fields whose best value lies in the outer tenth of its range, or is the first or last of a list: to be widened. */
export function edges(space: Config["space"], settings: Settings): string[] {
  return Object.entries(space).flatMap(([field, from]) => {
    const value = settings[field];
    if (Array.isArray(from)) {
      const at = from.findIndex((one) => String(one) === String(value));
      return from.length > 2 && (at === 0 || at === from.length - 1) ? [field] : [];
    }
    const isLog = "log" in from;
    const [low, high] = (isLog ? from.log : from.linear).map((x) => (isLog ? Math.log(x) : x));
    const x = isLog ? Math.log(Number(value)) : Number(value);
    const share = (x - low!) / (high! - low!);
    return share < 0.1 || share > 0.9 ? [field] : [];
  });
}

export function main(argv: string[]): void {
  const args = parseArgs(argv, {
    work: { type: "string" },
    jobs: { type: "integer", min: 1 },
    nice: { type: "integer", min: 0, max: 19 },
  });
  const [file, work] = [args.words[0], args.string("work")];
  if (file === undefined || work === undefined)
    throw new InputError("search takes CONFIG and --work DIR, where the runs are kept");
  const config = JSON.parse(readFileSync(file, "utf8")) as Config;
  const target = join(dirname(resolve(file)), `${basename(file, ".json")}.jsonl`);
  const outcomes: Outcome[] = [];
  const note = (all: Outcome[]) => {
    outcomes.push(...all);
    // Whole or not at all: a kill leaves the outcomes of the stage before.
    writeFileSync(`${target}.part`, outcomes.map((one) => `${JSON.stringify(one)}\n`).join(""));
    renameSync(`${target}.part`, target);
    for (const { method, draw, mean, kept } of all)
      console.error(`${kept ? "*" : " "} ${method} ${draw} ${mean}`);
  };
  const flags = (["jobs", "nice"] as const).flatMap((key) =>
    args.number(key) === undefined ? [] : [`--${key}`, String(args.number(key))],
  );
  // Beside the configuration, so that finished runs need no folder to be known.
  flags.push("--keep", target.replace(/jsonl$/, "runs.jsonl"));
  for (const best of search(config, inFolder(resolve(work), flags), note)) {
    const widen = edges(config.space, best.settings);
    console.log(JSON.stringify({ ...best, ...(widen.length > 0 && { widen }) }));
  }
}

/** Sweeps as processes, each in a folder of its own. */
function inFolder(work: string, flags: string[]): RunSweep {
  const launcher = join(__TURNBOOK_ROOT__, "src", "cli", "turnbook.mjs");
  return (name, file) => {
    mkdirSync(work, { recursive: true });
    const path = join(work, `${name}.json`);
    writeFileSync(path, `${JSON.stringify(file, null, 1)}\n`);
    const words = ["sweep", path, "--out", join(work, name), ...flags];
    const said = execFileSync(process.execPath, [launcher, ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    return JSON.parse(said) as Summary;
  };
}
