/** Every row of the table of algorithms trains: real episodes, real updates, finite numbers. */
import { describe, expect, test } from "vitest";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { binAt } from "../../src/algorithm/ratioHistogram.ts";
import { metricEntry } from "../../src/spec/metricTable.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { host, ofType, runSpec, runToEnd, tinySpec } from "./support.ts";
import { some } from "../every.ts";

const EPOCHS = { iterations: 2, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 2 };

function rowSpec(name: string, set: object = {}, changes: object = {}) {
  return tinySpec({
    algorithms: [{ name, set }],
    optimisation: { ...EPOCHS, actorLr: 0.003, actorLrWarmup: 0 },
    evaluation: { levels: 0 },
    ...changes,
  });
}

/** One of each kind. `landed.test.ts` trains each row for an iteration, with its fingerprint. */
const KINDS = [
  "remax",
  "grpo",
  "dapo",
  "gspo",
  "gmpo",
  "token-ppo",
  "starpo-s",
  "bi-level-gae",
  "hgpo",
  "sapo",
  "clip-cov",
  "dppo-kl",
  "dro",
  "sampo",
  "vapo",
  "so-grpo",
  "otb",
  "gdpo",
  "passk-analytic",
  "tis",
  "mis",
  "salt",
  "token-mis",
];

describe("two iterations", () => {
  test.each(some(algorithmNames, (name) => KINDS.includes(name)))("of %s", async (name) => {
    const { events } = await runSpec(rowSpec(name));
    expect(ofType(events, "crash")).toEqual([]);
    const iterations = ofType(events, "iteration");
    expect(iterations).toHaveLength(2);
    for (const { metrics, episodes } of iterations) {
      expect(Object.entries(metrics).filter(([, value]) => value === null)).toEqual([]);
      expect(Object.keys(metrics).filter((metric) => !metricEntry(metric))).toEqual([]);
      expect(metrics["rollout/filter_zero_count"] !== undefined).toBe(filtered(name));
      const { critic } = resolveAlgorithm(name);
      expect(metrics["critic/vf_loss"] !== undefined).toBe(critic !== "none");
      const turns = episodes.flatMap((episode) => episode.turns);
      expect(turns.every(({ advantage }) => Number.isFinite(advantage))).toBe(true);
      expect(turns.every((turn) => (turn.return !== null) === (critic !== "none"))).toBe(true);
    }
    expect(iterations[1]!.metrics["actor/grad_norm"]! > 0 || filtered(name)).toBe(true);
  });
});

test("what methods outside the table tell has a meaning too", async () => {
  const { events } = await runSpec(
    tinySpec({
      algorithms: [],
      preference: { methods: ["dpo", "tdpo2"], pairsPerTask: 2, minibatch: 4 },
      iterative: { rounds: 2, q: { epochs: 1 } },
      processReward: { provider: "exact", eta: 0.5, shaping: "potential" },
      optimisation: EPOCHS,
      evaluation: { levels: 0 },
    }),
  );
  expect(new Set(ofType(events, "iteration").map(({ algorithm }) => algorithm)).size).toBe(3);
  for (const { metrics } of ofType(events, "iteration"))
    expect(Object.keys(metrics).filter((metric) => !metricEntry(metric))).toEqual([]);
});

/** With two groups only, a filter may leave nothing. */
function filtered(name: string): boolean {
  return resolveAlgorithm(name).filter !== "none";
}

test("gains come from the right answer in the shop, and from moves left on a board", async () => {
  const shop = rowSpec("a2tgpo", {}, { preset: "webshop-class" });
  const { events } = await runSpec({ ...shop, recordEpisodes: 8 });
  for (const { metrics } of ofType(events, "iteration")) {
    // The page of the right product, once open, is worth 1; leaving it costs that.
    expect(metrics["webshop/answer_gain/max"]).toBeGreaterThan(0);
    expect(metrics["webshop/answer_gain/max"]).toBeLessThanOrEqual(1);
    expect(metrics["webshop/answer_gain/min"]).toBeGreaterThanOrEqual(-1);
  }
  const board = await runSpec(rowSpec("a2tgpo"));
  for (const { metrics } of ofType(board.events, "iteration")) {
    // Two moves a turn bring the solution at most two moves nearer.
    expect(metrics["sokoban/potential_gain/max"]).toBeLessThanOrEqual(2);
    expect(Number.isInteger(metrics["sokoban/potential_gain/max"])).toBe(true);
  }
});

describe("the clipping-bias correction", () => {
  const readings = Object.keys(wordAxes.clipBias.values).filter((name) => name !== "none");
  const scopes = Object.keys(wordAxes.clipBiasScope.values);
  const all = readings.flatMap((clipBias) => scopes.map((scope) => [clipBias, scope] as const));
  // Each reading and each scope once.
  test.each(
    some(all, ([reading, scope]) => {
      return readings.indexOf(reading) % scopes.length === scopes.indexOf(scope);
    }),
  )("%s over the %s", async (clipBias, clipBiasScope) => {
    const set = { clipBias, clipBiasScope, clipBiasKappa: 0.01, epsLow: 0.001, epsHigh: 0.001 };
    // Long enough that a mean of them is above 1.
    const { events } = await runSpec(rowSpec("st-ppo", set, { environment: { maxTurns: 5 } }));
    const { metrics } = ofType(events, "iteration")[1]!;
    expect(metrics["actor/clip_bias_norm/mean"]).toBeGreaterThan(0);
    const denominator = metrics["actor/clip_bias_denominator/mean"]!;
    expect(denominator).not.toBe(1);
    expect(denominator).toBeGreaterThan(0);
    expect(Object.keys(metrics).filter((metric) => !metricEntry(metric))).toEqual([]);
  });
  test("changes what is learned, and kappa says from when", async () => {
    const set = { epsLow: 0.001, epsHigh: 0.001 };
    const fingerprintOf = async (more: object) =>
      (await runSpec(rowSpec("s-ppo", { ...set, ...more }))).fingerprint;
    const off = await runSpec(rowSpec("s-ppo", { ...set, clipBias: "none" }));
    const large = await runSpec(rowSpec("s-ppo", { ...set, clipBiasKappa: 1e9 }));
    const last = ({ events }: typeof off) => ofType(events, "iteration")[1]!;
    // Divided by 1 the update is the same; the log still tells what was measured.
    expect(last(large).episodes).toEqual(last(off).episodes);
    expect(await fingerprintOf({ clipBiasKappa: 0.01 })).not.toBe(large.fingerprint);
  });
});

test("a filter leaves trajectories out of every update", async () => {
  const { events } = await runSpec(rowSpec("starpo-s", { filterKeep: 0.5 }));
  const [, second] = ofType(events, "iteration");
  // One of the two groups of four is kept: one minibatch of four per epoch.
  expect(second!.updates!.map(({ epoch, minibatch }) => [epoch, minibatch])).toEqual([
    [0, 0],
    [1, 0],
  ]);
});

test("updates tell histograms of the same range, and every turn once per epoch", async () => {
  const { events } = await runSpec(rowSpec("turn-ppo"));
  const { updates, episodes } = ofType(events, "iteration")[1]!;
  expect(updates).toHaveLength(4);
  const total = (x: number[]) => x.reduce((sum, n) => sum + n, 0);
  const turns = episodes.reduce((sum, episode) => sum + episode.turns.length, 0);
  for (const epoch of [0, 1]) {
    const steps = updates!.filter((update) => update.epoch === epoch);
    expect(total(steps.flatMap((step) => step.turns))).toBe(turns);
    expect(total(steps.flatMap((step) => step.turn.counts))).toBe(turns);
  }
  expect(new Set(updates!.map(({ turn }) => turn.limit)).size).toBe(1);
  // The first step is taken by the policy that played: all its ratios are 1, in the bin of 0.
  const first = updates![0]!.turn;
  expect(first.counts[binAt(first, 0)]).toBe(total(first.counts));
});

test("every critic of the run speaks of every recorded turn", async () => {
  const { events } = await runSpec(tinySpec());
  for (const { episodes, algorithm } of ofType(events, "iteration")) {
    for (const turn of episodes.flatMap((episode) => episode.turns)) {
      expect(Object.keys(turn.critics!)).toEqual(["token-ppo", "turn-ppo"]);
      expect(turn.critics!["turn-ppo"]).toHaveLength(1);
      expect(turn.critics!["token-ppo"]).toHaveLength(turn.tokens.length);
      if (algorithm === "turn-ppo")
        expect(turn.critics!["turn-ppo"]![0]).toBeCloseTo(turn.value!, 5);
      if (algorithm === "token-ppo")
        expect(turn.critics!["token-ppo"]![0]).toBeCloseTo(turn.tokens[0]!.value!, 5);
    }
  }
});

test("the weight of KL in the reward follows its target, and a checkpoint keeps it", async () => {
  const spec = rowSpec(
    "starpo",
    { betaKlReward: 0.1, klTarget: 1e-6, klHorizon: 100 },
    { optimisation: { ...EPOCHS, iterations: 3, actorLr: 0.01, actorLrWarmup: 0 } },
  );
  const whole = await runSpec(spec);
  const coefs = ofType(whole.events, "iteration").map(
    ({ metrics }) => metrics["actor/reward_kl_penalty_coeff"]!,
  );
  // The first policy is the reference: no KL, so that the weight falls by a fifth of 8 / 100.
  expect(coefs[0]).toBeCloseTo(0.1, 12);
  expect(coefs[1]).toBeCloseTo(0.1 * (1 - (0.2 * 8) / 100), 12);
  expect(coefs[2]).not.toBe(coefs[1]);
  const first = await Experiment.open(spec, await host());
  for (let i = 0; i < 2; i++) await first.advance();
  const saved = await decodeCheckpoint(await first.save());
  first.dispose();
  const second = await Experiment.open(spec, await host(), saved);
  await runToEnd(second);
  second.dispose();
  expect(second.fingerprint).toBe(whole.fingerprint);
});

test("advantages that are counted in rewards are recorded in the environment's, like values", async () => {
  const { events } = await runSpec(rowSpec("s-ppo"));
  for (const { episodes } of ofType(events, "iteration")) {
    for (const { turns } of episodes) {
      let left = 0;
      for (const { reward, tokens, return: target } of turns.toReversed()) {
        left += reward;
        // With gamma = lambda = 1 and no whitening: what is still to come, minus what was expected.
        for (const { advantage, value } of tokens) expect(advantage + value!).toBeCloseTo(left, 4);
        expect(target).toBeCloseTo(left, 4);
      }
    }
  }
});

test("KL in the reward is paid in the environment's rewards", async () => {
  const { events } = await runSpec(rowSpec("starpo", { betaKlReward: 0.5 }));
  const [, second] = ofType(events, "iteration").map(({ metrics }) => metrics);
  expect(second!["actor/reward_kl_penalty_coeff"]).toBeCloseTo(0.5, 12);
  // critic/rewards is the score minus beta k1, summed over the tokens: its mean tells the mean of these sums.
  const paid = second!["critic/score/mean"]! - second!["critic/rewards/mean"]!;
  const tokensPerEpisode = second!["response_length/mean"]! * second!["num_turns/mean"]!;
  expect(Math.abs(paid)).toBeGreaterThan(0);
  // The mean over trajectories of means over tokens and the mean over all tokens are near each other.
  const ratio = paid / (0.5 * tokensPerEpisode) / second!["actor/reward_kl_penalty"]!;
  expect(ratio).toBeGreaterThan(0.7);
  expect(ratio).toBeLessThan(1.3);
});
