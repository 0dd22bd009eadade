/**
 * `study new NAME --against ROWS --out DIR`: a study's file. `study run DIR`: its search, its final runs and its verdict;
 * killed at any moment, the same command continues. `study show DIR`: the verdict.
 */
import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError, show } from "../../numeric/inputError.ts";
import { append } from "../../numeric/lists.ts";
import {
  blankEstimator,
  newStudy,
  parseStudy,
  type StudyFile,
} from "../../notebook/study/studyFile.ts";
import { validateSpec } from "../../spec/experiment.ts";
import { MOST_STUDIES } from "../../spec/levelCount.ts";
import { presetNames, toSpec } from "../../spec/presets.ts";
import { taskFamilyOf } from "../../train/warmStart.ts";
import { outFolder, parseArgs, userPath, type Args } from "../args.ts";
import type { Command, Output } from "../command.ts";
import { FileError } from "../fileError.ts";
import { OutputFolder } from "../outputFolder.ts";
import { readJsonFile } from "../readFile.ts";
import { keepSame } from "../sweep/keepSame.ts";
import { readResult } from "../sweep/results.ts";
import type { Summary } from "../sweep/summary.ts";
import { sweepCommand } from "../sweep/sweep.ts";
import { planSweep } from "../sweep/sweepFile.ts";
import { replaceFile } from "../wholeFile.ts";
import { controlsOf, halvingSays, reportOf, type StudyVerdict } from "./report.ts";
import { scoreSealed } from "./sealed.ts";
import {
  halvings,
  searchStages,
  tryCandidates,
  type Halving,
  type RunSweep,
  type SearchConfig,
} from "./search.ts";
import { codeIn, readStudy, STUDY_FILE } from "./studyCode.ts";

const VERDICT = "verdict.json";

const ACTIONS: Record<string, Command> = { new: create, run: runStudy, show: showStudy };

export const studyCommand: Command = async (argv, out) => {
  const [name = "", ...rest] = argv;
  if (!Object.hasOwn(ACTIONS, name))
    throw new InputError(
      `study needs an action, not ${show(name)}; allowed: ${Object.keys(ACTIONS).join(", ")}`,
    );
  return ACTIONS[name]!(rest, out);
};

function onlyWord(action: string, { words }: Args, what: string): string {
  if (words.length !== 1)
    throw new InputError(`study ${action} needs ${what}, not ${show(words.join(" "))}`);
  return words[0]!;
}

async function create(argv: string[], out: Output): Promise<void> {
  const args = parseArgs(argv, {
    against: { type: "string" },
    out: { type: "string" },
    preset: { type: "string", choices: presetNames },
    code: { type: "string" },
    sealed: { type: "integer", min: 0, max: MOST_STUDIES - 1 },
  });
  const name = onlyWord("new", args, "one name: a row, or an own estimator");
  const [against, folder] = [args.string("against"), outFolder(args)];
  if (against === undefined) throw new InputError("study new needs --against ROW,ROW");
  if (folder === undefined) throw new InputError("study new needs --out DIR");
  const from = args.string("code");
  const code = from === undefined ? [blankEstimator(name)] : codeIn(from, name);
  const text = newStudy({
    name,
    against: against.split(",").map((row) => row.trim()),
    preset: args.string("preset") ?? "nano",
    code,
    study: args.number("sealed") ?? randomInt(MOST_STUDIES),
  });
  const study = parseStudy(text);
  checkSpecs(study);
  new OutputFolder(folder, null).write(new Map([[STUDY_FILE, text]]));
  out.json({ written: join(folder, STUDY_FILE), ...budgetOf(study) });
}

/** @throws InputError for the first arm that is no spec, or if there are too few sealed levels: before anything is trained. */
function checkSpecs({ arms, base, sealed }: StudyFile): void {
  for (const [arm, entry] of Object.entries(arms))
    try {
      validateSpec({ ...toSpec(base), algorithms: [entry] });
    } catch (error) {
      if (error instanceof InputError) throw new InputError(`arm ${arm}: ${error.message}`);
      throw error;
    }
  const spec = toSpec(base);
  // An environment in code has levels without end.
  if (spec.environment.kind !== "defined")
    taskFamilyOf(spec).levels.sealed(sealed.study, sealed.levels, []);
}

/** Runs of each arm, and their iterations, without controls. */
function budgetOf({ arms, search: { draws, stages }, final }: StudyFile) {
  let [candidates, runs, iterations] = [draws, 0, 0];
  for (const stage of [...stages, { ...final, keep: 1 }]) {
    runs += candidates * stage.seeds.length;
    iterations += candidates * stage.seeds.length * stage.iterations;
    candidates = stage.keep;
  }
  return { arms: Object.keys(arms).length, runsPerArm: runs, iterationsPerArm: iterations };
}

async function runStudy(argv: string[], out: Output): Promise<number | void> {
  const args = parseArgs(argv, {
    jobs: { type: "integer", min: 1, max: 64 },
    nice: { type: "integer", min: 0, max: 19 },
    workers: { type: "integer", min: 1, max: 16 },
    plan: { type: "flag" },
  });
  const folder = userPath(onlyWord("run", args, "one folder"));
  const study = readStudy(folder);
  checkSpecs(study);
  keepSame(join(folder, "begun.yaml"), readFileSync(join(folder, STUDY_FILE), "utf8"));
  try {
    const verdict = await verdictFor(folder, study, args, out);
    replaceFile(join(folder, VERDICT), `${JSON.stringify(verdict, null, 1)}\n`);
    tell(verdict, out);
  } catch (error) {
    if (!(error instanceof Planned)) throw error;
  }
}

/** Ends `study run --plan` once the commands of a stage are printed. */
class Planned extends Error {}

async function verdictFor(
  folder: string,
  study: StudyFile,
  args: Args,
  out: Output,
): Promise<StudyVerdict> {
  const config = configOf(study);
  const run = sweepsIn(folder, args, out);
  const search: Halving[] = [];
  const best = await searchStages(config, run, (all) => {
    append(search, halvings(all));
    for (const { method, draw, mean, kept } of all)
      out.progress(`${kept ? "*" : " "} ${method} ${draw} ${mean}`);
  });
  for (const arm of config.methods)
    if (!best.some(({ method }) => method === arm))
      throw new InputError(`arm ${arm} has no setting with a score; widen the search`);
  const of = { stage: "final", set: "validation", ...study.final } as const;
  await tryCandidates(config, [...best, ...controlsOf(study, best)], of, run);
  const plan = planSweep(readJsonFile("sweep file", join(folder, `${FINAL}.json`)));
  const runs = join(folder, FINAL);
  const results = plan.runs.map((one) => readResult(runs, one));
  const scores = await scoreSealed({ folder, runs, study, results }, args, out);
  return reportOf({ study, best, results, scores, search });
}

const FINAL = "stage-final";

function configOf({ arms, base, search, final, measure }: StudyFile): SearchConfig {
  const { kind } = toSpec(base).environment;
  return {
    base,
    final,
    methods: Object.keys(arms),
    entries: arms,
    draws: search.draws,
    space: search.over,
    stages: search.stages,
    measure: `val-env/${kind}/${measure}`,
  };
}

/** Sweeps in the study's folder, each with a file that never changes. */
function sweepsIn(folder: string, args: Args, out: Output): RunSweep {
  const passed = (["jobs", "nice", "workers"] as const).flatMap((key) =>
    args.number(key) === undefined ? [] : [`--${key}`, String(args.number(key))],
  );
  return async (name, file) => {
    const [path, runs] = [join(folder, `${name}.json`), join(folder, name)];
    keepSame(path, `${JSON.stringify(file, null, 1)}\n`);
    const isDone = () =>
      planSweep(file).runs.every((one) => readResult(runs, one).state === "done");
    if (args.flag("plan") && !isDone()) {
      await sweepCommand([path, "--out", runs, "--plan"], out);
      throw new Planned();
    }
    let summary: Summary | undefined;
    const quiet = { ...out, json: (value: unknown) => void (summary = value as Summary) };
    await sweepCommand([path, "--out", runs, ...passed], quiet);
    if (!isDone())
      throw new FileError(`${name}: some runs have not ended; run the same command again`);
    return summary!;
  };
}

async function showStudy(argv: string[], out: Output): Promise<void> {
  const folder = userPath(onlyWord("show", parseArgs(argv, {}), "one folder"));
  readStudy(folder);
  const path = join(folder, VERDICT);
  if (!existsSync(path))
    throw new InputError(`the study in ${folder} has no verdict yet; study run continues it`);
  tell(readJsonFile("verdict", path) as StudyVerdict, out);
}

/** JSON on stdout, sentences on stderr. */
function tell(verdict: StudyVerdict, out: Output): void {
  out.json(verdict);
  for (const { arm, mean, health } of verdict.arms) {
    const about = Object.entries(health).map(([name, value]) => `${name.toLowerCase()} ${value}`);
    out.progress(`${arm}: ${verdict.measure} ${mean.toFixed(3)}; ${about.join("; ")}`);
  }
  for (const one of verdict.search) out.progress(halvingSays(one));
  for (const { says } of [...verdict.controls, ...verdict.contrasts]) out.progress(says);
  out.progress(verdict.says);
}
