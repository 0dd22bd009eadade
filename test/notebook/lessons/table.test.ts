/** Every number of the lesson on the table is that of the results kept with the recipes: where they change, it must. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { mean, std, studentT, tInterval } from "../../../src/numeric/statistics.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import { cellNamed, readCells, type Cell } from "../../bench/recipes/cells.ts";
import { entriesOf, keptIn } from "../../bench/recipes/table.ts";
import { planSweep, type SweepFile } from "../../../src/cli/sweep/sweepFile.ts";
import type { SummaryRow } from "../../../src/cli/sweep/summary.ts";
import { toSpec } from "../../../src/spec/presets.ts";
import { pairedBySeed } from "../../../src/cli/sweep/seedStatistics.ts";
import { effectFor, powerOf, valuesFor } from "../../../src/numeric/significance.ts";
import { contrastsOf, survives } from "../../bench/recipes/contrasts.ts";
import { bodyOf, expectAnswer, quizOf, recordedRun } from "../../fixtures/lesson.ts";

const folder = join(import.meta.dirname, "../../bench/recipes");
const lesson = readFileSync(join(folder, "../../../public/notebooks/table.md"), "utf8");
const find = keptIn(folder);
const cell = cellNamed(readCells(folder), "sokoban-qwen3");

/** Success of each method on test levels, seed by seed. */
function scoresOf(of: Cell) {
  const entries = entriesOf(folder, of, find);
  return Object.fromEntries(entries.map(({ recipe, success }) => [recipe.method, success]));
}

const scores = scoresOf(cell);
const [turn, token, grpo] = ["turn-ppo", "token-ppo", "grpo"].map((name) => scores[name]!);
const points = (differences: readonly number[]) => differences.map((x) => 100 * x);
const gaps = points(pairedBySeed(turn!.scores, token!.scores)); // [5]

/** Percent solved at the start, seed by seed. */
const starts = ({ scores: ofSeed }: SummaryRow) => ofSeed.map(({ first }) => first!);

/** Percent solved at the end of a sweep's kept runs, by seeds 1 to 5. */
function ofSweep(name: string): number[] {
  const file = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as SweepFile;
  const { runs } = planSweep(file);
  expect(runs.map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5]);
  return runs.map(
    (run) => 100 * find(run)!.methods[0]!.points.at(-1)![1]["val-env/sokoban/success"]!,
  );
}

/** As the lesson writes numbers. */
const tenth = (x: number) => x.toFixed(1).replace("-", "−");
const signed = (x: number) => (x < 0 ? tenth(x) : `+${tenth(x)}`);
const row = (name: string, cells: readonly string[]) => `| ${name} | ${cells.join(" | ")} |`;

describe("the lesson on the table", () => {
  it("has the kept scores: means, starts, and seed by seed", () => {
    const named = [
      ["Turn-PPO", turn!],
      ["token-PPO", token!],
      ["GRPO", grpo!],
    ] as const;
    for (const [name, { scores: ofSeed, mean: average }] of named) {
      expect(ofSeed.map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5]);
      const start = `${tenth(100 * ofSeed[0]!.first!)} %`;
      expect(lesson).toContain(row(name, [`${tenth(100 * average!)} %`, start]));
    }
    for (const [name, { scores: ofSeed }] of named.slice(0, 2))
      expect(lesson).toContain(
        row(
          name,
          ofSeed.map(({ last }) => tenth(100 * last!)),
        ),
      );
    expect(lesson).toContain(row("Difference", gaps.map(signed)));
  });

  it("asks what its runs cannot tell", () => {
    const { answer, options } = quizOf("table", "better");
    const { low, high } = tInterval(gaps);
    expect(options[answer - 1]).toBe("These runs cannot tell");
    expect([low < 0, high > 0]).toEqual([true, true]);
    expect(gaps.filter((x) => x > 0)).toHaveLength(4);
    expect(Math.abs(Math.min(...gaps))).toBeGreaterThan(Math.max(...gaps));
  });

  it("computes the interval of the paired differences", () => {
    expectAnswer("table", "mean", mean(gaps));
    expect(lesson).toContain(`standard deviation is ${std(gaps).toFixed(2)}.`);
    expect(lesson).toContain(`where ${studentT(0.95, 4).toFixed(3)} is Student's t`);
    const { low, high } = tInterval(gaps);
    expectAnswer("table", "half", (high - low) / 2);
    expect(quizOf("table", "half").explanation).toContain(`${tenth(low)} to ${tenth(high)}`);
  });

  it("has the differences from GRPO, and their interval", () => {
    const others = points(pairedBySeed(turn!.scores, grpo!.scores));
    const words = others.map(tenth);
    expect(lesson).toContain(`${words.slice(0, 4).join(", ")} and ${words[4]}.`);
    const { low, high } = tInterval(others);
    expect(lesson).toContain(`from ${tenth(low)} to ${tenth(high)}: here`);
    expect(low).toBeGreaterThan(0);
    expect(tInterval(points(pairedBySeed(token!.scores, grpo!.scores))).low).toBeGreaterThan(0);
  });

  it("hands these differences to its figures", () => {
    const again = readFields("explore", bodyOf("table", "again")).value!;
    expect(again.data.differences).toEqual(gaps);
    const says = explorations[again.figure]!.show({ ...again.set, draw: 1 }, again.data).says;
    const [low, high, lowT, highT] = [...says.matchAll(/[−+]?\d+\.\d+/g)]
      .slice(-4)
      .map(([x]) => Number(x.replace("−", "-")));
    expect(high! - low!).toBeLessThan(highT! - lowT!);
    expect(quizOf("table", "narrow").answer).toBe(1);
    const { figure, set } = readFields("explore", bodyOf("table", "enough")).value!;
    const clear = (at: Record<string, number>) =>
      Number(/, (\d+) can sep/.exec(explorations[figure]!.show({ ...set, ...at }, {}).says)![1]);
    expect(clear({ seeds: 30 })).toBeLessThan(6);
    expect(clear({ seeds: 30, gap: 5 })).toBeGreaterThan(6);
    expect(set).toEqual({
      seeds: gaps.length,
      gap: Math.round(mean(gaps)),
      spread: Math.round(std(gaps)),
    });
  });

  it("sweeps runs of which two iterations in five train the critic alone", () => {
    const { spec, remarks } = readExperiment(bodyOf("table", "live"));
    expect(remarks).toEqual([]);
    expect([spec.critic.warmup, spec.optimisation.iterations]).toEqual([2, 5]);
    expect(readFields("sweep", bodyOf("table", "tiny")).value!.seeds).toEqual([1, 2, 3]);
  });

  it("says how many seeds would tell, by the rule of thumb and by the noncentral t", () => {
    const { answer, explanation } = quizOf("table", "seeds");
    expectAnswer("table", "seeds", Math.ceil(((2.8 * std(gaps)) / mean(gaps)) ** 2));
    expect(answer).toBe(98);
    expect(explanation).toContain(`the exact count is ${valuesFor(mean(gaps) / std(gaps))}.`);
    const d = mean(gaps).toFixed(2);
    expect(bodyOf("table", "seeds")).toContain(`s = ${std(gaps).toFixed(2)} and d = ${d}`);
    const power = Math.round(100 * powerOf(5, 9 / std(gaps)));
    expect(explanation).toContain(`is 9 points, five seeds see it with a chance of ${power} %.`);
    expect(explanation).toContain(`For 80 % it must be ${tenth(effectFor(5) * std(gaps))}.`);
    const teacher = readFileSync(
      join(folder, "../../../public/notebooks/teacher/table.md"),
      "utf8",
    );
    expect(teacher).toContain(
      `For 9 points it says five, and five find them in ${power} % of experiments`,
    );
    expect(Math.ceil(((2.8 * std(gaps)) / 9) ** 2)).toBe(5);
  });

  it("says how the second search ended", () => {
    const wide = scoresOf({ ...cell, searches: ["nano-wide"] });
    const [first, second] = ["token-ppo", "turn-ppo"].map((name) => 100 * wide[name]!.mean!);
    expect(lesson).toContain(`${tenth(first!)} % for token-PPO and ${tenth(second!)} % for Turn`);
    expect(first).toBeGreaterThan(second!);
    expect(turn!.mean).toBeGreaterThan(token!.mean!);
  });

  it("has the larger model's scores seed by seed, and says which lead can be told from chance", () => {
    const size = cellNamed(readCells(folder), "sokoban-class");
    const large = scoresOf(size);
    const lastOf = (name: string) => large[name]!.scores.map(({ last }) => 100 * last!);
    const named = { "turn-ppo": "Turn-PPO", grpo: "GRPO", "token-ppo": "token-PPO" };
    for (const [name, title] of Object.entries(named))
      expect(lesson).toContain(row(title, lastOf(name).map(tenth)));
    expect(lesson).toContain(`Start: ${tenth(100 * mean(starts(large["grpo"]!)))} %.`);
    const lead = (other: string) =>
      points(pairedBySeed(large["turn-ppo"]!.scores, large[other]!.scores));
    const inWords = (x: readonly number[]) => {
      const { low, high } = tInterval(x);
      return `${tenth(mean(x))} points, from ${tenth(low)} to ${tenth(high)}`;
    };
    expect(lesson).toContain(`Turn-PPO minus GRPO is ${inWords(lead("grpo"))}.`);
    expect(lesson).toContain(`Turn-PPO minus token-PPO is ${inWords(lead("token-ppo"))}.`);
    const { answer, options } = quizOf("table", "larger");
    expect(options[answer - 1]).toBe("The lead over token-PPO");
    const clear = (other: string) => tInterval(lead(other)).low > 0;
    expect([clear("grpo"), clear("token-ppo")]).toEqual([false, true]);
    const all = contrastsOf(folder, find);
    expect(quizOf("table", "larger").explanation).toContain(`one of ${all.length} differences`);
    expect(all.filter(({ cell: of }) => of === "sokoban-class").some(survives)).toBe(false);
    expect(lead("grpo").filter((x) => x > 0)).toHaveLength(5);
    expect(lead("grpo").filter((x) => x < 5)).toHaveLength(2);
  });

  it("names the seeds whose policies collapsed there", () => {
    const size = cellNamed(readCells(folder), "sokoban-class");
    const turnPpo = entriesOf(folder, size, find).find(
      ({ recipe }) => recipe.method === "turn-ppo",
    )!;
    const valid = turnPpo.results.map(({ run, methods }) => ({
      seed: run.seed,
      share: methods[0]!.points.at(-1)![1]["val-env/sokoban/action_is_valid"]!,
    }));
    const sick = valid.filter(({ share }) => share < 0.5).sort((a, b) => a.seed - b.seed);
    expect(turnPpo.success.collapsed).toBe(sick.length);
    const [seeds, shares] = [
      sick.map(({ seed }) => seed).join(" and "),
      sick.map(({ share }) => tenth(100 * share)).join(" and "),
    ];
    expect(lesson).toContain(`Seeds ${seeds} of Turn-PPO end with ${shares} % valid turns.`);
  });

  it("shows the larger model's first seed, as its search's end has scored it", async () => {
    const { spec, remarks } = readExperiment(bodyOf("table", "large"));
    expect(remarks).toEqual([]);
    const run = await recordedRun("class");
    const kept = toSpec(
      JSON.parse(readFileSync(join(folder, "../recordings/class.json"), "utf8")) as unknown,
    );
    expect(toSpec({ ...run.start!.spec, engine: kept.engine })).toEqual(kept);
    const { recordEpisodes, engine } = kept;
    expect({ ...spec, recordEpisodes, engine }).toEqual(kept);
    const { scores: ofSeed } = scoresOf(cellNamed(readCells(folder), "sokoban-class"))["turn-ppo"]!;
    const { y } = run.series("turn-ppo", "val-env/sokoban/success", "heldout");
    const { first, last } = ofSeed.find(({ seed }) => seed === spec.seed)!;
    expect([y[0], y.at(-1)]).toEqual([first, last].map((x) => expect.closeTo(x!, 6)));
  });

  it("says what token-PPO does there with Turn-PPO's settings", () => {
    const same = ofSweep("sokoban-class-same");
    const turns = scoresOf(cellNamed(readCells(folder), "sokoban-class"))["turn-ppo"]!;
    const { low, high } = tInterval(same);
    expect(lesson).toContain(`solves ${tenth(mean(same))} % (${tenth(low)} to ${tenth(high)})`);
    expect(turns.scores.map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5]);
    const left = turns.scores.map(({ last }, i) => 100 * last! - same[i]!);
    const of = tInterval(left);
    expect(lesson).toContain(
      `is then ${tenth(mean(left))} points, from ${tenth(of.low)} to ${tenth(of.high)}`,
    );
    expect([of.low < 0, of.high > 0]).toEqual([true, true]);
  });

  it("has exercises whose numbers are those of the results and of the paper", () => {
    const spread = ({ scores: ofSeed }: typeof turn & object) =>
      std(ofSeed.map(({ last }) => 100 * last!));
    const [a, b] = [spread(turn!), spread(token!)];
    expect(lesson).toContain(`√(${tenth(a)}² + ${tenth(b)}²)`);
    // The answers: without seed 1 the interval would leave 0 out, and pairing did not help.
    expect(tInterval(gaps.slice(1)).low).toBeGreaterThan(0);
    expect(std(gaps)).toBeGreaterThan(Math.hypot(a, b));
    const { paper } = cellNamed(readCells(folder), "sokoban-qwen2");
    expect(lesson).toContain(
      `With ${paper!["model"]} the paper's rewards on Sokoban are ${paper!["turn-ppo"]} for Turn-PPO, ${paper!["token-ppo"]} for token-PPO, and a ${paper!["grpo"]} for GRPO.`,
    );
  });
});
