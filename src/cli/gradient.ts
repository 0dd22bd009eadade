/**
 * `gradient SPEC | --run DIR --iteration N --out DIR`: how close each algorithm's gradient on one
 * batch is to the true policy gradient, by batch size. Resumable: each block of episodes is a file,
 * and the same command continues.
 */
import { sumCounts, GradientFolder } from "./gradientFolder.ts";
import { gram } from "../train/gradient/reference.ts";
import {
  ableRows,
  referenceBlock,
  studyBlock,
  type GradientStudy,
} from "../train/gradient/study.ts";
import { summariseReference, summariseRows } from "../train/gradient/summary.ts";
import { specAt } from "../spec/schedule.ts";
import { boundRow } from "../train/definitions.ts";
import { Experiment } from "../train/experiment.ts";
import type { Learner } from "../train/learner.ts";
import { experimentBefore, specOfLog } from "../train/oracle/replay.ts";
import { parseArgs, userPath, outFolder, type Args } from "./args.ts";
import { judgesOf, policyOf } from "./oracle.ts";
import { keptLog, nearestCheckpoint } from "./keptRun.ts";
import type { Command, Output } from "./command.ts";
import { MODEL_OPTION, runFolderHost } from "./modelFolder.ts";
import { nodeHost } from "./nodeHost.ts";
import { openTrainEngine, specFrom, TRAIN_OPTIONS } from "./trainOptions.ts";
import { greatest } from "../numeric/lists.ts";
import { resolveAlgorithm } from "../spec/algorithms.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { ceilingRows, gradientRow, type GradientRow } from "../train/gradient/rowWeights.ts";
import { algorithmList } from "./compare.ts";
import { overrides } from "./credit.ts";

export const gradientCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, OPTIONS);
  const { spec, open } = sourceOf(args);
  const asked = gradientOptions(args, spec);
  const model = await runFolderHost(spec, args);
  const engine = await openTrainEngine(spec, args, out);
  try {
    const experiment = await open({ ...nodeHost(engine, out), ...model }, out);
    const policy = policyOf(spec, args.string("policy"));
    const { study, refused } = studyOf(experiment, policy, asked);
    const { info } = engine;
    const about = {
      ...aboutOf(args, policy, asked, study),
      engine: `${info.engine}, ${info.adapter}`,
    };
    const folder = new GradientFolder(asked.out, { about, spec });
    out.json(await fill(folder, study, asked, { refused }, out));
    experiment.dispose();
  } finally {
    engine.dispose();
  }
};

/** The simplest unbiased row; if it was not requested, the first row. */
const AGAINST = "rloo";

type OpenExperiment = (
  host: Parameters<typeof Experiment.open>[1],
  out: Output,
) => Promise<Experiment>;

/** A run's policy before an iteration, or a spec's initial one. @throws InputError unless exactly one is requested. */
function sourceOf(args: Args): { spec: ExperimentSpec; open: OpenExperiment } {
  const run = args.string("run");
  if (run === undefined) {
    if (args.number("iteration") !== undefined)
      throw new InputError("option --iteration needs --run DIR, a folder of train --out");
    const spec = specFrom("gradient", args, "rows");
    return { spec, open: (host) => Experiment.open(spec, host) };
  }
  const [word] = args.words;
  if (word !== undefined) throw new InputError(`gradient takes a spec or --run, not both: ${word}`);
  const iteration = args.number("iteration");
  if (iteration === undefined) throw new InputError("gradient --run DIR needs --iteration N");
  const folder = userPath(run);
  const log = keptLog(folder);
  const open: OpenExperiment = async (host, out) => {
    const saved = await nearestCheckpoint(folder, iteration);
    out.progress(`from ${saved ? `iteration ${saved.position.iteration}` : "the start"}`);
    return experimentBefore(iteration, log, host, saved);
  };
  return { spec: specOfLog(log), open };
}

function studyOf(experiment: Experiment, policy: string, asked: GradientOptions) {
  const iteration = Math.max(1, experiment.position.iteration);
  const spec = specAt(experiment.spec, policy, iteration);
  const learners: Learner[] = judgesOf(experiment, policy);
  const { family, definitions } = experiment;
  const context = { spec, family, definitions, clock: () => 0 };
  const rows = asked.rows.map((row) => ({
    ...row,
    config: boundRow(row.config, experiment.definitions),
  }));
  const study: GradientStudy = { context, learners, ...asked, rows };
  const able = ableRows(study);
  return { study: { ...study, rows: able.rows }, refused: able.refused };
}

/** Everything the numbers depend on: only the same command may continue a folder. */
function aboutOf(args: Args, policy: string, asked: GradientOptions, { rows }: GradientStudy) {
  const { group, sizes, branches, sketch, references, perReference, set } = asked;
  return {
    policy,
    iteration: args.number("iteration") ?? 1,
    group,
    sizes,
    branches,
    sketch,
    references,
    perReference,
    set,
    rows: rows.map(({ name, title, truth }) => ({ name, title, ceiling: truth !== null })),
  };
}

/** Computes the missing part of the folder, writing the result after each block. */
async function fill(
  folder: GradientFolder,
  study: GradientStudy,
  asked: GradientOptions,
  more: object,
  out: Output,
) {
  const { references, perReference, blocks, part } = asked;
  for (let r = 0; r < references; r++) {
    if (folder.hasReference(r)) continue;
    folder.putReference(r, await referenceBlock(study, r, perReference));
    out.progress(`true gradient: block ${r + 1} of ${references}`);
  }
  const reference = Array.from({ length: references }, (_, r) => folder.reference(r)); // [R][P]
  for (let k = part.first; k < blocks; k += part.of) {
    if (folder.hasBlock(k)) continue;
    folder.putBlock(k, await studyBlock(study, k, reference));
    out.progress(`rows: block ${k + 1} of ${blocks}`);
  }
  const known = folder.blocks(blocks);
  const products = gram(reference);
  const result = {
    ...folder.about,
    ...more,
    ...sumCounts(study, { references, perReference, blocks: known.length }),
    reference: summariseReference(products),
    results: summariseRows(known, products, { against: AGAINST }),
  };
  folder.putResult(result);
  return result;
}

/** Options of `gradient`. */
const OPTIONS = {
  run: { type: "string" },
  iteration: { type: "integer", min: 1 },
  policy: { type: "string" },
  algorithms: { type: "string" },
  set: { type: "string", repeat: true },
  sizes: { type: "string" },
  group: { type: "integer", min: 1 },
  blocks: { type: "integer", min: 2 },
  references: { type: "integer", min: 2 },
  "per-reference": { type: "integer", min: 1 },
  branches: { type: "integer", min: 2 },
  part: { type: "string" },
  sketch: { type: "integer", min: 16 },
  out: { type: "string" },
  seed: TRAIN_OPTIONS.seed,
  engine: TRAIN_OPTIONS.engine,
  backend: TRAIN_OPTIONS.backend,
  workers: TRAIN_OPTIONS.workers,
  ...MODEL_OPTION,
} as const;

interface GradientOptions {
  out: string;
  rows: GradientRow[];
  /** Settings that replace every row's own. */
  set: Record<string, unknown>;
  sizes: number[];
  group: number;
  /** Blocks of the largest size on which rows are compared. */
  blocks: number;
  /** Blocks of the true gradient, and batches of the largest size in each. */
  references: number;
  perReference: number;
  branches: number;
  sketch: number;
  /**
   * The blocks of this process: every `of`-th from `first` on; several processes may fill one
   * folder.
   */
  part: { first: number; of: number };
}

const SIZES = [8, 16, 32, 64, 128];

/** @throws InputError naming the invalid option. */
function gradientOptions(args: Args, spec: ExperimentSpec): GradientOptions {
  const out = outFolder(args);
  if (out === undefined) throw new InputError("gradient needs --out DIR");
  const set = overrides(args.list("set"));
  const group = args.number("group") ?? 8;
  const branches = args.number("branches") ?? 0;
  const rows = algorithmList(args.string("algorithms"), set, spec).map(gradientRow);
  const { lambda } = resolveAlgorithm("turn-ppo", set);
  return {
    out,
    set,
    group,
    branches,
    rows: branches > 0 ? [...rows, ...ceilingRows(lambda, set)] : rows,
    sizes: batchSizes(args.string("sizes"), group),
    blocks: args.number("blocks") ?? 16,
    references: args.number("references") ?? 8,
    perReference: args.number("per-reference") ?? 8,
    sketch: args.number("sketch") ?? 2048,
    part: partOption(args.string("part") ?? "1/1"),
  };
}

/** Ascending batch sizes, multiples of the group, that divide the largest. */
function batchSizes(text: string | undefined, group: number): number[] {
  const sizes = text?.split(",").map(Number) ?? SIZES.filter((size) => size % group === 0);
  const largest = greatest(sizes);
  const right = (size: number) => size > 0 && size % group === 0 && largest % size === 0;
  if (sizes.length > 0 && sizes.every(right)) return sizes;
  throw new InputError(
    `option --sizes is ${sizes.join(",")}; it must list multiples of the group size ${group} that divide the largest`,
  );
}

/** "2/3": the second of three processes that share the blocks. */
function partOption(text: string): GradientOptions["part"] {
  const [part, of] = text.split("/").map(Number) as [number, number | undefined];
  const right = Number.isInteger(part) && Number.isInteger(of) && part >= 1 && part <= of!;
  if (!right) throw new InputError(`option --part is ${show(text)}; it must look like 2/3`);
  return { first: part - 1, of: of! };
}
