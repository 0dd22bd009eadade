/** Numbers that follow from imported episodes, against their definitions over the whole batch. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bareEpisode, bareTurn } from "../../src/interchange/import/foreign.ts";
import type { ForeignToken } from "../../src/interchange/import/foreign.ts";
import { EpisodeMeasures } from "../../src/interchange/import/measures.ts";
import { tokenTurn } from "../../src/interchange/import/tokens.ts";
import { explainedVariance, max, mean, std } from "../../src/numeric/statistics.ts";
import { samplerMismatch } from "../../src/train/diagnostics/samplerMismatch.ts";
import { logOf } from "../../src/reading/log/recording.ts";
import { readImport } from "../../src/reading/log/readImport.ts";
import { metricEntry } from "../../src/spec/metricTable.ts";
import { turnbook } from "../cli/cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-measures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rewards = { a: [1, 0, 0.5, 2], b: [3, 3, 3], c: [4], d: [1, null] };
const rollouts = Object.entries(rewards).flatMap(([task, all]) =>
  (all as (number | null)[]).map((reward) => ({ task, reward })),
);

const measured = (episodes: Parameters<EpisodeMeasures["add"]>[0][]) => {
  const measures = new EpisodeMeasures();
  for (const episode of episodes) measures.add(episode);
  return measures.metrics();
};

const wave = (i: number) => Math.sin(i * 12.9898);
const token = (i: number): ForeignToken => ({
  ...{ id: i, text: `#${i}`, advantage: null, clipped: i % 3 === 0, entropy: 1 + wave(i) / 2 },
  ...{ oldLogprob: -1 + wave(i) / 3, logprob: -1 + wave(i + 0.2) / 3 },
  ...{ rolloutLogprob: -1 + wave(i + 0.1) / 3, value: wave(i), return: wave(i) + wave(i + 1) / 2 },
});

describe("an iteration's numbers", () => {
  it("of rewards alone are those of groups and of the first responses", () => {
    const said = measured(
      rollouts.map(({ task, reward }, i) =>
        bareEpisode(task, reward, [bareTurn("q", i % 2 === 0 ? "same" : `own ${i}`)]),
      ),
    );
    const known = rollouts.flatMap(({ reward }) => reward ?? []);
    expect(Object.keys(said).sort()).toEqual([
      ...["frac_reward_zero_std", "reward_std", "rollout/in_group_max"],
      ...["rollout/in_group_reward_std", "rollout/top_first_response"],
    ]);
    expect(said["reward_std"]).toBeCloseTo(std(known), 12);
    // A task that was played once, and one with an unknown reward, are no groups.
    expect(said["rollout/in_group_reward_std"]).toBeCloseTo(std(rewards.a) / 2, 12);
    expect([said["frac_reward_zero_std"], said["rollout/in_group_max"]]).toEqual([0.5, 2.5]);
    expect(said["rollout/top_first_response"]).toBe(0.5);
  });

  it("of tokens follow their definitions, and stand in the table of metrics", () => {
    const tokens = Array.from({ length: 24 }, (_, i) => token(i));
    const turns = [0, 4, 10].map((from, h) =>
      tokenTurn("q", "", tokens.slice(from, [4, 10, 24][h])),
    );
    const said = measured(turns.map((turn, i) => bareEpisode("a", i, [turn])));
    const d = tokens.map(({ logprob, oldLogprob }) => logprob! - oldLogprob!);
    const off = tokens.map((one) =>
      Math.abs(Math.exp(one.rolloutLogprob!) - Math.exp(one.oldLogprob!)),
    );
    const expected = {
      "response_length/mean": 8,
      "actor/entropy": mean(tokens.map(({ entropy }) => entropy!)),
      "actor/pg_clipfrac": 1 / 3,
      "actor/ppo_kl": -mean(d),
      "policy/approxkl_avg": mean(d.map((x) => (x * x) / 2)),
      "actor/ppo_kl_k3": mean(d.map((x) => Math.exp(x) - 1 - x)),
      "training/rollout_probs_diff_mean": mean(off),
      "training/rollout_probs_diff_max": max(off),
      ...Object.fromEntries(
        Object.entries(
          samplerMismatch(
            {
              turnStart: Int32Array.of(0, 1, 2, 3),
              tokenStart: Int32Array.of(0, 4, 10, 24),
              oldLogprob: Float64Array.from(tokens, (one) => one.oldLogprob!),
            },
            Float64Array.from(tokens, (one) => one.rolloutLogprob!),
          ),
        ).filter(([name]) => name.startsWith("rollout_corr/")),
      ),
      "critic/vf_explained_var": explainedVariance(
        tokens.map((one) => one.return!),
        tokens.map(({ value }) => value!),
      ),
      "rollout/top_first_response": 1 / 3,
    };
    for (const [name, value] of Object.entries(expected)) {
      expect([name, said[name]]).toEqual([name, expect.closeTo(value, 10)]);
      expect([name, metricEntry(name)]).toEqual([name, expect.anything()]);
    }
  });

  it("are absent where the files do not say what they need", () => {
    expect(measured([bareEpisode("a", 1, [bareTurn("q", "")])])).toEqual({});
    expect(measured([1, 2].map((x) => bareEpisode(`${x}`, null, [bareTurn("q", "")])))).toEqual({});
  });
});

describe("clips that files do not say", () => {
  const text = (x: readonly number[]) =>
    Buffer.from(Float32Array.from(x).buffer).toString("base64");
  const old = [-1, -1, -1, -1, -1, -1];
  const next = [-0.7, -1.3, -1, -0.95, -1.1, -0.7];
  const clipfrac = async (estimator: string, more: object, advantage: readonly number[]) => {
    const settings = { estimator, gamma: 1, lambda: 1, ...more };
    const lines = [
      { format: "turnbook-rollouts/1", framework: "mine", settings },
      {
        ...{ step: 1, group: "a", reward: 1, turns: [{ n: 2 }, { n: 4 }] },
        ...{ oldLogprob: text(old), newLogprob: text(next), advantage: text(advantage) },
      },
    ];
    const bytes = new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join("\n"));
    const { index, bytes: read } = await readImport([{ name: "run.jsonl", bytes }]);
    const log = logOf(read, index.events);
    return log.series(log.algorithms[0]!, "actor/pg_clipfrac").y;
  };
  const range = { epsLow: 0.2, epsHigh: 0.28 };

  it("follow from log-probs, advantages and the range, by the ratio that is clipped", async () => {
    // exp(0.3) is above 1.28, exp(-0.3) below 0.8; by turns: exp(0), exp(0.25).
    expect(await clipfrac("grpo", range, [1, -1, 1, 1, 1, 1])).toEqual([3 / 6]);
    expect(await clipfrac("grpo", range, [-1, 1, 1, 1, 1, -1])).toEqual([0]);
    const turns = [1, 1, 1, 1, 1, 1];
    expect(await clipfrac("turn-ppo", range, turns)).toEqual([4 / 6]);
    expect(await clipfrac("turn-ppo", { epsLow: 0.2, epsHigh: 0.3 }, turns)).toEqual([0]);
  });

  it("are unknown without a range, an advantage or a method", async () => {
    expect(await clipfrac("grpo", {}, [1, -1, 1, 1, 1, 1])).toEqual([]);
    expect(await clipfrac("grpo", range, [NaN, NaN, 1, 1, 1, 1])).toEqual([]);
    expect(await clipfrac("mine", range, [1, -1, 1, 1, 1, 1])).toEqual([]);
  });
});

it("doctor judges verl's rollouts by them", async () => {
  const row = (step: number, task: number, score: number) =>
    JSON.stringify({
      input: `user\n${task}\nassistant\n`,
      output: `${task} ${score}`,
      score,
      step,
    });
  const lines = [1, 2, 3, 4].flatMap((step) =>
    [1, 2].flatMap((task) => [0, 1].map((k) => row(step, task, step === 1 ? k : 0))),
  );
  writeFileSync(join(folder, "verl.jsonl"), lines.join("\n"));
  const { json } = await turnbook("doctor", "--from", join(folder, "verl.jsonl"));
  const { checks, findings } = json[0] as unknown as {
    checks: object;
    findings: { detector: string; evidence: { metric: string }[] }[];
  };
  expect(checks).toEqual({ made: 3, of: 9 });
  expect(findings.map(({ detector }) => detector)).toEqual(["zero-variance"]);
  expect(findings[0]!.evidence[0]!.metric).toBe("frac_reward_zero_std");
});
