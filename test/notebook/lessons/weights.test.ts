/** The numbers of the lesson on weights are those of the recorded turn, of nano's logits, and of its figures; its gradients are slopes. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ChartMark } from "../../../src/figures/figure.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { softmax } from "../../../src/numeric/deterministic.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import { learnerNames } from "../../../src/spec/preference.ts";
import { bodyOf, expectAnswer, lessonText, recordedRun } from "../../fixtures/lesson.ts";

let turn: EpisodeRecord["turns"][number];
beforeAll(async () => {
  turn = (await recordedRun("nano")).episodes("turn-ppo", 1)[10]!.turns[0]!;
});

const exploreOf = (id: string, lesson = "weights") =>
  readFields("explore", bodyOf(lesson, id)).value!;
const shown = (id: string, moved: Record<string, number> = {}) => {
  const { figure, data, set } = exploreOf(id);
  return explorations[figure]!.show({ ...set, ...moved }, data);
};
const { logits = [] } = exploreOf("push").data;
const p = softmax(logits); // [V]

describe("one push", () => {
  it("is of the recorded turn, with the logits that lesson 0 computes", () => {
    expect(logits).toEqual(exploreOf("temperature", "model").data.logits);
    expect(bodyOf("weights", "tokens")).toContain("at: turn-ppo,1,11,1");
    expect(turn.text).toBe("Left");
    expect(Math.exp(turn.tokens![0]!.oldLogprob)).toBeCloseTo(p[2]!, 3);
    expect([p[2]!.toFixed(3), p[0]!.toFixed(3)]).toEqual(["0.207", "0.451"]);
    expectAnswer("weights", "own", 2 * (1 - p[2]!));
    expectAnswer("weights", "right", -2 * p[0]!);
  });

  it("is the slope of A log pi", () => {
    const of = (z: readonly number[]) => 2 * Math.log(softmax(z)[2]!);
    const [, push] = shown("push").rows;
    for (const i of [0, 1, 2, 3]) {
      const at = (step: number) => of(logits.map((z, j) => z + (i === j ? step : 0)));
      expect(push!.values[i]).toBeCloseTo((at(1e-4) - at(-1e-4)) / 2e-4, 5);
    }
    expect(push!.values.reduce((sum: number, x) => sum + x!, 0)).toBeCloseTo(0, 9);
  });

  it("moves all others, and blame raises the likeliest most", () => {
    const [before, push, after] = shown("push").rows.map(({ values }) => values as number[]);
    expect(after![2]).toBeGreaterThan(before![2]!);
    after!.forEach((x, i) => i === 2 || expect(x).toBeLessThan(before![i]!));
    expect([after![2], after![0]].map((x) => x!.toFixed(3))).toEqual(["0.441", "0.277"]);
    expect(push![0]).toBeCloseTo(-0.902, 3);
    const blamed = shown("push", { advantage: -1 }).rows[1]!.values as number[];
    expect(Math.max(...blamed)).toBe(blamed[0]);
    expect([blamed[0]!.toFixed(3), blamed[3]!.toFixed(3)]).toEqual(["0.451", "0.102"]);
  });
});

describe("batches", () => {
  const says = (id: string, moved?: Record<string, number>) =>
    /mean is (\S+), the truth (\S+): a bias of (\S+)\. .* spread by (\S+) around/
      .exec(shown(id, moved).says)!
      .slice(1);

  it("keep their mean at every baseline, and lose spread", () => {
    for (const baseline of [-2, 0, 2, 4, 8])
      expect(says("baseline", { baseline }).slice(0, 3)).toEqual(["+1.21", "+1.21", "0.00"]);
    const spreads = [0, 2, 4].map((baseline) => says("baseline", { baseline })[3]);
    expect(spreads).toEqual(["0.77", "0.64", "0.58"]);
    expect(lessonText("weights")).toContain("falls from 0.77 to 0.58");
    expect(lessonText("teacher/weights")).toContain("0.77 at 0, 0.64 at 2, 0.58 at 4");
    // p (1 - p) times the difference of what follows.
    expect(0.3 * 0.7 * (0.6 - 0.1) * 11.5).toBeCloseTo(1.2075, 9);
  });

  it("have the bias of the critic's error, whatever their size", () => {
    const half = says("bias", { error: -4, lambda: 0.5 });
    expect(half.slice(0, 3)).toEqual(["+0.79", "+1.21", "−0.42"]);
    expectAnswer("weights", "bias-half", 0.3 * 0.7 * 0.5 * -4);
    const of = (episodes: number) => says("bias", { error: -4, lambda: 0, episodes });
    expect(of(128).slice(0, 3)).toEqual(of(16).slice(0, 3));
    expect(Number(of(16)[3]) / Number(of(128)[3])).toBeGreaterThan(2);
    expect(says("bias", { error: -4 })[2]).toBe("0.00");
    expect(says("bias", { error: -6, lambda: 0 })[0]).toBe("−0.05");
  });

  it("are drawn around the mean that the figure says", () => {
    const drawn = shown("bias", { episodes: 128, lambda: 1 }).rows[0]!.values as number[];
    const middle = drawn.reduce((a, b) => a + b, 0) / drawn.length;
    // Six batches, each with a spread of 0.23: four standard errors.
    expect(Math.abs(middle - 1.2075)).toBeLessThan((4 * 0.23) / Math.sqrt(6));
  });
});

describe("min and clip", () => {
  it("are drawn, with the dot on the objective and the slope of the line", () => {
    for (const advantage of [-1, 1])
      for (const ratio of [0.5, 0.9, 1.1, 1.5]) {
        const { drawing, rows } = shown("objective", { ratio, advantage });
        const [, , value, slope] = rows[0]!.values as number[];
        const [{ points }, dot] = drawing!.marks.slice(-2) as [
          Extract<ChartMark, { as: "line" }>,
          ChartMark,
        ];
        expect(dot).toEqual({ as: "dots", dots: [{ x: ratio, y: value }] });
        const i = points.findIndex(({ x }) => Math.abs(x - ratio) < 1e-9);
        const [before, at, after] = points.slice(i - 1, i + 2);
        expect(at!.y).toBeCloseTo(value!, 9);
        expect((after!.y! - before!.y!) / (after!.x - before!.x)).toBeCloseTo(slope!, 9);
      }
  });

  it("answer as the engine's own clip does", () => {
    const at = (advantage: number, ratio: number) =>
      shown("objective", { advantage, ratio }).rows[0]!.values;
    expectAnswer("weights", "flat", at(1, 1.3)[2]!);
    expect(at(1, 1.3)[3]).toBe(0);
    expect(at(-1, 1.3)[3]).toBe(-1);
    expect(at(-1, 0.75)[3]).toBe(0);
  });
});

it("trains REINFORCE with and without the batch's mean", () => {
  const { spec, remarks } = readExperiment(bodyOf("weights", "live"));
  expect(remarks).toEqual([]);
  expect(learnerNames(spec)).toEqual(["reinforce", "rebn"]);
});
