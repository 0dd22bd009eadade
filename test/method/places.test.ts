/** A clip rule, an aggregation, a ratio level and an estimator are each complete in one place, and no other file names them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clips, type ClipName } from "../../src/method/clip/clips.ts";
import type { ClipRule } from "../../src/method/clip/clipRule.ts";
import { estimators } from "../../src/method/estimators.ts";
import { numberAxes } from "../../src/method/numbers.ts";
import {
  aggregations,
  divisorsOf,
  type Aggregation,
} from "../../src/method/objective/aggregate.ts";
import { policyLoss } from "../../src/method/objective/policyLoss.ts";
import type { ClipNumbers, RatioInput } from "../../src/method/objective/policyTypes.ts";
import {
  plainLogRatios,
  poolLogRatios,
  ratios,
  type RatioLevel,
} from "../../src/method/objective/ratio.ts";
import { broadcast } from "../../src/numeric/segments.ts";
import { rowDoc } from "../../src/spec/algorithmDocs/docs.ts";
import { usedSettings } from "../../src/spec/algorithmDocs/settingUse.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";

const SRC = join(import.meta.dirname, "..", "..", "src");

const clipNames = Object.keys(clips) as ClipName[];
const ratioNames = Object.keys(ratios) as RatioLevel[];
const ruleOf = (name: ClipName): ClipRule => clips[name];

/** Three turns in two trajectories, with ratios on either side of the range and advantages of either sign. */
const numbers: ClipNumbers = {
  ...{ epsLow: 0.2, epsHigh: 0.3, dualClip: 1.5 },
  ...{ tauPos: 1, tauNeg: 3 },
  ...{ covShare: 0.3, covLow: 0.02, covHigh: 5, covPull: 0.7 },
};
const offsets = { trajectory: Int32Array.of(0, 5, 8), turn: Int32Array.of(0, 2, 5, 8) };
const N = 8;
const wave = (n: number, at: number, size: number) => Math.sin(37 * n + at) * size;
const column = (at: number, size: number) =>
  Float64Array.from({ length: N }, (_, n) => wave(n, at, size));

function inputOf(level: RatioLevel, seed: number): RatioInput {
  return {
    logprob: column(seed, 0.8).map((x) => x - 2), // [N]
    oldLogprob: column(seed + 0.5, 0.4).map((x) => x - 2), // [N]
    adv: column(2 * seed, 1), // [N]
    offsets,
    weight: column(3 * seed, 0.3).map((x) => x + 0.5), // [N]
    level,
    clip: numbers,
    epsScale: column(seed + 2, 0.3).map((x) => x + 1), // [N]
  };
}

/** sum of weight x what each token's unit adds to the objective, by the rule's own formula of one unit. */
function objectiveSum(rule: ClipRule, input: RatioInput): number {
  const { level, adv, weight, logprob, oldLogprob } = input;
  const d = plainLogRatios(input); // [N]
  const { picked } = rule.loss(input);
  const held = d.map((x, t) => rule.held?.of(x, adv[t]!, numbers) ?? x); // [N]
  const { unit, ratio } = poolLogRatios(level, held, offsets);
  const ofUnits = (x: Float64Array) =>
    rule.weighsTokens
      ? x
      : broadcast(
          ratio.map((_, u) => meanOf(x, unit[u]!, unit[u + 1]!)),
          unit,
        );
  const [w, A] = [broadcast(ratio, unit), ofUnits(adv)]; // [N]
  const scale = rule.scalesRange ? ofUnits(input.epsScale!) : adv.map(() => 1); // [N]
  return weight.reduce((sum, x, t) => {
    const isPicked = picked !== undefined && broadcast(Float64Array.from(picked), unit)[t] === 1;
    const own = { logprob: logprob[t]!, oldLogprob: oldLogprob[t]!, picked: isPicked };
    return sum + x * rule.objective({ w: w[t]!, A: A[t]!, scale: scale[t]!, ...own }, input.clip);
  }, 0);
}

const meanOf = (x: Float64Array, from: number, to: number) =>
  x.subarray(from, to).reduce((sum, v) => sum + v, 0) / (to - from);

describe.each(clipNames)("the clip rule %s", (name) => {
  const rule = ruleOf(name);

  it("has words of its own, known settings, and a formula at every ratio level", () => {
    for (const text of [rule.about, rule.says]) expect(text.length).toBeGreaterThan(20);
    const others = clipNames.filter((other) => other !== name).map(ruleOf);
    expect(others.map(({ says }) => says)).not.toContain(rule.says);
    expect(others.map(({ about }) => about)).not.toContain(rule.about);
    for (const setting of rule.settings) expect(numberAxes).toHaveProperty(setting);
    for (const ratio of ratioNames) {
      const config = resolveAlgorithm("grpo", { clip: name, ratio, dualClip: 3 });
      const terms = rowDoc(config, "symbols").terms.map(({ id }) => id as string);
      for (const setting of rule.settings) {
        expect(terms, ratio).toContain(`settings.${setting}`);
        expect(usedSettings(config)).toContain(setting);
      }
    }
  });

  it.each(ratioNames)(
    "has the gradient of its loss, and the loss of its objective, at %s",
    (level) => {
      let cut = 0;
      for (let seed = 1; seed < 12; seed++) {
        const whole = inputOf(level, seed);
        // Of two units both have the same covariance, and a step of one log-prob would change which is picked.
        const two = level === "sequence-geomean" ? { covShare: 1 } : {};
        const input = { ...whole, clip: { ...numbers, ...two } };
        const { loss, dLogprob, shares, picked = new Uint8Array(1) } = rule.loss(input);
        cut += shares.cut + picked.reduce((sum, one) => sum + one, 0);
        if (!rule.picks) expect(picked.includes(1)).toBe(false);
        expect(loss).toBeCloseTo(-objectiveSum(rule, input), 6);
        // Constant weights of tokens do not follow the log-probs.
        if (rule.weighsTokens) {
          expect(loss).toBeCloseTo(
            dLogprob.reduce((sum, g, t) => sum + g * input.logprob[t]!, 0),
            12,
          );
          continue;
        }
        for (let t = 0; t < N; t++) {
          const at = (step: number) => {
            const logprob = input.logprob.slice();
            logprob[t]! += step;
            return rule.loss({ ...input, logprob }).loss;
          };
          expect(dLogprob[t], `token ${t}`).toBeCloseTo((at(1e-6) - at(-1e-6)) / 2e-6, 6);
        }
      }
      expect(cut).toBeGreaterThan(0);
    },
  );

  it("cuts beyond its band if it has one, on the side that A pushes to, and nothing within", () => {
    const { low, high } = rule.band(numbers);
    if (low === null && high === null) return;
    for (const [d, A, isCut] of [
      [high! + 0.01, 1, true],
      [high! - 0.01, 1, false],
      [low! - 0.01, -1, true],
      [low! + 0.01, -1, false],
    ] as const) {
      const input: RatioInput = {
        ...{ logprob: Float64Array.of(d - 1), oldLogprob: Float64Array.of(-1) },
        ...{ adv: Float64Array.of(A), weight: Float64Array.of(1), level: "token", clip: numbers },
        offsets: { trajectory: Int32Array.of(0, 1), turn: Int32Array.of(0, 1) },
      };
      expect(rule.loss(input).clipped[0], `${d} ${A}`).toBe(isCut ? 1 : 0);
      expect(policyLoss({ ...input, clip: { ...numbers, clip: name } }).loss).toBe(
        rule.loss(input).loss,
      );
    }
  });
});

describe.each(Object.keys(aggregations) as Aggregation[])("the aggregation %s", (aggregation) => {
  it("has words, and its divisors are the formula's", () => {
    const { about, outer, trajectory, turn } = divisorsOf(aggregation);
    expect(about.length).toBeGreaterThan(10);
    const config = resolveAlgorithm("grpo", { aggregation, ratio: "token" });
    const terms = rowDoc(config).formulas.find(({ id }) => id === "loss")!.terms as string[];
    const named = { horizon: "batch.trajectories", tokens: "batch.tokens", turns: "batch.turns" };
    const wanted = [
      ...(outer === null ? [] : [{ ...named, trajectories: "batch.trajectories" }[outer]]),
      ...(trajectory === null ? [] : [`trajectory.${trajectory}`]),
      ...(turn ? ["turn.tokens"] : []),
    ];
    const divisors = terms.filter((term) => /^batch|^trajectory|turn\.tokens/.test(term));
    const constant = outer === "horizon" ? 1 : 0;
    expect(divisors.slice(0, wanted.length + constant)).toEqual(expect.arrayContaining(wanted));
    expect(divisors).toHaveLength(wanted.length);
  });
});

it("a ratio level has words and a formula that defines the ratio of what it covers", () => {
  for (const ratio of ratioNames) {
    const { about, covers } = ratios[ratio];
    expect(about).toContain("exp");
    const { formulas } = rowDoc(resolveAlgorithm("grpo", { ratio }));
    expect(formulas.find(({ id }) => id === "ratio")!.terms).toContain(`${covers}.ratio`);
  }
});

it("an estimator is in the file of its name", () => {
  for (const { lesson, about, formula, estimate, criticLoss } of Object.values(estimators)) {
    const text = readFileSync(join(SRC, "method", "estimator", `${lesson}.ts`), "utf8");
    expect(text).toContain(`export const ${lesson}: EstimatorFacts = {`);
    expect(about.length).toBeGreaterThan(10);
    for (const part of [formula, estimate, criticLoss]) expect(part).toBeTypeOf("function");
  }
});

/** Files of src that name one, beside tables, rows, studies and the figures that compare levels side by side. */
function filesNaming(pattern: RegExp, allowed: readonly string[]): string[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !allowed.includes(name))
    .filter((name) =>
      readFileSync(join(SRC, name), "utf8")
        .split("\n")
        .some((line) => !/^\s*(\*|\/\/|\/\*)/.test(line) && pattern.test(line)),
    );
}

describe("no other file names", () => {
  it("a clip rule", () => {
    const names = clipNames.join("|");
    const compared = new RegExp(`(clip|rule|kind)\\b.{0,12}["'](${names})["']|["']log-geomean["']`);
    expect(compared.test('  if (config.clip === "adaptive") return null;')).toBe(true);
    const tables = ["method/clip/clips.ts", "spec/algorithmRows.ts"];
    expect(filesNaming(compared, tables)).toEqual([]);
  });

  it("an aggregation but as the loss that verl fixes, and the one of an entropy bonus", () => {
    // "turn-mean" is also a place where values are read.
    const names = Object.keys(aggregations).filter((name) => name !== "turn-mean");
    const tables = ["method/objective/aggregate.ts", "spec/algorithmRows.ts"];
    const found = filesNaming(new RegExp(`["'](${names.join("|")})["']`), tables);
    expect(found.sort()).toEqual([
      "algorithm/objective.ts",
      "interchange/ragen/losses.ts",
      "interchange/ragen/plugin.ts",
    ]);
  });
});
