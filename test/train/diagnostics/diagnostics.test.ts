import { expect, test } from "vitest";
import type { TrajectoryBatch } from "../../../src/method/trajectoryBatch.ts";
import { metricEntry } from "../../../src/spec/metricTable.ts";
import { samplerMismatch } from "../../../src/train/diagnostics/samplerMismatch.ts";
import { rolloutMetrics } from "../../../src/train/rolloutMetrics.ts";
import type { Episode, EpisodeTurn } from "../../../src/rollout/rollout.ts";
import { ofType, runSpec, tinySpec } from "../support.ts";

const one = {
  optimisation: { iterations: 1, tasksPerIteration: 4, groupSize: 2, minibatch: 4, epochs: 1 },
  critic: { warmup: 0, epochs: 1 },
  evaluation: { levels: 0 },
  recordEpisodes: 8,
};

test("an iteration tells its numbers at token, turn and trajectory level, overall and by turn", async () => {
  const { events } = await runSpec(tinySpec(one));
  const [grpo, token, turn] = ofType(events, "iteration").map(({ metrics }) => metrics);
  for (const metrics of [grpo!, token!, turn!]) {
    expect(Object.keys(metrics)).toEqual(
      expect.arrayContaining([
        ...["policy/approxkl_avg", "actor/ppo_kl_k3", "actor/ratio/max", "val/ratio_var"],
        ...["clip_ratio/low_mean", "clip_ratio/high_max", "clip_ratio/region_mean"],
        ...["actor/entropy/1", "actor/turn_clipfrac/1", "turn_len/mean/1", "reward_std"],
        ...["prompt_length/mean", "episode/valid_action_ratio", "sokoban/action_is_effective"],
        ...["training/rollout_probs_diff_std", "rollout_corr/rollout_is_eff_sample_size"],
        ...["collapse_first_turn_sample/mi_seq_estimate", "rollout/top_first_response"],
      ]),
    );
    expect(Object.values(metrics)).not.toContain(null);
    const unknown = Object.keys(metrics).filter((name) => metricEntry(name) === undefined);
    expect(unknown).toEqual([]);
  }
  expect(grpo!["sokoban/pass@2"]).toBeGreaterThanOrEqual(grpo!["sokoban/success"]!);
  expect(grpo!["rollout/in_group_max"]).toBeGreaterThanOrEqual(grpo!["critic/score/mean"]!);
  expect(token).not.toHaveProperty("rollout/in_group_reward_std");
  expect(token).toHaveProperty("critic/turn_vf_explained_var/1");
});

test("of an unmoved policy nothing is clipped and every measure of its movement is 0", async () => {
  const optimisation = { ...one.optimisation, minibatch: 8 };
  const { events } = await runSpec(tinySpec({ ...one, optimisation }));
  for (const { metrics } of ofType(events, "iteration")) {
    expect(metrics["clip_ratio/region_mean"]).toBe(0);
    expect(metrics["actor/ppo_kl_k3"]!).toBeCloseTo(0, 9);
    expect(metrics["actor/ratio/max"]!).toBeCloseTo(1, 5);
    expect(metrics["rollout_corr/rollout_is_eff_sample_size"]!).toBeCloseTo(1, 6);
    expect(metrics["training/rollout_probs_diff_max"]!).toBeLessThan(1e-4);
  }
});

test("where the critic goes on for more epochs, what is told of the actor is of its own updates", async () => {
  const tell = async (epochs: number) => {
    const critic = { kind: "separate", warmup: 0, epochs };
    const spec = tinySpec({ ...one, critic, algorithms: [{ name: "turn-ppo", set: {} }] });
    return ofType((await runSpec(spec)).events, "iteration")[0]!.metrics;
  };
  const [once, more] = [await tell(1), await tell(3)];
  for (const name of Object.keys(once).filter((name) => !name.startsWith("critic/")))
    expect(more[name], name).toBe(once[name]);
});

test("cross-scoring: the warm-started policy reads its board; responses score as in the rollout itself", async () => {
  const spec = tinySpec({ ...one, algorithms: [{ name: "turn-ppo", set: {} }] });
  const [event] = ofType((await runSpec(spec)).events, "iteration");
  const { metrics, episodes } = event!;
  const of = (name: string) => metrics[`collapse_first_turn_sample/${name}`]!;
  expect(of("mi_upper_bound")).toBeCloseTo(Math.log(8), 12);
  expect(of("mi_seq_estimate")).toBeGreaterThan(0.1);
  expect(of("mi_seq_estimate")).toBeLessThan(of("mi_upper_bound"));
  // The diagonal of the table is what training itself made of these responses.
  const whole = episodes.map(({ turns }) =>
    turns[0]!.tokens.reduce((sum, { oldLogprob }) => sum + oldLogprob, 0),
  );
  const matched = whole.reduce((sum, x) => sum + x, 0) / whole.length;
  expect(of("conditional_entropy_seq_est")).toBeCloseTo(-matched, 4);
});

test("cross-scoring changes nothing of what is learned, and keeps to its rhythm", async () => {
  const base = { ...one, optimisation: { ...one.optimisation, iterations: 4 } };
  const tell = async (crossScoreEvery: number) => {
    const { events } = await runSpec(tinySpec({ ...base, doctor: { crossScoreEvery } }));
    return ofType(events, "iteration");
  };
  const [without, every3] = [await tell(0), await tell(3)];
  const scored = (list: typeof without) =>
    list.filter(({ metrics }) => "collapse_first_turn_sample/mi_estimate" in metrics);
  expect(scored(without)).toEqual([]);
  expect(scored(every3).map(({ iteration }) => iteration)).toEqual([1, 1, 1, 3, 3, 3]);
  every3.forEach(({ metrics, episodes }, i) => {
    expect(episodes).toEqual(without[i]!.episodes);
    expect(metrics).toMatchObject(without[i]!.metrics);
  });
});

function batchOf(oldLogprob: number[], turnStart: number[], tokenStart: number[]): TrajectoryBatch {
  const B = turnStart.length - 1;
  return {
    task: Array<string>(B).fill("a"),
    terminated: Array<boolean>(B).fill(true),
    bootstrapValue: new Float64Array(B),
    turnStart: Int32Array.from(turnStart),
    tokenStart: Int32Array.from(tokenStart),
    turnReward: new Float64Array(tokenStart.length - 1),
    oldLogprob: Float64Array.from(oldLogprob),
  };
}

test("sampler mismatch by hand: probabilities .5 and .25 where training says .4 and .25", () => {
  const old = [Math.log(0.4), Math.log(0.25)];
  const sampled = Float64Array.from([Math.log(0.5), Math.log(0.25)]);
  const metrics = samplerMismatch(batchOf(old, [0, 1], [0, 2]), sampled);
  expect(metrics["training/rollout_probs_diff_mean"]).toBeCloseTo(0.05, 12);
  expect(metrics["training/rollout_probs_diff_max"]).toBeCloseTo(0.1, 12);
  expect(metrics["training/rollout_probs_diff_std"]).toBeCloseTo(0.1 / Math.SQRT2, 12);
  expect(metrics["rollout_corr/kl"]).toBeCloseTo(Math.log(1.25) / 2, 12);
  expect(metrics["rollout_corr/k3_kl"]).toBeCloseTo((0.8 - 1 - Math.log(0.8)) / 2, 12);
  expect(metrics["rollout_corr/ppl_ratio"]).toBeCloseTo(Math.sqrt(1.25), 12);
  expect(metrics["rollout_corr/rollout_is_mean"]).toBeCloseTo(0.9, 12);
  expect(metrics["rollout_corr/rollout_is_eff_sample_size"]).toBeCloseTo(0.81 / 0.82, 12);
});

function turn(ids: number[], reward: number, observation: string): EpisodeTurn {
  return {
    observation,
    queryIds: [1, 2],
    responseIds: ids,
    sampledLogprob: ids.map(() => -1),
    text: ids.join(),
    actions: [],
    reward,
    formatPenalty: 0,
    valid: ids.length < 3,
    marks: {},
  };
}

test("of episodes by hand: groups, lengths by turn, effects and the commonest first response", () => {
  const episode = (task: string, turns: EpisodeTurn[], success: boolean): Episode => ({
    trajectory: 0,
    task: { name: task, seed: 0 },
    turns,
    terminated: true,
    truncated: false,
    success,
    finalObservation: "end",
    finalQueryIds: [],
  });
  const episodes = [
    episode("a", [turn([5, 6], 1, "x"), turn([5], 0, "x")], true),
    episode("a", [turn([5, 6], 0, "end")], false),
    episode("b", [turn([7, 7, 7], 2, "x")], false),
    episode("b", [turn([7, 7, 7], 2, "x")], false),
  ];
  const metrics = rolloutMetrics("sokoban", episodes, { maxTokensPerTurn: 3, stopIds: null });
  expect(metrics).toMatchObject({
    ...{ "rollout/in_group_max": 1.5, frac_reward_zero_std: 0.5, "sokoban/pass@2": 0.5 },
    ...{ "turn_len/mean/1": 2.5, "turn_len/mean/2": 1, "response_length/mean": 2.2 },
    ...{ "response_length/clip_ratio": 0.4, "rollout/top_first_response": 0.5 },
    ...{ "episode/valid_action_ratio": 0.6, "sokoban/action_is_effective": 0.6 },
  });
  expect(metrics["completions/mean_terminated_length"]).toBeCloseTo(5 / 3, 12);
  expect(metrics).not.toHaveProperty("completions/clipped_ratio");
  // Since revision 2 a response is cut off where it has no end: 5 and 7 end one here, 6 does not.
  const ends = { maxTokensPerTurn: 3, stopIds: [5, 7] };
  expect(rolloutMetrics("sokoban", episodes, ends)).toMatchObject({
    ...{ "response_length/clip_ratio": 0.4, "completions/clipped_ratio": 0.4 },
    "completions/mean_terminated_length": 7 / 3,
  });
  expect(metrics["reward_std"]).toBeCloseTo(Math.sqrt((0.0625 + 1.5625 + 2 * 0.5625) / 3), 12);
});
