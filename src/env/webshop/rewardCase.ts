/**
 * One purchase to score, as written in a file, with WebShop's own field names:
 *
 * {"product":
 * {"name","query","product_category","Title","Description","BulletPoints","Attributes"},
 *  "goal": {"name","query","product_category","attributes","price_upper","goal_options"},
 *  "price": 39.5, "chosen_options": {"color": "navy"},
 *  "stub_nouns": {"product": ["shirt"], "goal": ["shirt"]}}
 *
 * Without stub_nouns the nouns are those of `titleNouns`. Other keys are ignored. Attributes and
 * options have at most MAX_COMPARED characters each.
 */
import { InputError, show } from "../../numeric/inputError.ts";
import { titleNouns } from "./nouns.ts";
import type { Goal, Product } from "./product.ts";
import { rewardOfNouns, type Purchase, type Reward, type TitleNouns } from "./reward.ts";
import { MAX_COMPARED } from "./tokenSetRatio.ts";

interface RewardCase {
  purchase: Purchase;
  goal: Goal;
  nouns: TitleNouns;
}

/** The reward for a case file's JSON. @throws InputError naming the field. */
export function rewardOfCase(json: unknown): Reward {
  const { purchase, goal, nouns } = decodeRewardCase(json);
  return rewardOfNouns(purchase, goal, nouns);
}

/** @throws InputError naming the field, its value and what it must be. */
export function decodeRewardCase(json: unknown): RewardCase {
  const fields = object(json, "the case");
  const product = decodeProduct(fields["product"]);
  const goal = decodeGoal(fields["goal"]);
  const price = number(fields["price"], "price");
  const options = stringMap(fields["chosen_options"], "chosen_options");
  checkLengths(Object.values(options), "chosen_options");
  const nouns = decodeNouns(fields["stub_nouns"]) ?? {
    product: titleNouns(product.title),
    goal: titleNouns(goal.name),
  };
  return { purchase: { product, price, options }, goal, nouns };
}

function decodeProduct(json: unknown): Product {
  const fields = object(json, "product");
  const attributes = strings(fields["Attributes"], "product.Attributes");
  checkLengths(attributes, "product.Attributes");
  const text = (key: string) => string(fields[key], `product.${key}`);
  return {
    ...EMPTY_PRODUCT,
    title: text(fields["Title"] === undefined ? "name" : "Title"),
    description: text("Description"),
    features: strings(fields["BulletPoints"], "product.BulletPoints"),
    query: text("query"),
    productCategory: text("product_category"),
    attributes,
  };
}

/** Fields that no reward depends on. */
const EMPTY_PRODUCT: Product = {
  asin: "",
  title: "",
  description: "",
  features: [],
  rating: "N.A.",
  reviews: [],
  priceText: "",
  pricing: [],
  price: 0,
  category: "",
  query: "",
  productCategory: "",
  attributes: [],
  options: [],
  image: null,
};

function decodeGoal(json: unknown): Goal {
  const fields = object(json, "goal");
  const text = (key: string) => string(fields[key], `goal.${key}`);
  const attributes = strings(fields["attributes"], "goal.attributes");
  if (attributes.length === 0) {
    throw new InputError("goal.attributes is []; it must hold at least one attribute");
  }
  checkLengths(attributes, "goal.attributes");
  const options = decodeGoalOptions(fields["goal_options"]);
  return {
    asin: "",
    category: "",
    instruction: "",
    weight: 1,
    name: text("name"),
    query: text("query"),
    productCategory: text("product_category"),
    attributes,
    priceUpper: number(fields["price_upper"], "goal.price_upper"),
    options,
  };
}

function decodeGoalOptions(json: unknown): Goal["options"] {
  const path = "goal.goal_options";
  const options = Array.isArray(json) ? strings(json, path) : stringMap(json, path);
  checkLengths(Object.entries(options).flat(), path);
  return options;
}

/** For texts that are compared with others. */
function checkLengths(texts: string[], path: string): void {
  const long = texts.find(({ length }) => length > MAX_COMPARED);
  if (long === undefined) return;
  const what = `a text of ${long.length} characters, ${show(long)}`;
  throw new InputError(`${path} holds ${what}; allowed are at most ${MAX_COMPARED} characters`);
}

function decodeNouns(json: unknown): TitleNouns | undefined {
  if (json === undefined) return undefined;
  const fields = object(json, "stub_nouns");
  return {
    product: strings(fields["product"], "stub_nouns.product"),
    goal: strings(fields["goal"], "stub_nouns.goal"),
  };
}

function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new InputError(`${path} is ${show(value)}; it must be an object`);
}

function string(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw new InputError(`${path} is ${show(value)}; it must be a text`);
}

function number(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new InputError(`${path} is ${show(value)}; it must be a number`);
}

function strings(value: unknown, path: string): string[] {
  if (!Array.isArray(value))
    throw new InputError(`${path} is ${show(value)}; it must be a list of texts`);
  return value.map((item, i) => string(item, `${path}[${i}]`));
}

function stringMap(value: unknown, path: string): Record<string, string> {
  const entries = Object.entries(object(value, path));
  return Object.fromEntries(entries.map(([key, item]) => [key, string(item, `${path}.${key}`)]));
}
