/** The kept results of a cell as recorded seeds: a start, the evaluations and an end of every run, with its fingerprint. */
import { join, resolve } from "node:path";
import { parseArgs } from "../../../src/cli/args.ts";
import type { RunResult } from "../../../src/cli/sweep/results.ts";
import { makeFolder, replaceFile } from "../../../src/cli/wholeFile.ts";
import { encodeSeeds } from "../../../src/interchange/columnar/seeds.ts";
import type { EvalEvent, RunEvent } from "../../../src/record/runEvent.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import {
  cellNamed,
  isFound,
  planOfCell,
  readCells,
  recipesOf,
  type Cell,
  type FindRun,
} from "./cells.ts";
import { keptIn } from "./table.ts";

declare const __TURNBOOK_ROOT__: string;

export function main(argv: string[]): void {
  const args = parseArgs(argv, { out: { type: "string" } });
  const folder = join(__TURNBOOK_ROOT__, "test", "bench", "recipes");
  const out = args.string("out");
  const [name, ...rest] = args.words;
  if (name === undefined || rest.length > 0 || out === undefined)
    throw new InputError("band takes the name of one cell, and --out FILE");
  const runs = bandOf(folder, cellNamed(readCells(folder), name), keptIn(folder));
  const file = resolve(out);
  makeFolder(join(file, ".."));
  replaceFile(file, encodeSeeds(`node test/bench/recipes/band.mjs ${argv.join(" ")}`, runs));
  console.log(`${out}: ${runs.length} runs`);
}

/** The methods that the opening page compares. */
const BAND = ["grpo", "token-ppo", "turn-ppo"];

/** @throws InputError where a run is missing: a band of some seeds would hide the others. */
export function bandOf(folder: string, cell: Cell, find: FindRun): RunEvent[][] {
  const recipes = recipesOf(folder, cell)
    .filter(isFound)
    .filter(({ method }) => BAND.includes(method));
  return planOfCell(folder, cell, recipes).runs.map((run) => {
    const result = find(run);
    if (result) return eventsOf(result);
    throw new InputError(`run ${run.name} of cell ${cell.name} is not kept: run it with table.mjs`);
  });
}

function eventsOf({ run: { spec }, fingerprint, iterations, methods }: RunResult): RunEvent[] {
  const base = { chain: "", time: { at: "" } };
  const engine = { engine: "wasm", backend: "wasm", adapter: "", reproducible: "everywhere" };
  const evals = methods.flatMap(({ method, points }) =>
    points.map(([iteration, scores]): EvalEvent => ({
      ...base,
      type: "eval",
      algorithm: method,
      iteration,
      levels: spec.evaluation.levels,
      metrics: scores as EvalEvent["metrics"],
    })),
  );
  return [
    { ...base, type: "start", format: 1, version: "", spec, engine, parameters: 0 },
    ...evals,
    { ...base, chain: fingerprint, type: "end", iterations },
  ];
}
