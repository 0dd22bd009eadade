/**
 * The vocabulary of the from-scratch WebShop models: one token per word of the generated shop, per
 * step of 10 dollars, per slot of a list and per button, as tokenizer files that any Hugging Face
 * tokenizer library opens. It is the same for every seed of the shop. Tests compare it with the
 * words of generated shops, and the files in `public/models/webshop-tokenizer` with these.
 */
import {
  numbered,
  SPECIAL_TOKENS,
  UNKNOWN,
  wordTokenizerFiles,
  type TokenizerFiles,
} from "./domainVocabulary.ts";
import { readTokenizer, type TextTokenizer } from "./tokenizer.ts";

export const THINK = "<think>";
export const THINK_END = "</think>";
export const SEARCH = "search";
export const CLICK = "click";
/** Marks a chosen option, or a product that was opened before. */
export const CHOSEN = "*";
const MAX_PRICE_TOKEN = 200;
const PAGE_TAGS = ["<search>", "<results>", "<item>", "<section>", "<done>"] as const;
/** Products on a page of results. */
export const SLOTS = 10;
const MAX_TURNS_TOKEN = 15;
const MAX_PAGE_TOKEN = 5;

/** Buttons by their token; a click sends the shop's own names. */
export const BUTTONS: ReadonlyMap<string, string> = new Map([
  ["[back]", "back to search"],
  ["[prev]", "< prev"],
  ["[next]", "next >"],
  ["[buy]", "buy now"],
  ["[description]", "description"],
  ["[features]", "features"],
  ["[reviews]", "reviews"],
  ["[attributes]", "attributes"],
]);

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

const BRANDS = words(
  "norva tilo brima kestrel mando pelio quill sorrel tarn umbra velda wexo yarrow zeno lumo fenn",
);
const KINDS = words(`
  dress shirt rain jacket running shoes knit sweater shampoo body lotion lipstick face mask
  headphones bluetooth speaker keyboard phone charger office chair table lamp bookshelf area rug
  herbal tea ground coffee cookies mixed nuts camping tent hiking backpack water bottle picnic
  blanket`);
const ATTRIBUTES = words(`
  absorbing adjustable assembly backlit breathable brightening caffeine cancelling charging
  chewy collapsible compact control cooling cotton creamy cropped cruelty crunchy cushioned decaf
  dimmable dishwasher durable dust easy energy ergonomic expandable fair fast firming flexible
  foldable free gentle gluten hand handmade hooded individually insulated kosher lasting leak
  lightweight linen long loud machine magnetic mechanical modern moisturizing noise non organic
  origin oven oversized packable padded paraben picked portable proof quiet rechargeable reflective
  repairing resealable resistant reusable roasted rustic safe salted saving scratch setup single
  sleeve slim slip slow smooth smudge soft soothing space spicy spill stackable stain stretchy
  strong sturdy sugar sulfate sweat swivel touch trade unbreakable universal vegan ventilated voice
  volumizing warm washable waterproof windproof wireless wooden wool woven wrapped wrinkle`);
const OPTIONS = words(`
  color size scent flavor pack edition finish layout plug material tiers shape grind sleeps pattern
  black white blue red green pink purple brown grey yellow small medium large seven eight nine ten
  vanilla citrus jasmine coconut honey cedar ginger cinnamon berry mango double family basic deluxe
  premium travel regular matte glossy satin sheer english french german spanish american british
  european mesh leather fabric velvet oak bamboo metal glass three four five six round square oval
  fine coarse two plain striped checked floral`);
const PROSE = words(`
  a by for it is and to the in my would again as described arrived on time does job took
  weeks arrive made exactly really love great buy good value okay too late work
  weekends wet days road trail cold evenings daily care dry skin day night tired music calls parties
  home typing desk bag hours reading corners books plants living rooms mornings early lunch boxes
  hungry afternoons summer trips mountain paths gym school park at price 1 2 3 4 5`);

/** All tokens; the index is the id. Checkpoints depend on this order: append only. */
export const WEBSHOP_TOKENS: readonly string[] = [
  ...new Set([
    ...SPECIAL_TOKENS,
    ...[THINK, THINK_END, SEARCH, CLICK, CHOSEN],
    ...PAGE_TAGS,
    ...BUTTONS.keys(),
    ...Array.from({ length: SLOTS }, (_, i) => `<${i + 1}>`),
    ...numbered("t", MAX_TURNS_TOKEN),
    ...numbered("p", MAX_PAGE_TOKEN),
    ...Array.from({ length: MAX_PRICE_TOKEN / 10 + 1 }, (_, i) => `<$${10 * i}>`),
    ...KINDS,
    ...ATTRIBUTES,
    ...OPTIONS,
    ...BRANDS,
    ...PROSE,
  ]),
];

/**
 * Dollars, rounded down to tens: 39.99 and 30 are both `<$30>`. Higher prices share the last token.
 */
export function priceToken(dollars: number): string {
  return `<$${Math.min(MAX_PRICE_TOKEN, 10 * Math.floor(dollars / 10))}>`;
}

export function webshopTokenizerFiles(): TokenizerFiles {
  const added = [...SPECIAL_TOKENS, THINK, THINK_END];
  // Without a decoder, decoding puts a space between tokens.
  return wordTokenizerFiles(WEBSHOP_TOKENS, added, { type: "WhitespaceSplit" }, null);
}

/** The tokenizer itself, without reading a file. */
export function webshopTokenizer(): TextTokenizer {
  const { tokenizer, config } = webshopTokenizerFiles();
  return readTokenizer(tokenizer, config);
}

const KNOWN = new Set(WEBSHOP_TOKENS);

/** The word itself, or the token of unknown words. */
export function knownToken(word: string): string {
  return KNOWN.has(word) ? word : UNKNOWN;
}
