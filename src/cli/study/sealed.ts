/**
 * The sealed levels of a study: chosen after the last final run, so that none has a board that a run
 * trained on, and opened once. `opened.json` counts the opening and names the policies it was for; `sealed.jsonl` has a line
 * for each policy scored.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../numeric/inputError.ts";
import { sha256OfText } from "../../numeric/sha256.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { readingOf, type ExperimentSpec } from "../../spec/experiment.ts";
import { Experiment } from "../../train/experiment.ts";
import { playLevels } from "../../train/evaluate.ts";
import { episodeReturn } from "../../train/rolloutMetrics.ts";
import type { Checkpoint } from "../../train/checkpoint.ts";
import { RUN_FILES } from "../../train/runFiles.ts";
import type { TaskFamily } from "../../train/world.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Args } from "../args.ts";
import type { Output } from "../command.ts";
import { nodeHost } from "../nodeHost.ts";
import { readLines, readJsonFile } from "../readFile.ts";
import { readCheckpoint } from "../resumePoint.ts";
import { runFolderOf, type RunResult } from "../sweep/results.ts";
import type { PlannedRun } from "../sweep/sweepFile.ts";
import { trainCommand } from "../train.ts";
import { openTrainEngine } from "../trainOptions.ts";
import { replaceFile } from "../wholeFile.ts";
import type { StudyFile } from "../../notebook/study/studyFile.ts";

/** A policy's outcomes on the sealed levels. */
export interface SealedScore {
  run: string;
  /** Null for a policy whose numbers were no longer finite. [levels] */
  success: number[] | null;
  reward: number[] | null;
}

interface SealedOpening {
  /** Times that the levels were opened. */
  opened: 1;
  /** SHA-256 of the policies' fingerprints. */
  policies: string;
  /** [levels] */
  seeds: number[];
}

/** The folder of a study and its final runs, all finished. */
interface SealedStudy {
  folder: string;
  /** Of the final runs. */
  runs: string;
  study: StudyFile;
  results: readonly RunResult[];
}

/**
 * Scores every final policy that has no line yet. @throws InputError if the levels were opened for other
 * policies: that would be a second look.
 */
export async function scoreSealed(
  asked: SealedStudy,
  args: Args,
  out: Output,
): Promise<SealedScore[]> {
  const { folder, results } = asked;
  const path = join(folder, "sealed.jsonl");
  const policies = sha256OfText(results.map(({ fingerprint }) => fingerprint).join("\n"));
  const before = openedBefore(folder, policies);
  const scored = before ? scoresIn(path) : [];
  const left = results.filter(({ run }) => !scored.some((one) => one.run === run.name));
  if (left.length === 0) return scored;
  const engine = await openTrainEngine(results[0]!.run.spec, args, out);
  try {
    let opened = before;
    for (const one of left) {
      const experiment = await trainedOf(asked.runs, one, engine, out);
      opened ??= open(asked, experiment.family, policies);
      scored.push(await scoreOf(experiment, one, opened.seeds));
      experiment.dispose();
      replaceFile(path, scored.map((line) => `${JSON.stringify(line)}\n`).join(""));
      out.progress(`[${scored.length}/${results.length}] sealed levels: ${one.run.name}`);
    }
    return scored;
  } finally {
    engine.dispose();
  }
}

function openedBefore(folder: string, policies: string): SealedOpening | null {
  const path = join(folder, "opened.json");
  if (!existsSync(path)) return null;
  const opened = readJsonFile("record of the sealed levels", path) as SealedOpening;
  if (opened.policies === policies) return opened;
  throw new InputError(
    `${path}: the sealed levels were opened for other policies; a changed study needs levels of its own (study new)`,
  );
}

function open({ folder, study, results }: SealedStudy, family: TaskFamily, policies: string) {
  const { study: number, levels } = study.sealed;
  const trained = trainedOn(
    results.map(({ run }) => run.spec),
    family,
  );
  const seeds = family.levels.sealed(number, levels, trained);
  const opened: SealedOpening = { opened: 1, policies, seeds };
  replaceFile(join(folder, "opened.json"), `${JSON.stringify(opened)}\n`);
  return opened;
}

/** Seeds of all levels that the runs trained on, or cloned. */
function trainedOn(specs: readonly ExperimentSpec[], { levels }: TaskFamily): Set<number> {
  const seeds = new Set<number>();
  for (const spec of specs) {
    const { revision } = readingOf(spec);
    const { iterations, tasksPerIteration, groupSize } = spec.optimisation;
    const episodes = tasksPerIteration * groupSize;
    const set = { tasks: episodes, episodes, pool: spec.environment.trainLevels, revision };
    for (let i = 1; i <= iterations; i++)
      for (const seed of levels.train(spec.seed, i, set)) seeds.add(seed);
    if (spec.model.warmStart === "clone")
      for (const seed of levels.clone(spec.clone.levels, revision)) seeds.add(seed);
  }
  return seeds;
}

/** The run's policy after its last iteration. */
async function trainedOf(runs: string, { run }: RunResult, engine: Engine, out: Output) {
  const quiet = { ...out, progress: () => {}, json: () => {} };
  const saved = await lastCheckpoint(runs, run, quiet);
  return Experiment.open(saved.spec, nodeHost(engine, quiet), saved);
}

/** A run that was killed between its last event and its last checkpoint goes on from the one before, to the same numbers. */
async function lastCheckpoint(runs: string, run: PlannedRun, quiet: Output) {
  const folder = runFolderOf(runs, run);
  const { iterations } = run.spec.optimisation;
  const read = () => readCheckpoint(folder, RUN_FILES.checkpoint);
  const isLast = ({ position }: Checkpoint) => position.iteration > iterations;
  const first = await read();
  if (isLast(first)) return first;
  await trainCommand([join(runs, "specs", `${run.name}.json`), "--out", folder], quiet);
  const saved = await read();
  if (isLast(saved)) return saved;
  throw new InputError(
    `run ${run.name} has a checkpoint before iteration ${saved.position.iteration}; it needs that after ${iterations}`,
  );
}

async function scoreOf(
  { spec, family, learners }: Experiment,
  { run }: RunResult,
  seeds: readonly number[],
): Promise<SealedScore> {
  const [{ actor, crashed }] = learners as [(typeof learners)[number]];
  if (crashed) return { run: run.name, success: null, reward: null };
  const episodes = await playLevels({ spec, family }, actor, seeds, spec.optimisation.iterations);
  return {
    run: run.name,
    success: episodes.map(({ success }) => Number(success)),
    reward: episodes.map(episodeReturn),
  };
}

function scoresIn(path: string): SealedScore[] {
  if (!existsSync(path)) return [];
  return [...readLines("sealed scores", path)].map(({ text, line }) => {
    const score = jsonOrNothing(text) as SealedScore | undefined;
    if (typeof score?.run === "string") return score;
    throw new InputError(`${path}, line ${line}: is not a score of a study`);
  });
}
