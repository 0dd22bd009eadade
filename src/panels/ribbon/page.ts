/** A page of WebShop, parsed from its text, as far as a thumbnail shows it. Either of its two text modes. */
import { SEPARATOR } from "../../env/webshop/render.ts";
import { words } from "../../figures/ribbon/words.ts";
import { shopWords } from "../shared/shop/words.ts";

export interface PageLine {
  look: "kind" | "title" | "text" | "product" | "option" | "chosen" | "button";
  text: string;
  /** After it. */
  price?: string;
}

interface PagePart {
  role: "text" | "button" | "product" | "option";
  text: string;
  clicked: boolean;
}

const { page: say } = words;

/** Null for a text that is not a WebShop page. */
export function pageLines(observation: string): PageLine[] | null {
  const parts = observation.includes(SEPARATOR) ? plainParts(observation) : richParts(observation);
  const texts = parts.map(({ text }) => text);
  const buttons = parts.flatMap(({ role, text }) =>
    role === "button" ? [{ look: "button", text } as const] : [],
  );
  const has = (name: string) => buttons.some(({ text }) => text === name);
  const page = (kind: string, lines: PageLine[]) =>
    [{ look: "kind", text: kind } as const, ...lines, ...buttons].filter(({ text }) => text !== "");
  if (texts[0] === shopWords.thanks)
    return page(say.done, [{ look: "title", text: say.score(scoreOf(texts)) }]);
  const goal = texts.indexOf(shopWords.instruction);
  if (goal < 0) return null;
  if (has(shopWords.buyNow)) return page(say.item, itemLines(parts));
  const place = texts.find((text) => RESULTS.test(text));
  if (place) return page(place, productLines(parts));
  if (!has(shopWords.backToSearch))
    return page(say.search, [{ look: "text", text: texts[goal + 1] ?? "" }]);
  const last = parts.findLastIndex(({ role }) => role === "button");
  return page(say.section, [{ look: "title", text: texts.slice(last + 1).join(" ") }]);
}

const RESULTS = /^Page \d+ \(Total results: \d+\)$/;
const ASIN = /^[A-Z0-9]{10}$/;
const BUTTONS: readonly string[] = [
  ...[
    shopWords.backToSearch,
    shopWords.search,
    shopWords.previous,
    shopWords.next,
    shopWords.buyNow,
  ],
  ...[shopWords.description, shopWords.features, shopWords.reviews, shopWords.attributes],
];

function plainParts(observation: string): PagePart[] {
  return observation.split(SEPARATOR).map((raw): PagePart => {
    const text = raw.trim();
    const role = BUTTONS.includes(text) ? "button" : ASIN.test(text) ? "product" : "text";
    return { role, text, clicked: false };
  });
}

const CLICKABLE = /^( *)\[(clicked )?button\] (.*) \[(?:clicked )?button_\]$/;

function richParts(observation: string): PagePart[] {
  const lines = observation.split("\n").filter((line) => line.trim() !== "");
  return lines.filter((line) => !line.startsWith("You have clicked ")).map(richPart);
}

function richPart(line: string): PagePart {
  const found = CLICKABLE.exec(line);
  if (!found) return { role: "text", text: line.trim(), clicked: false };
  const [, indent, clicked, text] = found as unknown as [string, string, string?, string?];
  const isOption = indent !== "";
  const role = isOption ? "option" : BUTTONS.includes(text!) ? "button" : "product";
  return { role, text: text!, clicked: clicked !== undefined };
}

/** Products shown of a list. */
const MOST = 3;

/** A product's asin is followed by its title and its price. */
function productLines(parts: readonly PagePart[]): PageLine[] {
  const all = parts.flatMap(({ role, clicked }, i): PageLine[] => {
    if (role !== "product") return [];
    const [title = "", price = ""] = [parts[i + 1]?.text, parts[i + 2]?.text];
    return [{ look: "product", text: clicked ? `${say.opened} ${title}` : title, price }];
  });
  if (all.length === 0) return [{ look: "text", text: say.noProducts }];
  const more = all.length - MOST;
  return [
    ...all.slice(0, MOST),
    ...(more > 0 ? [{ look: "text", text: say.more(more) } as const] : []),
  ];
}

/** Title and price are below the options, whose groups have their values below their names; the plain mode marks none of them. */
function itemLines(parts: readonly PagePart[]): PageLine[] {
  const at = parts.findLastIndex(({ text }) => text.startsWith(shopWords.price));
  const price = parts[at]?.text.slice(shopWords.price.length).trim() ?? "";
  const groups: { name: string; count: number; chosen: string | null }[] = [];
  parts.forEach(({ role, text, clicked }, i) => {
    if (role !== "option") return;
    const before = parts[i - 1];
    if (before?.role === "text") groups.push({ name: before.text, count: 0, chosen: null });
    const group = groups.at(-1);
    if (!group) return;
    group.count++;
    if (clicked) group.chosen = text;
  });
  return [
    { look: "title", text: parts[at - 1]?.text ?? "" },
    { look: "text", text: price },
    ...groups.map(({ name, count, chosen }): PageLine => ({
      look: chosen === null ? "option" : "chosen",
      text: say.option(name, count, chosen),
    })),
  ];
}

/** The reward of a purchase, from a finished trip's page. */
function scoreOf(texts: readonly string[]): string {
  return texts[texts.findIndex((text) => text.startsWith(shopWords.score)) + 1] ?? "";
}

export function beginning(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)} …`;
}

/** The lines of a page that the previous page did not have: permanent ones are not informative. */
export function newLines(page: string, before: string | undefined): string {
  const known = new Set(before?.split("\n"));
  const lines = page.split("\n").filter((line) => !known.has(line) && line.trim() !== "");
  return before === undefined || lines.length === 0 ? page : `… ${lines.join("\n")}`;
}
