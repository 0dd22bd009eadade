/**
 * The plugin for verl, run by verl's own trainer (test/interchange/verl/iteration.py): its files are
 * unmodified; ray, rollout servers and worker groups are stand-ins, and so are packages that torch
 * 1.13 on a processor has not. What verl computes is computed again here.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { ragenBundle } from "../../src/interchange/ragen/bundle.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { specAlgorithms } from "../../src/spec/experiment.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { schema } from "./schema.ts";
import { iterations, noTorch, ofVerl, skipped, type Iteration, type Update } from "./verlRun.ts";

/** Of the files at verl-project/verl@1dda039b9c6311889a9c9a26040677e1254814f9. */
const SHA256 = {
  "verl/protocol.py": "b2db8399daaca64d74c40a8246bcf825f08746757485c7a494303f089a06a34f",
  "verl/trainer/ppo/core_algos.py":
    "0ec87b90cba24fa0aa959adff573efb2cc49434d705621cf546be231e56a8932",
  "verl/trainer/ppo/v1/trainer_base.py":
    "db5343d454a84e676eb5a29ca19f4fa225b65c8423ab967349edbf06659ef9ad",
  "verl/workers/utils/losses.py":
    "c6dfeb10900054e96b432633b975f3e3a535d3358a4ad13eeda9f730c5942d4a",
};

/** The batch in this project's form: rewards by turn, the score at the last. */
function batchOf(found: Iteration, update: Update) {
  const trajectories = found.episodes.map(({ lengths, rewards, score }, b) => {
    let at = 0;
    const turns = lengths.map((n, h) => {
      const span = (x: number[][]) => x[b]!.slice(at, at + n);
      const [logprob, old, value] = [span(update.logprob), span(found.old), span(found.values)];
      at += n;
      return {
        reward: rewards[h]! + (h === lengths.length - 1 ? score : 0),
        value: value[0],
        newValue: value[0],
        tokens: logprob.map((x, t) => ({
          logprob: x,
          oldLogprob: old[t],
          value: value[t],
          newValue: value[t],
        })),
      };
    });
    return { task: found.groups[b], turns };
  });
  return decodeBatch({ trajectories });
}

const near = (found: ArrayLike<number>, wanted: ArrayLike<number>, digits: number) => {
  expect(found.length).toBe(wanted.length);
  const off = Array.from(found, (x, i) => Math.abs(x - wanted[i]!));
  expect(Math.max(...off)).toBeLessThan(10 ** -digits);
};

const set = { gamma: 0.97, lambda: 0.9 };
const rows: [string, object][] = [
  ["turn-ppo", {}],
  ["turn-ppo", { ratio: "turn-geomean", aggregation: "traj-turn-mean", whiten: "turns-sample" }],
  ["turn-ppo-vagen", { whiten: "tokens" }],
  ["turn-ppo-gem", {}],
  ["turn-ppo-st", {}],
];

const specs = rows.map(([name, own]) =>
  toSpec({ preset: "nano", algorithms: [{ name, set: { ...set, ...own } }] }),
);

describe.skipIf(noTorch)(`verl's trainer with the plugin${skipped}`, () => {
  let all: Iteration[];
  beforeAll(() => {
    all = iterations(specs.map((spec) => ragenBundle(spec).algorithms[0]!.verlKeys!));
  });
  const first = () => all[0]!;

  it.each(rows)("%s %j: advantages, returns, losses and gradients are Turnbook's", (...row) => {
    const at = rows.findIndex(([name, own]) => name === row[0] && own === row[1]);
    const [found, config] = [all[at]!, specAlgorithms(specs[at]!)[0]!];
    expect(found.updates).toHaveLength(3);
    for (const update of found.updates) {
      const batch = batchOf(found, update);
      const credit = computeCredit(config, batch);
      near(found.advantages.flat(), credit.tokenAdvantage, 12);
      const { loss, dLogprob, valueLoss, dValue, metrics } = computeObjective(
        config,
        batch,
        credit,
      );
      near([update.loss], [loss], 8);
      near(update.grad.flat(), dLogprob, 8);
      // Some ratios must be beyond the clip, and some within.
      if (update === found.updates[2]) {
        expect(metrics["actor/pg_clipfrac"]).toBeGreaterThan(0);
        expect(metrics["actor/pg_clipfrac"]).toBeLessThan(1);
      }
      if (update !== found.updates[0]) continue;
      const ofTurns = credit.turnReturn !== null;
      const starts = batch.tokenStart;
      const read = (x: number[][]) =>
        ofTurns ? Float64Array.from(starts.subarray(0, -1), (t) => x.flat()[t]!) : x.flat();
      const returns = credit.turnReturn ?? credit.tokenReturn!;
      const counts = Array.from(returns, (R) => !Number.isNaN(R));
      const only = (x: ArrayLike<number>) => Array.from(x).filter((_, i) => counts[i]);
      near(only(read(found.returns)), only(returns), 12);
      near([found.critic[0]!.loss], [valueLoss!], 8);
      near(read(found.critic[0]!.grad), dValue!, 8);
      // Nothing else of the critic is taught.
      const all = found.critic[0]!.grad.flat().filter((g) => g !== 0).length;
      expect(all).toBe(Array.from(dValue!).filter((g) => g !== 0).length);
    }
  });

  it("verl before 0.9, RAGEN's calls and rows of single turns give the same", () => {
    const { other, updates, counts } = first();
    for (const way of [other.before, other.ragen, other.split]) expect(way).toBeLessThan(1e-12);
    expect(other.ragenLoss).toBeCloseTo(updates[2]!.loss, 7);
    expect(other.ragenCritic).toEqual([counts.critic[0], counts.actor[0]]);
  });

  it("registers every name that an export has", () => {
    const { values } = schema;
    const named = ["algorithm.adv_estimator", "actor_rollout_ref.actor.policy_loss.loss_mode"];
    const ofPlugin = named.flatMap((key) => values[key]!.filter((name) => /^turn_/.test(name)));
    expect(first().registered).toEqual(ofPlugin.sort());
  });

  it("says what is missing, and what is allowed", () => {
    expect(first().refusals).toEqual([
      "algorithm.turn_rewards is tool_rewards; an episode with 1 turn(s) has 2 of them, where one for each turn is allowed",
      "algorithm.turn_rewards is tool_rewards; an episode with 1 turn(s) has none of them, where one for each turn is allowed",
      "algorithm.adv_estimator is turn_gae/turns, which needs values: set critic.enable=true",
    ]);
  });

  it("is verl's own code, but for what is named", () => {
    const found = first();
    if (ofVerl) expect(found.files).toMatchObject(SHA256);
    expect(found.trainer).toEqual([
      "turnbook_verl",
      "verl.trainer.ppo.v1.trainer_sync",
      "verl.trainer.ppo.v1.trainer_base",
    ]);
    // Neither of these is in Debian's python3-torch 1.13: nothing of them was run.
    expect(found.standIns).toEqual(
      expect.arrayContaining(["ray", "verl.single_controller.ray", "verl.workers.engine_workers"]),
    );
    for (const name of found.standIns.filter((one) => one.startsWith("verl."))) {
      expect(name).toMatch(
        /^verl\.(checkpoint_engine|experimental|models|single_controller\.ray|workers\.(engine|engine_workers|rollout))\b/,
      );
    }
    // The turn critic counts turns, the actor tokens.
    const turns = found.episodes.reduce((sum, { lengths }) => sum + lengths.length, 0);
    expect(found.counts.critic).toEqual([turns]);
    expect(found.counts.actor[0]).toBe(found.old.flat().length);
    expect(found.metrics["training/global_step"]).toBe(1);
  });
});
