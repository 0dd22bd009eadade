/**
 * Reads WebShop's own data files. Broken rows are left out, counted and named; only a file of
 * another kind is refused.
 */
import { append } from "../../numeric/lists.ts";
import { InputError } from "../../numeric/inputError.ts";
import { pythonRandom, type PythonRandom } from "../random/pythonRandom.ts";
import {
  combinationCount,
  humanGoal,
  shuffleGoals,
  syntheticGoals,
  weighGoals,
  type HumanInstruction,
} from "./goals.ts";
import {
  humanInstructionsOf,
  NO_ATTRIBUTES,
  notesOf,
  type ProductNotes,
} from "./instructionRows.ts";
import { jsonMembers, type DataSource, type Member } from "./jsonMembers.ts";
import { LoadReport, type LoadWarning } from "./loadReport.ts";
import type { Goal, Product } from "./product.ts";
import { asinOf, productOfRow } from "./productRow.ts";

export interface LoadOptions {
  /**
   * Integer below 2^32 for Python's `random.seed`, used for prices of ranges and limits of goals.
   */
  seed?: number;
  /** Default: synthetic. "human" needs the third file; "none" makes a shop for searching only. */
  goals?: "synthetic" | "human" | "none";
  /** Reads only this many rows of the first file. */
  limit?: number;
  onProgress?: (progress: LoadProgress) => void;
}

export interface LoadProgress {
  file: string;
  bytes: number;
  /** null if unknown. */
  size: number | null;
}

export interface LoadedShop {
  products: Product[];
  /** In WebShop's fixed order. */
  goals: Goal[];
  warnings: LoadWarning[];
  counts: { rows: number; products: number; instructions: number; goals: number };
}

/** The seed of the reference cases; WebShop itself draws prices unseeded. */
export const DEFAULT_SEED = 7;

/** Maximum goals of one product; WebShop makes as many as its options have combinations. */
const MAX_GOALS = 10_000;

/**
 * Products of the first file with the attributes of the second, and goals from the second or third.
 * @throws InputError if a file is not a JSON list or object, or leaves no product or no requested
 * goal.
 */
export async function loadProducts(
  itemsShuffle: DataSource,
  itemsIns: DataSource,
  humanIns: DataSource | null = null,
  options: LoadOptions = {},
): Promise<LoadedShop> {
  const { seed = DEFAULT_SEED, goals: kind = "synthetic", onProgress = () => {} } = options;
  if (kind === "human" && !humanIns) throw new InputError("human goals need items_human_ins.json");
  const report = new LoadReport();
  const read = (source: DataSource) => members(source, onProgress);
  const { rows, drafts } = await readProducts(read(itemsShuffle), report, options.limit);
  if (drafts.length === 0) throw new InputError(`${itemsShuffle.name} holds no product`);
  const asins = new Set(drafts.map(({ asin }) => asin));
  const notes = await readNotes(read(itemsIns), asins, report);
  const random = pythonRandom(seed);
  const products = drafts.map((draft) => completed(draft, notes.get(draft.asin), random));
  const source = kind === "human" ? humanIns! : itemsIns;
  const making = kind === "human" ? await readHuman(read(source), asins, report) : notes;
  const wanting = kind === "none" ? [] : products;
  const { goals, instructions } = makeGoals(wanting, making, random, report);
  if (goals.length === 0 && kind !== "none") {
    throw new InputError(`no goal can be made from ${source.name}`);
  }
  const counts = { rows, products: products.length, instructions, goals: goals.length };
  return { products, goals: shuffleGoals(goals), warnings: report.warnings, counts };
}

function members(
  source: DataSource,
  onProgress: (progress: LoadProgress) => void,
): AsyncGenerator<Member> {
  const { name: file, size } = source;
  return jsonMembers(source, (bytes) => onProgress({ file, bytes, size }));
}

async function readProducts(
  rows: AsyncIterable<Member>,
  report: LoadReport,
  limit = Infinity,
): Promise<{ rows: number; drafts: Product[] }> {
  const drafts = new Map<string, Product>();
  let count = 0;
  for await (const { index, value, problem } of rows) {
    if (count >= limit) break;
    count++;
    const place = `row ${index + 1}`;
    const row = problem === null ? value : undefined;
    if (typeof row !== "object" || row === null) {
      report.note(place, problem ?? "is not an object", "row left out");
      continue;
    }
    const fields = row as Record<string, unknown>;
    const asin = asinOf(fields, place, report);
    if (asin === null) continue;
    if (drafts.has(asin)) report.note(place, "asin occurs again", "row left out");
    else drafts.set(asin, productOfRow(fields, asin, report));
  }
  return { rows: count, drafts: [...drafts.values()] };
}

async function readNotes(
  entries: AsyncIterable<Member>,
  asins: ReadonlySet<string>,
  report: LoadReport,
): Promise<Map<string, ProductNotes>> {
  const notes = new Map<string, ProductNotes>();
  for await (const { index, key, value, problem } of entries) {
    if (key === null) report.note(`entry ${index + 1}`, problem ?? "has no asin", "left out");
    else if (asins.has(key)) notes.set(key, notesOf(key, value, report));
  }
  for (const asin of asins) {
    if (!notes.has(asin)) report.note(asin, "asin is not in items_ins", "no attributes, no goal");
  }
  return notes;
}

async function readHuman(
  entries: AsyncIterable<Member>,
  asins: ReadonlySet<string>,
  report: LoadReport,
): Promise<Map<string, HumanInstruction[]>> {
  const instructions = new Map<string, HumanInstruction[]>();
  for await (const { index, key, value, problem } of entries) {
    if (key === null) report.note(`entry ${index + 1}`, problem ?? "has no asin", "left out");
    else if (asins.has(key)) instructions.set(key, humanInstructionsOf(key, value, report));
    else report.note(key, "instructions for a product that is not there", "left out");
  }
  return instructions;
}

/** Adds attributes, and the price that buying costs: drawn if there are two. */
function completed(draft: Product, notes: ProductNotes | undefined, random: PythonRandom): Product {
  const [from, to] = draft.pricing as [number, number?];
  const price = to === undefined ? from : random.uniform(from, to);
  return { ...draft, price, attributes: notes?.attributes ?? NO_ATTRIBUTES };
}

function makeGoals(
  products: readonly Product[],
  making: ReadonlyMap<string, ProductNotes | HumanInstruction[]>,
  random: PythonRandom,
  report: LoadReport,
): { goals: Goal[]; instructions: number } {
  const human: Goal[] = [];
  const synthetic: Goal[] = [];
  let instructions = 0;
  for (const product of products) {
    const entry = making.get(product.asin);
    if (Array.isArray(entry)) {
      instructions += entry.length;
      for (const one of entry) human.push(humanGoal(product, one, random));
    } else if (entry?.instruction) {
      instructions++;
      if (combinationCount(product.options) > MAX_GOALS) {
        report.note(product.asin, `has more than ${MAX_GOALS} combinations`, "no goal made");
      } else append(synthetic, syntheticGoals(product, entry.instruction, random));
    }
  }
  return { goals: [...human, ...weighGoals(synthetic)], instructions };
}
