/** Options of `gradient`. */
import { greatest } from "../numeric/lists.ts";
import { resolveAlgorithm } from "../spec/algorithms.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { ceilingRows, gradientRow, type GradientRow } from "../train/gradient/rowWeights.ts";
import { outFolder, type Args } from "./args.ts";
import { algorithmList } from "./compare.ts";
import { overrides } from "./credit.ts";
import { TRAIN_OPTIONS } from "./trainOptions.ts";

export const OPTIONS = {
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
} as const;

export interface GradientOptions {
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
export function gradientOptions(args: Args, spec: ExperimentSpec): GradientOptions {
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
