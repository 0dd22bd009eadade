/** How many settings of a search end below the score they started from, after its first stage: by method, boards and minibatch. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { planSweep } from "../../../src/cli/sweep/sweepFile.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import { knownOnly } from "../../../src/numeric/finite.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { fairMethod } from "../../../src/spec/fairnessRows.ts";
import { configOf } from "./cells.ts";
import type { SearchOutcome as Outcome } from "../../../src/cli/study/search.ts";

/** Settings of one method in a search's first stage. */
export interface Stability {
  search: string;
  method: string;
  /** Tasks that an iteration of it plays. */
  tasks: number;
  iterations: number;
  /** Mean of the search's measure before training. */
  start: number;
  all: Count;
  /** By `optimisation.minibatch`, ascending. */
  byMinibatch: Map<number, Count>;
}

interface Count {
  below: number;
  of: number;
}

/** Of every search in the folder whose first stage is kept. @param searches names of configurations */
export function stabilityOf(folder: string, searches: readonly string[]): Stability[] {
  return searches.flatMap((search) => {
    const file = join(folder, `${search}.jsonl`);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trim().split("\n");
    const first = lines
      .map((line) => JSON.parse(line) as Outcome)
      .filter(({ stage }) => stage === 1);
    return configOf(folder, search).methods.flatMap((method) => {
      const own = first.filter((one) => one.method === method);
      return own.length === 0 ? [] : [stabilityOfMethod(folder, search, method, own)];
    });
  });
}

function stabilityOfMethod(
  folder: string,
  search: string,
  method: string,
  own: readonly Outcome[],
): Stability {
  const { base } = configOf(folder, search);
  const set = { name: method, set: {} };
  const [run] = planSweep({ base: { ...base, algorithms: [set] }, seeds: [0] }).runs;
  const sizes = own.map(minibatchOf);
  const ascending = [...new Set(sizes)].sort((a, b) => a - b);
  return {
    ...{ search, method, iterations: own[0]!.iterations },
    tasks: fairMethod(run!.spec, resolveAlgorithm(method)).tasks,
    start: mean(own.flatMap(({ scores }) => knownOnly(scores.map(({ first }) => first)))),
    all: count(own),
    byMinibatch: new Map(
      ascending.map((size) => [size, count(own.filter((one) => minibatchOf(one) === size))]),
    ),
  };
}

const minibatchOf = ({ settings }: Outcome) => Number(settings["optimisation.minibatch"]);

function count(outcomes: readonly Outcome[]): Count {
  const below = outcomes.filter(({ mean: last, scores }) => {
    const start = mean(knownOnly(scores.map(({ first }) => first)));
    return last === null || last < start;
  });
  return { below: below.length, of: outcomes.length };
}

/** Of TABLE.md. */
export function stabilityTable(rows: readonly Stability[]): string[] {
  const sizes = [...new Set(rows.flatMap(({ byMinibatch }) => [...byMinibatch.keys()]))];
  sizes.sort((a, b) => a - b);
  const heads = ["Search", "Method", "Boards or goals an iteration", "Start", "Below it"];
  const said = (one: Count | undefined) => (one ? `${one.below} of ${one.of}` : "–");
  return [
    `| ${heads.join(" | ")} | ${sizes.map((size) => `minibatch ${size}`).join(" | ")} |`,
    `|${"---|".repeat(heads.length + sizes.length)}`,
    ...rows.map(({ search, method, tasks, start, all, byMinibatch }) => {
      const name = `\`${search}.json\``;
      const own = [name, resolveAlgorithm(method).title, String(tasks), start.toFixed(3)];
      const cells = [...own, said(all), ...sizes.map((size) => said(byMinibatch.get(size)))];
      return `| ${cells.join(" | ")} |`;
    }),
  ];
}
