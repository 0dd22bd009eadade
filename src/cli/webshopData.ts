/** The shop that a command line names: `--data DIR` and how to read it, or `--catalog-seed N`. */
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { ANALYSERS, type Analyser } from "../env/webshop/analyser.ts";
import { createCatalogue, type Catalogue } from "../env/webshop/catalogue.ts";
import {
  DEFAULT_CATALOGUE_SEED,
  generateCatalogue,
  MAX_CATALOGUE_SEED,
} from "../env/webshop/generate/generateCatalogue.ts";
import type { DataSource } from "../env/webshop/jsonMembers.ts";
import { DEFAULT_SEED, loadProducts, type LoadedShop } from "../env/webshop/loadProducts.ts";
import { describeWarning } from "../env/webshop/loadReport.ts";
import { InputError } from "../numeric/inputError.ts";
import { userPath, type Args, type OptionSpec } from "./args.ts";
import type { Output } from "./command.ts";

const GOALS = ["synthetic", "human"] as const;
type AnalyserName = keyof typeof ANALYSERS;

export const CATALOGUE_OPTIONS: Record<string, OptionSpec> = {
  data: { type: "string" },
  "catalog-seed": { type: "integer", min: 0, max: MAX_CATALOGUE_SEED },
  goals: { type: "string", choices: GOALS },
  "data-seed": { type: "integer", min: 0, max: 2 ** 32 - 1 },
  limit: { type: "integer", min: 1 },
  analyser: { type: "string", choices: Object.keys(ANALYSERS) },
};

/** Names of WebShop's files, in its small and its full set. */
const PRODUCT_FILES = ["items_shuffle_1000.json", "items_shuffle.json"];
const ATTRIBUTE_FILES = ["items_ins_v2_1000.json", "items_ins_v2.json"];
const HUMAN_FILES = ["items_human_ins.json"];

/** Bytes between two lines of progress. */
const PROGRESS_STEP = 64 * 1024 * 1024;

/** Options that require `--data`. */
const FILE_OPTIONS = ["goals", "data-seed", "limit"] as const;

/**
 * The data of `--data DIR`; without it the generated shop of `--catalog-seed N`, by default 1.
 * `usual`: the default of `--goals` for data: "none" if it is only searched.
 * @throws InputError if options contradict each other or the files cannot be read.
 */
export async function readCatalogue(
  args: Args,
  out: Output,
  usual: "synthetic" | "none" = "synthetic",
): Promise<Catalogue> {
  const dir = args.string("data");
  if (dir === undefined) return generatedCatalogue(args);
  if (args.string("catalog-seed") !== undefined) {
    throw new InputError("option --catalog-seed cannot be combined with --data");
  }
  const kind = GOALS.find((name) => name === args.string("goals")) ?? usual;
  const human = kind === "human" ? findFile(dir, HUMAN_FILES) : null;
  const files = [findFile(dir, PRODUCT_FILES), findFile(dir, ATTRIBUTE_FILES), human] as const;
  const limit = args.number("limit");
  const loading = loadProducts(...files, {
    seed: args.number("data-seed") ?? DEFAULT_SEED,
    goals: kind,
    ...(limit === undefined ? {} : { limit }),
    onProgress: progressLines(out),
  });
  const { products, goals, warnings, counts } = await loading.catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new InputError(`option --data: cannot read ${dir} (${code})`);
  });
  if (warnings.length > 0) out.progress(`${dir}: ${describeCounts(counts)}`);
  for (const warning of warnings) out.progress(`${dir}: ${describeWarning(warning)}`);
  return createCatalogue(products, goals, { analyse: analyserOf(args) });
}

function generatedCatalogue(args: Args): Catalogue {
  const needsFiles = FILE_OPTIONS.find((key) => args.string(key) !== undefined);
  if (needsFiles) throw new InputError(`option --${needsFiles} needs --data DIR`);
  const seed = args.number("catalog-seed") ?? DEFAULT_CATALOGUE_SEED;
  return generateCatalogue(seed, { analyse: analyserOf(args) });
}

function analyserOf(args: Args): Analyser {
  return ANALYSERS[(args.string("analyser") ?? "plain") as AnalyserName];
}

function describeCounts({ rows, products, instructions, goals }: LoadedShop["counts"]): string {
  return `${rows} rows, ${products} products, ${instructions} instructions, ${goals} goals`;
}

function findFile(dir: string, names: string[]): DataSource {
  for (const name of names) {
    const path = join(userPath(dir), name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile()) return { name, size: stat.size, open: () => createReadStream(path) };
  }
  throw new InputError(`option --data: ${dir} has no file ${names.join(" or ")}`);
}

function progressLines(out: Output) {
  let next = PROGRESS_STEP;
  return ({ file, bytes, size }: { file: string; bytes: number; size: number | null }) => {
    if (bytes < PROGRESS_STEP) next = PROGRESS_STEP; // another file
    if (bytes < next) return;
    next += PROGRESS_STEP;
    const all = size === null ? "" : ` of ${Math.round(size / 1e6)}`;
    out.progress(`${file}: ${Math.round(bytes / 1e6)}${all} MB`);
  };
}
