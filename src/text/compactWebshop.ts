/**
 * The compact WebShop format of the from-scratch models. A query is the page in words: what is
 * asked for, the page's tag and content, the turns left, the state-end. A response is `search` and
 * words or `click` and a slot, a button or an option, closed by the turn's end. Chosen options are
 * marked, so that a query is complete and turn context loses only what the page itself hides.
 *
 * Shortened from the page: asins become slots, prices become steps of ten dollars, the instruction
 * its informative words; buttons that are always present, and the number of results, are left out.
 */
import { numberTokens, STATE_END } from "./domainVocabulary.ts";
import { isCutOff, tokenTextOf, withoutStop, type PromptAdapter } from "./promptAdapter.ts";
import { contentTexts, shownProducts, type ShownPage } from "./webshopView.ts";
import {
  BUTTONS,
  CHOSEN,
  CLICK,
  knownToken,
  priceToken,
  SEARCH,
  SLOTS,
  THINK,
  THINK_END,
  webshopTokenizer,
} from "./webshopVocabulary.ts";
import type { CompactOptions } from "./compactWords.ts";
import { TURN_END } from "./turnEnds.ts";

/** Longest query in tokens: section text is truncated there. */
export const MAX_QUERY_TOKENS = 116;
const MAX_SECTION_WORDS = 80;

export function compactWebshop({
  context,
  think = false,
}: CompactOptions): PromptAdapter<ShownPage> {
  const tokenizer = webshopTokenizer();
  const stopIds = [tokenizer.id(TURN_END)];
  const idsOf = (tokens: readonly string[]) => tokens.map((token) => tokenizer.id(token));
  const tokensOf = (ids: readonly number[]) =>
    withoutStop(ids, stopIds).map((id) => tokenizer.decode([id]));
  return {
    query: (_, view, turn, previous) => {
      const close = context === "full" && turn > 0 && isCutOff(previous, stopIds) ? [TURN_END] : [];
      const tokens = [...close, ...queryTokens(view), ...(think ? [THINK] : [])];
      return idsOf(tokens);
    },
    answer: (ids, view) => {
      const tokens = tokensOf(ids);
      const action = think ? withoutThought(tokens) : tokens;
      return action === null ? tokens.join(" ") : actionText(action, view);
    },
    display: (ids) => (think ? [THINK] : []).concat(tokensOf(ids)).join(" "),
    tokenText: tokenTextOf(tokenizer),
    respond: ([action = ""], view) => {
      const thought = think ? [...thoughtTokens(action, view), THINK_END] : [];
      return idsOf([...thought, ...actionTokens(action, view), TURN_END]);
    },
    stopIds,
  };
}

/** The tokens after the think block, whose opening tag primed the response. */
function withoutThought(tokens: readonly string[]): string[] | null {
  const end = tokens.indexOf(THINK_END);
  return end < 0 ? null : tokens.slice(end + 1);
}

function queryTokens(view: ShownPage): string[] {
  const left = numberTokens("t", view.turnsLeft).match(/<t\d+>/g) ?? [];
  return [...wantedTokens(view.instruction), ...pageTokens(view), ...left, STATE_END];
}

/** The instruction without the words that every instruction has. */
function wantedTokens(instruction: string): string[] {
  return wordsOfText(instruction)
    .filter((word) => !FILLERS.has(word))
    .map(tokenOfWord);
}

const FILLERS = new Set(
  "find me i need am looking for with and price lower than dollars".split(" "),
);

function pageTokens({ page, nodes }: ShownPage): string[] {
  switch (page) {
    case "search":
    case "done":
      return [`<${page}>`];
    case "results":
      return ["<results>", ...resultTokens(nodes)];
    case "item":
      return ["<item>", ...itemTokens(nodes)];
    case "section":
      return ["<section>", ...contentTexts(nodes).flatMap(tokensOfText)].slice(
        0,
        1 + MAX_SECTION_WORDS,
      );
  }
}

function resultTokens(nodes: ShownPage["nodes"]): string[] {
  const header = nodes.find((node) => node.role === "text" && node.text.startsWith("Page "));
  const number = header?.role === "text" ? Number(/^Page (\d+)/.exec(header.text)?.[1] ?? 1) : 1;
  const products = shownProducts(nodes).slice(0, SLOTS);
  return [
    `<p${Math.min(5, number)}>`,
    ...products.flatMap(({ title, price, clicked }, i) => [
      `<${i + 1}>`,
      ...(clicked ? [CHOSEN] : []),
      ...tokensOfText(title),
      ...priceTokens(price),
    ]),
  ];
}

/** Title, price and rating, then each group with its values. */
function itemTokens(nodes: ShownPage["nodes"]): string[] {
  const about = contentTexts(nodes).flatMap((text) =>
    text.startsWith("Price: ")
      ? priceTokens(text)
      : text.startsWith("Rating: ")
        ? []
        : tokensOfText(text),
  );
  let group = "";
  const options = nodes.flatMap((node) => {
    if (node.role !== "option") return [];
    const name = node.group === group ? [] : tokensOfText(node.group);
    group = node.group;
    return [...name, ...tokensOfText(node.text), ...(node.clicked ? [CHOSEN] : [])];
  });
  return [...about, ...options];
}

/** "$19.99 to $34.99" gives both its ends. */
function priceTokens(text: string): string[] {
  return [...text.matchAll(/\$(\d+\.?\d*)/g)].map(([, dollars]) => priceToken(Number(dollars)));
}

function tokensOfText(text: string): string[] {
  return wordsOfText(text).map(tokenOfWord);
}

/** In lower case, without punctuation. */
function wordsOfText(text: string): string[] {
  return text.toLowerCase().match(/\d+\.\d\d|[\p{L}\p{N}]+/gu) ?? [];
}

/** An amount of dollars becomes its step of ten. */
function tokenOfWord(word: string): string {
  return /^\d+\.\d\d$/.test(word) ? priceToken(Number(word)) : knownToken(word);
}

/** A response in the shop's own words; an invalid one stays unchanged and has no effect. */
function actionText(tokens: readonly string[], { nodes }: ShownPage): string {
  const [name, ...rest] = tokens;
  const argument = rest.join(" ");
  if (name !== CLICK) return name === SEARCH ? `search[${argument}]` : tokens.join(" ");
  const slot = /^<(\d+)>$/.exec(argument)?.[1];
  const product = slot === undefined ? undefined : shownProducts(nodes)[Number(slot) - 1];
  return `click[${BUTTONS.get(argument) ?? product?.asin.toLowerCase() ?? argument}]`;
}

/** The inverse. */
function actionTokens(action: string, { nodes }: ShownPage): string[] {
  const [, name, argument = ""] = /^(search|click)\[(.*)\]$/s.exec(action) ?? [];
  if (name === SEARCH) return [SEARCH, ...tokensOfText(argument)];
  const button = [...BUTTONS].find(([, text]) => text === argument)?.[0];
  if (button !== undefined) return [CLICK, button];
  const slot = shownProducts(nodes).findIndex(({ asin }) => asin.toLowerCase() === argument);
  return slot < 0 ? [CLICK, ...tokensOfText(argument)] : [CLICK, `<${slot + 1}>`];
}

/**
 * The words that decide an expert's action: the wanted words in a product's title, with its price
 * and the limit; the name of an option's group.
 */
function thoughtTokens(action: string, { instruction, nodes }: ShownPage): string[] {
  const wanted = wantedTokens(instruction);
  const argument = /^click\[(.*)\]$/s.exec(action)?.[1];
  const product = shownProducts(nodes).find(({ asin }) => asin.toLowerCase() === argument);
  if (product) {
    const shared = tokensOfText(product.title).filter((token) => wanted.includes(token));
    return [...shared, ...priceTokens(product.price), ...wanted.filter(isPrice)];
  }
  const option = nodes.find((node) => node.role === "option" && node.text === argument);
  return option?.role === "option" ? tokensOfText(option.group) : [];
}

const isPrice = (token: string) => token.startsWith("<$");
