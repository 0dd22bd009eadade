/** Data files made of values, read in chunks of a few bytes so that every cut is met. */
import type { DataSource } from "../../../src/env/webshop/jsonMembers.ts";
import { loadProducts, type LoadOptions } from "../../../src/env/webshop/loadProducts.ts";
import { createCatalogue, type Catalogue } from "../../../src/env/webshop/catalogue.ts";
import { golden } from "./golden.ts";

export function textSource(name: string, text: string, chunk = 7): DataSource {
  const bytes = new TextEncoder().encode(text);
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  };
  return { name, size: bytes.length, open };
}

export function jsonSource(name: string, value: unknown, chunk?: number): DataSource {
  return textSource(name, JSON.stringify(value), chunk);
}

/** The goldens' catalogue as three files. */
export function goldenSources(): [DataSource, DataSource, DataSource] {
  const { items_shuffle_format, items_ins_format, items_human_ins_format } = golden.catalogue;
  return [
    jsonSource("items_shuffle.json", items_shuffle_format),
    jsonSource("items_ins_v2.json", items_ins_format),
    jsonSource("items_human_ins.json", items_human_ins_format),
  ];
}

export async function goldenCatalogue(options: LoadOptions = {}): Promise<Catalogue> {
  const { products, goals } = await loadProducts(...goldenSources(), options);
  return createCatalogue(products, goals);
}
