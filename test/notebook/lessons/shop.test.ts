/** The shop's lesson: its numbers are those of the recorded run, of the search that chose its recipe, and of the formulas. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { gae } from "../../../src/method/credit/gae.ts";
import { groupScores } from "../../../src/method/credit/groupScores.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { purchaseFigure } from "../../../src/panels/explore/practiceFigures.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import type { ExperimentSpec } from "../../../src/spec/experiment.ts";
import { toSpec } from "../../../src/spec/presets.ts";
import { bodyOf, expectAnswer, recordedRun } from "../../fixtures/lesson.ts";

const repository = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(repository, path), "utf8");
const linesOf = (path: string) =>
  read(path)
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one) as Record<string, unknown>);

interface Outcome {
  stage: number;
  method: string;
  draw: string;
  mean: number;
  settings: Record<string, string>;
}

let run: RunLog;
/** Of the tent, iteration 30. */
let group: readonly EpisodeRecord[];
let trip: EpisodeRecord;

beforeAll(async () => {
  run = await recordedRun("shop-credit");
  group = run.episodes("turn-ppo", 30).slice(0, 8);
  trip = group[1]!;
});

/** What the critic was trained on: the shop's reward and the pay for progress. [H] */
const paid = ({ turns }: EpisodeRecord) =>
  turns.map(({ reward, processReward = 0 }) => reward + (processReward ?? 0));

/** With the numbers that the algorithm's row has where the spec says none. */
const resolved = (spec: ExperimentSpec) => ({
  ...spec,
  algorithms: spec.algorithms.map(({ name, set, with: own }) => ({
    config: resolveAlgorithm(name, set),
    own,
  })),
});

const heldout = (metric: string) => {
  const { x, y } = run.series("turn-ppo", `val-env/webshop/${metric}`, "heldout");
  return new Map([...x].map((at, i) => [at, y[i]!]));
};

describe("the recording of the shop", () => {
  it("is the recipe of the cell and of its file, and fits the site", () => {
    const spec = toSpec(JSON.parse(read("test/bench/recordings/shop-credit.json")));
    const { spec: shown, remarks } = readExperiment(bodyOf("shop", "shop"));
    expect(remarks).toEqual([]);
    expect(resolved(shown)).toEqual(resolved(spec));
    // A run says which backend it found.
    expect(toSpec({ ...run.start!.spec, engine: spec.engine })).toEqual(spec);
    const folder = join(repository, "public/runs/shop-credit");
    const bytes = readdirSync(folder).reduce(
      (sum, one) => sum + statSync(join(folder, one)).size,
      0,
    );
    expect(bytes).toBeLessThan(3_000_000);
  });

  it("is draw 4 of the search, leader of its stages, with the very same held-out rewards", () => {
    const best = (wanted: number) =>
      (linesOf("test/bench/recipes/webshop-progress.jsonl") as unknown as Outcome[])
        .filter(({ stage, method }) => stage === wanted && method === "turn-ppo")
        .reduce((a, b) => (b.mean > a.mean ? b : a));
    expect([best(2).draw, best(2).mean.toFixed(3)]).toEqual(["draw04", "0.684"]);
    expect([best(3).draw, best(3).mean.toFixed(2)]).toEqual(["draw04", "0.76"]);
    const { settings } = best(2);
    const fair = toSpec({ preset: "webshop-fair" }).algorithms;
    const methods = toSpec(JSON.parse(read("test/bench/recordings/shop-credit.json"))).algorithms;
    expect(methods).toEqual(fair.filter(({ name }) => name !== "grpo"));
    const recorded = methods.find(({ name }) => name === "turn-ppo");
    const { optimisation, critic } = recorded!.with!;
    expect(Number(settings["optimisation.actorLr"])).toBe(optimisation!.actorLr);
    expect(Number(settings["critic.lr"])).toBe(critic!.lr);
    const searched = linesOf("test/bench/recipes/webshop-progress.runs.jsonl").find(
      (one) => one["run"] === "turn-ppo-draw04-seed11" && one["iterations"] === 50,
    ) as { methods: { points: [number, Record<string, number>][] }[] };
    const points = searched.methods[0]!.points.map(
      ([at, metrics]) => [at, metrics["val-env/webshop/reward"]!] as const,
    );
    for (const [at, reward] of points) expect(heldout("reward").get(at)).toBeCloseTo(reward, 6);
  });

  it("has the Turn-PPO of the recording before it, to the last bit", async () => {
    const before = await recordedRun("shop");
    for (const metric of ["critic/score/mean", "actor/entropy", "critic/vf_explained_var"]) {
      const [old, now] = [before, run].map((one) => one.series("turn-ppo", metric, "train"));
      expect(now!.x.length).toBe(50);
      expect([metric, ...now!.y]).toEqual([metric, ...old!.y]);
    }
    for (const iteration of [1, 30, 50]) {
      const [old, now] = [before, run].map((one) => one.episodes("turn-ppo", iteration));
      const turnsOf = (episodes: readonly EpisodeRecord[]) =>
        episodes.map(({ turns }) => turns.map((turn) => [turn.text, turn.value, turn.advantage]));
      expect(turnsOf(now!)).toEqual(turnsOf(old!));
    }
  });

  it("learns first to buy, then to buy the right thing", () => {
    const at = (metric: string) => [0, 20, 50].map((n) => heldout(metric).get(n)!);
    expect(at("reward").map((x) => x.toFixed(3))).toEqual(["0.448", "0.623", "0.667"]);
    expect(at("success").map((x) => (100 * x).toFixed(1))).toEqual(["20.8", "19.6", "28.4"]);
    expect(
      at("success_purchase")
        .map((x) => (100 * x).toFixed(1))
        .slice(0, 2),
    ).toEqual(["61.6", "98.0"]);
  });
});

describe("the trip for a tent", () => {
  it("is the one that the lesson tells of", () => {
    expect(new Set(group.map(({ seed }) => seed))).toEqual(new Set([1409]));
    expect(trip.turns[0]!.observation).toContain(
      "durable, easy setup camping tent with color: blue, and sleeps: six, and price lower than 140",
    );
    expect([trip.reward, trip.turns.length]).toEqual([1, 7]);
    const acted = trip.turns.map(({ actions }) => actions?.length ?? 0);
    expect(acted).toEqual([1, 1, 1, 0, 0, 1, 1]);
    const { observation } = trip.turns[4]!;
    expect(trip.turns[5]!.observation).toBe(observation);
    expect(trip.turns[5]!.text).toBe("click six");
    for (const id of ["trip", "siblings", "credits", "turns"])
      expect(bodyOf("shop", id)).toContain("at: turn-ppo,30,2,");
  });

  it("earns in terms of a fifth", () => {
    const earned = (at: object) =>
      purchaseFigure.show({ attributes: 2, found: 2, options: 2, price: 1, kind: 3, ...at }, {})
        .rows[0]!.values[0]!;
    expect(earned({ chosen: 2 })).toBe(1);
    expect(earned({ chosen: 1 })).toBeCloseTo(0.8, 12);
    expectAnswer("shop", "earns", earned({ chosen: 0 }));
    // The fifth trip: the right product by its Φ of 0.8, no option, no click that was one after that.
    const fifth = group[4]!;
    expect(fifth.reward).toBeCloseTo(0.6, 12);
    expect(fifth.turns[1]!.processReward).toBeCloseTo(0.99 * 0.8 - 0.5, 6);
    const clicked = fifth.turns.slice(2).flatMap(({ actions }) => actions ?? []);
    expect(clicked).toEqual(["click[buy now]"]);
  });

  it("is paid click by click, and nothing for the purchase", () => {
    const pay = paid(trip).map((x) => Number(x.toFixed(3)));
    expect(pay).toEqual([0.495, 0.292, 0.091, -0.009, -0.009, 0.09, 0]);
    expectAnswer("shop", "pay", pay[5]!);
    expectAnswer("shop", "buy", pay[6]!);
  });

  it("has the figure's numbers, and computes with them as the run did", () => {
    const { data, set } = readFields("explore", bodyOf("shop", "backwards")).value!;
    const { rewards = [], values = [] } = data;
    paid(trip).forEach((r, h) => expect(rewards[h]).toBeCloseTo(r, 3));
    trip.turns.forEach(({ value }, h) => expect(values[h]).toBeCloseTo(value!, 3));
    const { delta, adv, ret } = gae({
      reward: Float64Array.from(rewards),
      value: Float64Array.from(values),
      start: Int32Array.of(0, 7),
      bootstrap: Float64Array.of(0),
      gamma: set["gamma"]!,
      lambda: set["lambda"]!,
    });
    trip.turns.forEach((turn, h) => expect(ret[h]).toBeCloseTo(turn.return!, 3));
    expectAnswer("shop", "delta", delta[5]!);
    expect(delta[3]).toBeCloseTo(-0.03, 2);
    expect(adv[3]).toBeCloseTo(0.12, 2);
    // Only the empty clicks are worse than expected.
    expect([...delta].map((x) => x < 0)).toEqual([false, false, false, true, true, false, false]);
  });

  it("gets one credit of GRPO, and seven of Turn-PPO", () => {
    const scores = Float64Array.from(group, ({ reward }) => reward);
    expect([...scores]).toEqual([0.6, 1, 0.6, 0.4, 0.6, 1, 1, 0]);
    expectAnswer("shop", "grpo", groupScores(scores, Array(8).fill("tent"), "sample")[1]!);
    const credits = trip.turns.map(({ advantage }) => advantage!);
    expect(new Set(credits).size).toBe(7);
    expect(credits.every((x) => x > 0)).toBe(true);
    expect(credits.indexOf(Math.min(...credits))).toBe(6);
    const next = credits.indexOf([...credits].sort((a, b) => a - b)[1]!);
    expect([3, 4]).toContain(next);
  });
});
