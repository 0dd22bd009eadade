/** Goals as WebShop generates them, from products with instructions. */
import { greatest } from "../../numeric/lists.ts";
import { trimLetter } from "../../numeric/trimmed.ts";
import { pythonRandom, type PythonRandom } from "../random/pythonRandom.ts";
import type { Goal, OptionGroup, Options, Product } from "./product.ts";

/** A synthetic instruction, before options and a price are added. */
export interface SyntheticInstruction {
  asin: string;
  instruction: string;
  attributes: string[];
}

/** An instruction written by a person, including options. */
export interface HumanInstruction extends SyntheticInstruction {
  options: string[];
}

/** Means "any price". */
const NO_LIMIT = 1_000_000;
/** Limits are multiples of 10 dollars up to this. */
const LAST_LIMIT = 990;
const SHUFFLE_SEED = 233;

interface PriceLimit {
  priceUpper: number;
  text: string;
}

/** Draws two of the (at most four) next multiples of 10 above the price; the larger counts. */
function drawPriceLimit(price: number, random: PythonRandom): PriceLimit {
  const above: number[] = [];
  for (let limit = 10; limit <= LAST_LIMIT && above.length < 4; limit += 10) {
    if (limit > price) above.push(limit);
  }
  if (above.length < 2) return { priceUpper: NO_LIMIT, text: "" };
  const priceUpper = greatest(random.samplePool(above, 2));
  return { priceUpper, text: `, and price lower than ${priceUpper.toFixed(2)} dollars` };
}

/**
 * One goal per combination of the product's options, names in alphabetical order. Weights remain 1:
 * `weighGoals` needs all goals.
 */
export function syntheticGoals(
  product: Product,
  { instruction, attributes }: SyntheticInstruction,
  random: PythonRandom,
): Goal[] {
  const limit = drawPriceLimit(product.price, random);
  const groups = [...product.options].sort((a, b) => (a.name < b.name ? -1 : 1));
  return combinations(groups).map((options) => {
    const pairs = groups.map(({ name }) => `${name}: ${options[name]}`);
    const wanted = pairs.length > 0 ? ` with ${pairs.join(", and ")}` : "";
    return makeGoal(product, `${instruction}${wanted}${limit.text}`, attributes, limit, options);
  });
}

/** The number of goals `syntheticGoals` would generate. */
export function combinationCount(options: readonly OptionGroup[]): number {
  return options.reduce((count, { values }) => count * values.length, 1);
}

function combinations(groups: readonly OptionGroup[]): Options[] {
  return groups.reduce<Options[]>(
    (all, { name, values }) =>
      all.flatMap((chosen) => values.map((value) => ({ ...chosen, [name]: value }))),
    [{}],
  );
}

export function humanGoal(
  product: Product,
  { instruction, attributes, options }: HumanInstruction,
  random: PythonRandom,
): Goal {
  const limit = drawPriceLimit(product.price, random);
  const text = trimLetter(instruction, ".") + limit.text;
  return makeGoal(product, text, attributes, limit, options);
}

function makeGoal(
  product: Product,
  instruction: string,
  attributes: string[],
  { priceUpper }: PriceLimit,
  options: Goal["options"],
): Goal {
  const { asin, category, query, title, productCategory } = product;
  const about = { asin, category, query, name: title, productCategory };
  return { ...about, instruction, attributes, priceUpper, options, weight: 1 };
}

/**
 * A goal's weight is higher the rarer its attributes are among all goals: the mean of 1 / count.
 */
export function weighGoals(goals: readonly Goal[]): Goal[] {
  const counts = new Map<string, number>();
  for (const attribute of goals.flatMap(({ attributes }) => attributes)) {
    counts.set(attribute, (counts.get(attribute) ?? 0) + 1);
  }
  return goals.map((goal) => {
    const sum = goal.attributes.reduce((total, one) => total + 1 / counts.get(one)!, 0);
    return { ...goal, weight: sum / goal.attributes.length };
  });
}

/** In WebShop's fixed order: Python's shuffle after `random.seed(233)`. */
export function shuffleGoals(goals: readonly Goal[]): Goal[] {
  const shuffled = [...goals];
  pythonRandom(SHUFFLE_SEED).shuffle(shuffled);
  return shuffled;
}
