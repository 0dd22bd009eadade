/**
 * The reward of a purchase, term by term, as in WebShop's `get_reward`:
 *
 *   reward = rType * (attribute matches + option matches + rPrice) / (attributes + options + 1)
 */
import { COLORS, normalizeColor } from "./colors.ts";
import type { NounTagger } from "./nouns.ts";
import type { Goal, Options, Product } from "./product.ts";
import { pythonRepr, strip } from "./pythonText.ts";
import { tokenSetRatio } from "./tokenSetRatio.ts";

/** Texts match above this score, out of 100. */
export const ALIKE = 85;

/** How one wanted attribute was found. */
export interface AttributeMatch {
  wanted: string;
  /** Where it was found; null if it was not. */
  by: "attribute" | "title" | "features" | "description" | null;
}

/** Which chosen value satisfied one wanted option. */
interface OptionMatch {
  wanted: string;
  /** null if none did. */
  chosen: string | null;
}

interface TypeReward {
  /** 1, 0.5, 0.1 or 0: is it the requested type of product? */
  rType: number;
  queryMatch: boolean;
  /** At least two common parts of the category path. */
  categoryMatch: boolean;
  /** Share of the goal title's nouns found in the product's title. */
  titleScore: number;
}

export interface Reward extends TypeReward {
  /** 0 to 1. */
  reward: number;
  /** Share of wanted attributes found, and its weight in the reward. */
  rAtt: number;
  wAtt: number;
  /** Share of wanted options satisfied; null if the goal wants none. */
  rOption: number | null;
  wOption: number | null;
  /** Whether the price is within the limit; null without a limit. */
  rPrice: boolean | null;
  wPrice: number | null;
  numAttrMatches: number;
  numOptionMatches: number;
  matches: { attributes: AttributeMatch[]; options: OptionMatch[] };
}

export interface Purchase {
  product: Product;
  /** Dollars. */
  price: number;
  /** Chosen values by option name. */
  options: Options;
}

/** Nouns of the two titles, lower case, repeats kept. */
export interface TitleNouns {
  product: string[];
  goal: string[];
}

/** @throws RangeError if the goal has no attribute: WebShop makes no such goal. */
export function computeReward(purchase: Purchase, goal: Goal, tagger: NounTagger): Reward {
  const nouns = { product: tagger(purchase.product.title), goal: tagger(goal.name) };
  return rewardOfNouns(purchase, goal, nouns);
}

/** `computeReward` with known nouns. */
export function rewardOfNouns(purchase: Purchase, goal: Goal, nouns: TitleNouns): Reward {
  if (goal.attributes.length === 0) throw new RangeError("the goal has no attributes");
  const { product, price } = purchase;
  const type = typeReward(product, goal, nouns);
  const attributes = goal.attributes.map((wanted) => matchAttribute(wanted, product));
  const options = matchOptions(Object.values(purchase.options), goal.options);
  const rPrice = goal.priceUpper > 0 ? price <= goal.priceUpper : null;

  const numAttrMatches = attributes.filter(({ by }) => by !== null).length;
  const numOptionMatches = options.filter(({ chosen }) => chosen !== null).length;
  const terms = attributes.length + options.length + 1;
  const matched = numAttrMatches + numOptionMatches + (rPrice ? 1 : 0);
  return {
    reward: (matched / terms) * type.rType,
    ...type,
    rAtt: numAttrMatches / attributes.length,
    wAtt: attributes.length / terms,
    rOption: options.length > 0 ? numOptionMatches / options.length : null,
    wOption: options.length > 0 ? options.length / terms : null,
    rPrice,
    wPrice: rPrice === null ? null : 1 / terms,
    numAttrMatches,
    numOptionMatches,
    matches: { attributes, options },
  };
}

/** The title's score overrides: without a common noun the result is 0 even for the right query. */
function typeReward(product: Product, goal: Goal, nouns: TitleNouns): TypeReward {
  const queryMatch = product.query === goal.query;
  const goalPath = categoryParts(goal.productCategory);
  const shared = [...categoryParts(product.productCategory)].filter((part) => goalPath.has(part));
  const categoryMatch = shared.length >= 2;
  const titleScore = scoreTitle(nouns);

  let rType = queryMatch || categoryMatch || titleScore > 0.2 ? 1 : 0.5;
  if (titleScore < 0.1) rType = 0.1;
  if (titleScore === 0) rType = 0;
  return { rType, queryMatch, categoryMatch, titleScore };
}

function categoryParts(path: string): Set<string> {
  return new Set(path.split("›").map(strip));
}

/**
 * Distinct common nouns divided by all of the goal's, counting repeats; 0.2 if the goal has none.
 */
function scoreTitle(nouns: TitleNouns): number {
  if (nouns.goal.length === 0) return 0.2;
  const own = new Set(nouns.product);
  const shared = new Set(nouns.goal.filter((noun) => own.has(noun)));
  return shared.size / nouns.goal.length;
}

function matchAttribute(wanted: string, product: Product): AttributeMatch {
  const { attributes, title, features, description } = product;
  const by = (place: AttributeMatch["by"]) => ({ wanted, by: place });
  if (attributes.some((own) => tokenSetRatio(own, wanted) > ALIKE)) return by("attribute");
  if (title.toLowerCase().includes(wanted)) return by("title");
  if (features.join(" ").toLowerCase().includes(wanted)) return by("features");
  if (description.toLowerCase().includes(wanted)) return by("description");
  return by(null);
}

/** One chosen value may satisfy several wanted ones, and extra choices cost nothing. */
function matchOptions(chosen: string[], wanted: Goal["options"]): OptionMatch[] {
  const normalized = chosen.map(normalizeColor);
  return wantedOptions(wanted).map(({ shown, compared }) => {
    const found = normalized.findIndex((value) => tokenSetRatio(value, compared) > ALIKE);
    return { wanted: shown, chosen: found < 0 ? null : chosen[found]! };
  });
}

/** The name of each wanted option, and the text that a chosen value is compared with. */
export function wantedOptions(wanted: Goal["options"]): { shown: string; compared: string }[] {
  if (Array.isArray(wanted)) {
    return wanted.map((value) => ({ shown: value, compared: normalizeColor(value) }));
  }
  return Object.entries(wanted).map(([name, value]) => {
    return { shown: `${name}: ${value}`, compared: normalizePair(name, value) };
  });
}

/**
 * WebShop compares a named option as a Python pair: it becomes a colour only if its name or value
 * is exactly one, and otherwise is matched as printed, including its name.
 */
function normalizePair(name: string, value: string): string {
  const color = COLORS.find((word) => word === name || word === value);
  return color ?? `('${pythonRepr(name)}', '${pythonRepr(value)}')`;
}
