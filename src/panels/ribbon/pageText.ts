/** Parses a page of WebShop from its text, as far as a thumbnail shows it. Either of its two text modes. */
import { SEPARATOR } from "../../env/webshop/render.ts";
import { shopWords } from "../shared/shop/words.ts";

export interface PageSketch {
  kind: "search" | "results" | "item" | "section" | "done";
  /** The title; "" for none. */
  title: string;
  /** "" if there is none. */
  price: string;
  products: { title: string; price: string; opened: boolean }[];
  /** The options; the plain text mode marks neither them nor the selected ones. */
  options: { name: string; count: number; chosen: string | null }[];
  buttons: string[];
}

interface PagePart {
  role: "text" | "button" | "product" | "option";
  text: string;
  clicked: boolean;
}

/** Null for a text that is not a WebShop page. */
export function pageSketch(observation: string): PageSketch | null {
  const parts = observation.includes(SEPARATOR) ? plainParts(observation) : richParts(observation);
  const texts = parts.map(({ text }) => text);
  const buttons = parts.flatMap(({ role, text }) => (role === "button" ? [text] : []));
  const empty = { title: "", price: "", products: [], options: [], buttons };
  if (texts[0] === shopWords.thanks) return { ...empty, kind: "done", title: scoreOf(texts) };
  if (!texts.includes(shopWords.instruction)) return null;
  if (buttons.includes(shopWords.buyNow)) return { ...empty, kind: "item", ...itemOf(parts) };
  const place = texts.find((text) => RESULTS.test(text));
  if (place) return { ...empty, kind: "results", title: place, products: productsOf(parts) };
  if (!buttons.includes(shopWords.backToSearch))
    return {
      ...empty,
      kind: "search",
      title: texts[texts.indexOf(shopWords.instruction) + 1] ?? "",
    };
  return { ...empty, kind: "section", title: afterButtons(parts) };
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

/** A product's asin is followed by its title and its price. */
function productsOf(parts: readonly PagePart[]): PageSketch["products"] {
  return parts.flatMap(({ role, clicked }, i) => {
    const [title, price] = [parts[i + 1]?.text, parts[i + 2]?.text];
    return role === "product" ? [{ title: title ?? "", price: price ?? "", opened: clicked }] : [];
  });
}

/** Title and price are below the options. */
function itemOf(parts: readonly PagePart[]): Pick<PageSketch, "title" | "price" | "options"> {
  const at = parts.findLastIndex(({ text }) => text.startsWith(shopWords.price));
  const price = parts[at]?.text.slice(shopWords.price.length).trim() ?? "";
  return { title: parts[at - 1]?.text ?? "", price, options: optionsOf(parts) };
}

/** A group's values are below its name. */
function optionsOf(parts: readonly PagePart[]): PageSketch["options"] {
  const groups: PageSketch["options"] = [];
  parts.forEach(({ role, text, clicked }, i) => {
    if (role !== "option") return;
    const before = parts[i - 1];
    if (before?.role === "text") groups.push({ name: before.text, count: 0, chosen: null });
    const group = groups.at(-1);
    if (!group) return;
    group.count++;
    if (clicked) group.chosen = text;
  });
  return groups;
}

function afterButtons(parts: readonly PagePart[]): string {
  const last = parts.findLastIndex(({ role }) => role === "button");
  const rest = parts.slice(last + 1).map(({ text }) => text);
  return rest.join(" ");
}

/** The reward of a purchase, from a finished trip's page. */
function scoreOf(texts: readonly string[]): string {
  return texts[texts.findIndex((text) => text.startsWith(shopWords.score)) + 1] ?? "";
}
