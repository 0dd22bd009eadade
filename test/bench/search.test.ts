import { describe, expect, test } from "vitest";
import {
  edges,
  type SearchConfig as Config,
  type SearchOutcome as Outcome,
} from "../../src/cli/study/search.ts";
import { equalSearch } from "./recipes/search.ts";
import { readFileSync } from "node:fs";
import type { Summary } from "../../src/cli/sweep/summary.ts";
import { planSweep } from "../../src/cli/sweep/sweepFile.ts";

const configOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`./recipes/${name}.json`, import.meta.url), "utf8")) as Config;

/** Scores that fall with the learning rate for one method, and rise with it for the others. */
function fakeSweep(
  falls: string,
  seen: { name: string; runs: ReturnType<typeof planSweep>["runs"] }[],
) {
  return (name: string, file: object): Summary => {
    const { runs } = planSweep(file);
    seen.push({ name, runs });
    const settings = [...new Set(runs.map(({ setting }) => setting))];
    const rows = settings.map((setting) => {
      const own = runs.filter((run) => run.setting === setting);
      const { algorithms, optimisation } = own[0]!.spec;
      const method = algorithms[0]!.name;
      const score = method === falls ? -optimisation.actorLr : optimisation.actorLr;
      const scores = own.map(({ seed }) => ({ seed, first: 0, last: score }));
      return {
        ...{ setting, method, measure: "m", n: own.length, scores, mean: score, iqm: score },
        ...{ tInterval: null, bootstrap: null, gain: { mean: score, tInterval: null } },
        ...{ curves: [], crashed: 0, collapsed: 0, stopped: 0, stoppedEarly: 0 },
      };
    });
    return {
      runs: { planned: 0, done: 0, stopped: 0, notRun: 0 },
      rows,
      differences: [],
      methods: [],
    };
  };
}

const NAMES = ["nano", "nano-group", "nano-further", "sokoban-class", "webshop-progress"];

const searched = await Promise.all(
  NAMES.map(async (name) => {
    const config = configOf(name);
    const seen: Parameters<typeof fakeSweep>[1] = [];
    const noted: Outcome[] = [];
    const sweep = fakeSweep(config.methods[0]!, seen);
    const final = await equalSearch(config, sweep, (all) => noted.push(...all));
    return { name, config, seen, noted, final };
  }),
);

describe.each(searched)("the search for recipes of $name", ({ config, seen, noted, final }) => {
  test("gives every method the same draws, budget and stages", () => {
    const first = noted.filter(({ stage }) => stage === 1);
    const of = (method: string) =>
      first.filter((one) => one.method === method).map(({ settings }) => settings);
    const [lead] = config.methods;
    for (const method of config.methods) expect(of(method)).toEqual(of(lead!));
    expect(of(lead!)).toHaveLength(config.draws);
    for (const [i, { keep }] of config.stages.entries())
      for (const method of config.methods)
        expect(
          noted.filter((one) => one.stage === i + 1 && one.method === method && one.kept),
        ).toHaveLength(keep);
  });

  test("keeps the best of each method, and scores them with new seeds on levels no stage has seen", () => {
    const rates = noted
      .filter(({ stage, method }) => stage === 1 && method === config.methods[0])
      .map(({ settings }) => Number(settings["optimisation.actorLr"]));
    const rateOf = (method: string) =>
      Number(final.find((one) => one.method === method)!.settings["optimisation.actorLr"]);
    expect(rateOf(config.methods[0]!)).toBe(Math.min(...rates));
    expect(rateOf(config.methods.at(-1)!)).toBe(Math.max(...rates));
    const sets = seen.map(({ name, runs }) => [
      name,
      ...new Set(runs.map(({ spec }) => spec.evaluation.set)),
    ]);
    expect(sets).toEqual([
      ...config.stages.map((_, i) => [`stage-${i + 1}`, "validation"]),
      ["stage-final", "test"],
    ]);
    const searched = config.stages.flatMap(({ seeds }) => seeds);
    expect(config.final.seeds.filter((seed) => searched.includes(seed))).toEqual([]);
  });
});

test("a best value at the edge of its range is named", () => {
  const space = {
    rate: { log: [1e-4, 1e-2] as [number, number] },
    coef: { linear: [0, 1] as [number, number] },
    epochs: [1, 2, 4],
    either: ["a", "b"],
  };
  const inner = { rate: 1e-3, coef: 0.5, epochs: 2, either: "a" };
  expect(edges(space, inner)).toEqual([]);
  expect(edges(space, { ...inner, rate: 9e-3, coef: 0.01, epochs: "4" })).toEqual([
    ...["rate", "coef", "epochs"],
  ]);
});
