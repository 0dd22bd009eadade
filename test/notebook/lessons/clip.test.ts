/** The numbers of the lesson on the clip are those of the recorded run, and of the ratios that it explains. */
import { beforeAll, expect, it } from "vitest";
import { poolLogRatios } from "../../../src/method/objective/ratio.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { offsets } from "../../../src/numeric/segments.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import { addUp, readSteps } from "../../../src/reading/updateSteps.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { bodyOf, expectAnswer, recordedRun } from "../../fixtures/lesson.ts";

let log: RunLog;
let turns: EpisodeRecord["turns"];
beforeAll(async () => {
  log = await recordedRun("nano");
  ({ turns } = log.episodes("turn-ppo", 100)[0]!);
});

/** Log-ratios of a turn's tokens at its last use. [n] */
const logRatiosOf = ({ tokens }: EpisodeRecord["turns"][number]) =>
  tokens.map(({ logprob, oldLogprob }) => logprob! - oldLogprob!);

const exploreOf = (id: string) => readFields("explore", bodyOf("clip", id)).value!;
const shownIn = (id: string, moved: Record<string, number> = {}) => {
  const { figure, data, set } = exploreOf(id);
  const { handles, show } = explorations[figure]!;
  const start = Object.fromEntries(handles.map((handle) => [handle.id, handle.start]));
  return show({ ...start, ...set, ...moved }, data);
};

it("speaks of a turn that was cut, and of one that moved against its blame", () => {
  expect(turns[1]).toMatchObject({ text: "Down || Left", clipped: false });
  expect(turns[1]!.ratio).toBeCloseTo(1.31, 2);
  expect(turns[1]!.advantage).toBeCloseTo(-0.39, 2);
  expect(turns[3]).toMatchObject({ text: "Up || Left", clipped: true });
  expect(turns[3]!.ratio).toBeCloseTo(0.62, 2);
  expect(turns[3]!.advantage).toBeCloseTo(-0.007, 3);
});

it("computes the ratios of that turn and of its episode", () => {
  const d = Float64Array.from(logRatiosOf(turns[3]!));
  const all = Float64Array.from(turns.flatMap(logRatiosOf)); // [N]
  const of = (level: "turn-product" | "turn-geomean" | "sequence-geomean", x: Float64Array) => {
    const whole = Int32Array.of(0, x.length);
    return poolLogRatios(level, x, { trajectory: whole, turn: whole }).ratio[0]!;
  };
  expectAnswer("clip", "product", of("turn-product", d));
  expectAnswer("clip", "mean", of("turn-geomean", d));
  expectAnswer("clip", "gspo", of("sequence-geomean", all));
  expect(all.reduce((a, b) => a + b, 0)).toBeCloseTo(-0.2072, 4);
  d.forEach((x, t) => expect(exploreOf("levels-of-turn").data.logRatios![t]).toBeCloseTo(x, 5));
  const { logRatios, lengths } = exploreOf("levels-of-episode").data;
  all.forEach((x, t) => expect(logRatios![t]).toBeCloseTo(x, 5));
  expect(lengths).toEqual(turns.map(({ tokens }) => tokens.length));
  expect(offsets(lengths!).at(-1)).toBe(18);
});

it("says of its figures what they show", () => {
  expect(shownIn("levels-of-turn").says).toContain("3 with token ratios, 0 with the product, 4");
  const { says } = shownIn("levels-of-episode");
  expect(says).toContain("of 5: 4 with the product, 5 with the turn mean, 5");
  expect(shownIn("levels-of-episode", { eps: 0.01 }).says).toContain("0 with the episode mean");
  expect(shownIn("levels-of-episode", { joined: 5 }).says).toContain("GSPO");
});

it("has the cuts of the recorded iteration", () => {
  const stepsOf = (algorithm: string) => readSteps(log.updates(algorithm, 100)).steps;
  const cuts = stepsOf("turn-ppo").map(({ cutHigh, cutLow }) =>
    [...cutHigh, ...cutLow].reduce((a, b) => a + b, 0),
  );
  expect(cuts).toEqual([0, 41, 46, 64]);
  const { total, cutShare } = addUp(stepsOf("turn-ppo"));
  expect(total.uses).toBe(4 * 492);
  expect(cutShare.toFixed(2)).toBe("0.10");
  expect(addUp(stepsOf("token-ppo")).cutShare.toFixed(2)).toBe("0.03");
});
