/** Files of test/golden/tokenizer; each says in `source` and `computed_with` how it was made. */
import { readFileSync } from "node:fs";

export function goldenJson<T = unknown>(name: string): T {
  const url = new URL(`../golden/tokenizer/${name}`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as T;
}
