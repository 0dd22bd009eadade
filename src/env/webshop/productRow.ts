/** Converts one row of WebShop's items_shuffle file to a product. */
import type { OptionGroup, Product } from "./product.ts";
import { pythonFloat, strip } from "./pythonText.ts";
import type { LoadReport } from "./loadReport.ts";
import { MAX_COMPARED } from "./tokenSetRatio.ts";
import type { JsonObject } from "../../spec/jsonText.ts";

/** WebShop's default price, in dollars. */
const USUAL_PRICE = 100;
const MAX_ASIN = 10;

/** The asin of a row, or null if the row must be left out. `place` names it in the report. */
export function asinOf(row: JsonObject, place: string, report: LoadReport): string | null {
  const { asin } = row;
  const leaveOut = (problem: string) => {
    report.note(place, problem, "row left out");
    return null;
  };
  if (typeof asin !== "string" || asin === "") return leaveOut("asin is missing");
  if (asin === "nan") return leaveOut('asin is "nan"');
  if (asin.length > MAX_ASIN) return leaveOut(`asin is longer than ${MAX_ASIN}`);
  if (typeof row["name"] !== "string") return leaveOut("name is missing");
  return asin;
}

/**
 * The product of a row, without data from other files: no attributes yet, and its price is the
 * lowest. Unreadable fields are reported and get their empty value.
 */
export function productOfRow(row: JsonObject, asin: string, report: LoadReport): Product {
  const text = (key: string) => textField(row, key, asin, report);
  const pricing = pricesOf(row["pricing"], asin, report);
  return {
    asin,
    title: text("name"),
    description: text("full_description"),
    features: featuresOf(row["small_description"], asin, report),
    rating: "N.A.",
    reviews: [],
    priceText: pricing.map((price) => `$${pythonFloat(price)}`).join(" to "),
    pricing,
    price: pricing[0]!,
    category: text("category"),
    query: strip(text("query").toLowerCase()),
    productCategory: text("product_category"),
    attributes: [],
    options: optionsOf(row["customization_options"], asin, report),
    image: imageOf(row["images"]),
  };
}

function textField(row: JsonObject, key: string, asin: string, report: LoadReport): string {
  const value = row[key];
  if (typeof value === "string") return value;
  report.note(asin, `${key} is missing`, "taken as empty");
  return "";
}

function featuresOf(value: unknown, asin: string, report: LoadReport): string[] {
  if (typeof value === "string") return [value];
  const items: unknown[] = Array.isArray(value) ? value : [];
  const texts = items.filter((item) => typeof item === "string");
  if (!Array.isArray(value)) report.note(asin, "small_description is missing", "taken as empty");
  else if (texts.length < items.length) {
    report.note(asin, "small_description has an entry that is not a text", "left out");
  }
  return texts;
}

/** One price or the first two, in dollars. */
function pricesOf(value: unknown, asin: string, report: LoadReport): number[] {
  if (value === undefined || value === null || value === "") return [USUAL_PRICE];
  if (typeof value === "number" && value >= 0) return [value];
  const pieces = typeof value === "string" ? value.split("$").slice(1) : [];
  const numbers = pieces.map((piece) => piece.replace(/[^0-9.]/g, ""));
  const prices = numbers.filter((text) => /^(\d+\.?\d*|\.\d+)$/.test(text)).map(Number);
  if (prices.length === 0 || prices.length < pieces.length) {
    const remedy = prices.length === 0 ? `taken as ${USUAL_PRICE} dollars` : "the rest is read";
    report.note(asin, "pricing has an entry that is not a price", remedy);
  }
  return prices.length === 0 ? [USUAL_PRICE] : prices.slice(0, 2);
}

function optionsOf(value: unknown, asin: string, report: LoadReport): OptionGroup[] {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "object" || Array.isArray(value)) {
    report.note(asin, "customization_options is not an object", "taken as empty");
    return [];
  }
  const groups = new Map<string, string[]>(); // a later name replaces an equal one
  for (const [name, contents] of Object.entries(value)) {
    if (contents === null) continue;
    if (name.length > MAX_COMPARED) {
      report.note(asin, `an option's name is longer than ${MAX_COMPARED} characters`, "left out");
      continue;
    }
    groups.set(name.toLowerCase(), valuesOf(contents, asin, report));
  }
  return [...groups].map(([name, values]) => ({ name, values }));
}

function valuesOf(contents: unknown, asin: string, report: LoadReport): string[] {
  const items: unknown[] = Array.isArray(contents) ? contents : [contents];
  const values = items
    .map((item) =>
      typeof item === "object" && item !== null ? (item as JsonObject)["value"] : undefined,
    )
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map((value) => strip(String(value)).replaceAll("/", " | ").toLowerCase());
  if (values.length < items.length) report.note(asin, "an option has no value", "left out");
  const short = values.filter((value) => value.length <= MAX_COMPARED);
  if (short.length < values.length) {
    report.note(asin, `an option is longer than ${MAX_COMPARED} characters`, "left out");
  }
  return short;
}

function imageOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof first === "string" ? first : null;
}
