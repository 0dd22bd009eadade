/** Invented products of one kind. */
import type { OptionGroup, Product, Review } from "../product.ts";
import { pythonFloat } from "../pythonText.ts";
import { Draws } from "../draws.ts";
import { BRANDS, KINDS, type Kind } from "./lexicon.ts";

/** Lines of a kind; each is sold under two brands that differ only in price. */
const LINES = 7;
const TWINS = 2;
const ATTRIBUTES_OF_ONE = 3;
/** This many of the attributes are in the title; the others are visible only on the page. */
const ATTRIBUTES_IN_TITLE = 2;
const ONE_GROUP_SHARE = 0.15;
const PRICE_RANGE_SHARE = 0.15;
const ASIN_CHARS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** What a product and its twin share. */
interface ProductLine {
  kind: Kind;
  attributes: readonly string[];
  options: OptionGroup[];
}

/** The products of a catalogue, one kind at a time. Deterministic from the seed. */
export function* makeProducts(seed: number): Generator<Product[], void> {
  const taken = new Set<string>();
  for (const [k, kind] of KINDS.entries()) {
    const draws = (trajectory: number) =>
      new Draws({ seed, stream: "webshop-product", iteration: k, trajectory, step: 0 });
    const lines = makeLines(kind, draws(0));
    yield lines.flatMap((line, l) =>
      Array.from({ length: TWINS }, (_, twin) =>
        makeProduct(line, draws(1 + l * TWINS + twin), taken),
      ),
    );
  }
}

/** Distinct sets of attributes, each with its options. */
function makeLines(kind: Kind, draws: Draws): ProductLine[] {
  const lines = new Map<string, ProductLine>();
  while (lines.size < LINES) {
    const attributes = draws.sample(kind.attributes, ATTRIBUTES_OF_ONE);
    const options = makeOptions(kind, draws);
    lines.set([...attributes].sort().join(), { kind, attributes, options });
  }
  return [...lines.values()];
}

function makeProduct({ kind, ...line }: ProductLine, draws: Draws, taken: Set<string>): Product {
  const { query, category, path, use } = kind;
  const brand = draws.choice(BRANDS);
  const attributes = draws.sample(line.attributes, ATTRIBUTES_OF_ONE);
  const [pricing, price] = makePrice(kind, draws);
  const reviews: Review[] = makeReviews(query, attributes, draws);
  return {
    asin: makeAsin(draws, taken),
    title: titleCase([brand, ...attributes.slice(0, ATTRIBUTES_IN_TITLE), query].join(" ")),
    description: `A ${query} by ${brand} for ${use}. It is ${and(attributes)}.`,
    features: [`Made for ${use}`, ...attributes.map(sentenceCase)],
    rating: ratingOf(reviews),
    reviews,
    priceText: pricing.map((one) => `$${pythonFloat(one)}`).join(" to "),
    pricing,
    price,
    category,
    query,
    productCategory: path.join(" › "),
    attributes,
    options: line.options,
    image: null,
  };
}

/** One price, or a range and the price in it that buying costs. Dollars. */
function makePrice({ prices: [low, high] }: Kind, draws: Draws): [number[], number] {
  const price = () => low + draws.below(high - low) + draws.choice([0.49, 0.95, 0.99]);
  const first = price();
  if (draws.number() >= PRICE_RANGE_SHARE) return [[first], first];
  const last = first + 5 + draws.below(11);
  // To the cent, like the price paid.
  const paid = Math.round((first + draws.number() * (last - first)) * 100) / 100;
  return [[first, Math.round(last * 100) / 100], paid];
}

function makeOptions({ options }: Kind, draws: Draws): OptionGroup[] {
  const groups = options.map(([name, values]) => {
    const count = Math.min(values.length, 2 + draws.below(2));
    const offered = new Set(draws.sample(values, count));
    return { name, values: values.filter((value) => offered.has(value)) };
  });
  return draws.number() < ONE_GROUP_SHARE ? [draws.choice(groups)] : groups;
}

function makeAsin(draws: Draws, taken: Set<string>): string {
  for (;;) {
    const chars = Array.from({ length: 8 }, () => ASIN_CHARS[draws.below(ASIN_CHARS.length)]);
    const asin = `B0${chars.join("")}`;
    if (taken.has(asin)) continue;
    taken.add(asin);
    return asin;
  }
}

function and(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function titleCase(text: string): string {
  return text.split(" ").map(sentenceCase).join(" ");
}

function sentenceCase(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** WebShop's own loader leaves every product without reviews and rates it "N.A."; ours are true statements about the product. */
const OPINIONS = [
  { score: 5, title: "Love it", body: "Exactly as described" },
  { score: 5, title: "Great buy", body: "Would buy again" },
  { score: 4, title: "Good value", body: "Arrived on time" },
  { score: 3, title: "Okay", body: "Does the job" },
  { score: 2, title: "Too late", body: "Took weeks to arrive" },
] as const;

/** Zero to three, each naming an attribute of the product. */
function makeReviews(query: string, attributes: readonly string[], draws: Draws): Review[] {
  const count = draws.below(4);
  return draws.sample(OPINIONS, count).map(({ score, title, body }) => {
    const remark = `My ${query}: really ${draws.choice(attributes)}.`;
    return { title, score, body: `${body}. ${remark}` };
  });
}

/** Mean score with one decimal, or WebShop's "N.A." */
function ratingOf(reviews: readonly Review[]): string {
  if (reviews.length === 0) return "N.A.";
  const mean = reviews.reduce((sum, { score }) => sum + score, 0) / reviews.length;
  return pythonFloat(Math.round(mean * 10) / 10);
}
