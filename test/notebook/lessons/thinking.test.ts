/** The numbers of the lesson on thinking are those of the talker's recorded run, of its figures, and of test/bench/turnRatios.json. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { chatOf } from "../../../src/figures/tokens/chat.ts";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { specAlgorithms } from "../../../src/spec/experiment.ts";
import {
  bodyOf,
  exploreIn,
  expectAnswer,
  lessonText,
  quizOf,
  recordedRun,
  shownIn,
} from "../../fixtures/lesson.ts";

const ratios = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../bench/turnRatios.json"), "utf8"),
) as { thought: number; ratio: string; clip: number; logRatio: number; tokens: number }[];
const measured = (thought: number, ratio: string) =>
  ratios.find((one) => one.thought === thought && one.ratio === ratio)!;

let log: RunLog;
beforeAll(async () => {
  log = await recordedRun("talker");
});

/** Of a method's recorded turns: how its thought is marked, its credit, and whether the episode was solved. */
const turnsOf = (method: string) =>
  [1, 7, 10, 12].flatMap((iteration) =>
    log.episodes(method, iteration).flatMap((episode) =>
      chatOf(log.start!.spec, episode).map(({ marks }, h) => ({
        // Two marks where a thought can be read: as its answer, and as the board.
        kind: marks.length < 2 ? "unread" : marks[1]!.isGood ? "sound" : "other",
        advantage: episode.turns[h]!.advantage,
        solved: episode.success ? 1 : 0,
      })),
    ),
  );

describe("recorded thoughts", () => {
  it("are credited with their answer, though it does not follow", () => {
    const { turns, success } = log.episodes("turn-ppo", 12)[2]!;
    expect([turns[1]!.text, success]).toEqual([
      "<think>the box is at row 4, column 2; stand left of it; now push right.</think><answer>Down</answer>",
      true,
    ]);
    const credits = new Set(turns[1]!.tokens.map(({ advantage }) => advantage.toFixed(2)));
    expect([turns.length, turns[1]!.tokens.length, [...credits]]).toEqual([3, 26, ["2.26"]]);
    expect(turns[2]!.advantage).toBeCloseTo(3.19, 2);
    const [first] = chatOf(log.start!.spec, log.episodes("turn-ppo", 12)[2]!);
    expect(first!.marks.map(({ isGood }) => isGood)).toEqual([true, false]);
  });

  it("are sound as often, and as often solved, as the lesson says", () => {
    const of = (method: string, kind: string) => turnsOf(method).filter((one) => one.kind === kind);
    const counts = ["sound", "other", "unread"].map((kind) => of("token-ppo", kind).length);
    expect(counts).toEqual([31, 93, 5]);
    const solved = (kind: string) => mean(of("token-ppo", kind).map((one) => one.solved));
    const credit = (method: string, kind: string) =>
      mean(of(method, kind).map(({ advantage }) => advantage)).toFixed(2);
    expect([solved("sound").toFixed(2), solved("other").toFixed(2)]).toEqual(["0.45", "0.05"]);
    expect([credit("token-ppo", "sound"), credit("token-ppo", "other")]).toEqual(["1.08", "-0.12"]);
    expect([credit("turn-ppo", "sound"), credit("turn-ppo", "other")]).toEqual(["0.60", "0.12"]);
    const [good, other] = exploreIn("thinking", "earns").data.chances!;
    expect([good!.toFixed(2), other!.toFixed(2)]).toEqual([
      solved("sound").toFixed(2),
      solved("other").toFixed(2),
    ]);
  });

  it("are all sound in the episode that is shown for it", () => {
    const marks = chatOf(log.start!.spec, log.episodes("token-ppo", 12)[5]!).map(
      (one) => one.marks,
    );
    expect(marks).toHaveLength(3);
    expect(marks.flat().every(({ isGood }) => isGood)).toBe(true);
  });

  it("became shorter", () => {
    const ends = (method: string) => {
      const { y } = log.series(method, "response_length/mean", "train");
      return [y[0]!, y.at(-1)!].map((n) => n!.toFixed(1));
    };
    expect([ends("grpo"), ends("turn-ppo")]).toEqual([
      ["28.3", "25.1"],
      ["28.4", "26.8"],
    ]);
  });
});

it("a thought earns by the answer that follows it", () => {
  const gap = (follows: number) =>
    /earns (\S+) more/.exec(shownIn("thinking", "earns", { follows }).says)![1];
  expectAnswer("thinking", "worth", 0.5 * (0.45 - 0.05) * (10.7 + 0.8));
  expect([gap(0.5), gap(1), gap(0)]).toEqual(["2.30", "4.60", "0.00"]);
  const credit = shownIn("thinking", "earns", { follows: 0 }).rows[2]!.values;
  expect(credit.slice(0, 2).map((x) => Math.abs(x!))).toEqual([0, 0]);
  const [sound, , none] = shownIn("thinking", "earns").rows[1]!.values;
  expect((sound! - none!).toFixed(2)).toBe("3.45");
});

describe("one ratio for many tokens", () => {
  it("grows as measured, and as independence would have it", () => {
    expectAnswer("thinking", "sixty", 1.01 ** 60);
    expect(exploreIn("thinking", "length").data.measured).toEqual(
      [0, 24, 64].map((thought) => {
        const { tokens, logRatio } = measured(thought, "turn-product");
        return [tokens, logRatio, measured(thought, "turn-geomean").logRatio];
      }),
    );
    const [a, b] = [24, 64].map((thought) => measured(thought, "turn-product"));
    expectAnswer("thinking", "growth", Math.sqrt(b!.tokens / a!.tokens));
    expect((b!.logRatio / a!.logRatio).toFixed(3)).toBe("1.537");
    const sizes = (tokens: number, spread: number) =>
      shownIn("thinking", "length", { tokens, spread }).rows[0]!.values.map((x) => x!.toFixed(2));
    expect([sizes(28, 0.18)[0], sizes(68, 0.18)[0]]).toEqual(["0.76", "1.18"]);
    expect(sizes(64, 0.18)[1]).toBe("0.02");
  });

  it("is clipped as the lesson says", () => {
    const share = (thought: number, ratio: string) =>
      (100 * measured(thought, ratio).clip).toPrecision(2);
    const { options, answer } = quizOf("thinking", "clipped");
    expect(options[answer - 1]).toBe(`${share(64, "turn-geomean")} %`);
    expect(options.slice(0, 2)).toEqual([
      `${share(64, "turn-product")} %`,
      `${share(0, "turn-geomean")} %`,
    ]);
  });
});

it("trains with both ways to pool, and nothing else that differs", () => {
  const [product, pooled] = ["product", "mean"].map((id) => readExperiment(bodyOf("thinking", id)));
  expect([product!.remarks, pooled!.remarks]).toEqual([[], []]);
  const ratio = ({ spec }: typeof pooled & object) => specAlgorithms(spec)[0]!.ratio;
  expect([ratio(product!), ratio(pooled!)]).toEqual(["turn-product", "turn-geomean"]);
  expect({ ...pooled!.spec, algorithms: [] }).toEqual({ ...product!.spec, algorithms: [] });
  expect(lessonText("thinking")).toContain("They differ only in how");
});
