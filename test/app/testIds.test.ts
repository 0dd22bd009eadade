/** Names for tests are for tests: no style, key or script of the page looks for its parts by them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SRC = join(import.meta.dirname, "..", "..", "src");

const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.(css|tsx?|js)$/.test(file),
);

it.each([
  ["selectors", /\[data-testid/],
  ["attributes that are read", /getAttribute\("data-testid"\)|getByTestId/],
])("no %s", (_, pattern) => {
  const found = sources.filter((file) => pattern.test(readFileSync(join(SRC, file), "utf8")));
  expect(found).toEqual([]);
});
