/** An estimator's name is only in the table, at its function and in rows, so that a new row is data. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { baselines } from "../../src/method/baselines.ts";
import { estimators } from "../../src/method/estimators.ts";

/** The tables of estimators, of baselines (one has an estimator's name) and of rows. */
const TABLES = ["method/estimators.ts", "method/baselines.ts", "spec/algorithmRows.ts"];
/** Texts of rows, one of which has its estimator's name. */
const TEXTS = "spec/algorithmDocs/texts/";

const SRC = new URL("../../src", import.meta.url).pathname;

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
}

/** Lines of code that have one of the names as a literal or as a key. */
function linesWith(names: readonly string[], text: string): string[] {
  const literal = new RegExp(`["'\`](${names.join("|")})["'\`]`);
  return text.split("\n").filter((line) => literal.test(line));
}

it("no file but the tables and the texts names an estimator", () => {
  const names = Object.keys(estimators);
  const found = filesUnder(SRC).flatMap((name) => {
    if (TABLES.includes(name) || name.startsWith(TEXTS)) return [];
    return linesWith(names, readFileSync(join(SRC, name), "utf8")).map(
      (line) => `${name}: ${line}`,
    );
  });
  expect(found).toEqual([]);
});

it("finds names where they are", () => {
  const names = Object.keys(estimators);
  for (const name of TABLES.slice(0, 1)) {
    const text = readFileSync(join(SRC, name), "utf8");
    expect(linesWith(names, text).length, name).toBeGreaterThanOrEqual(names.length);
  }
  expect(linesWith(["turn-gae"], 'if (config.estimator === "turn-gae")')).toHaveLength(1);
  expect(Object.keys(baselines).filter((name) => names.includes(name))).toEqual(["turn-group"]);
});
