import { describe, expect, test } from "vitest";
import type { IterationEvent, TurnRecord } from "../../../src/record/runEvent.ts";
import type { PartialSpec } from "../../../src/spec/experiment.ts";
import { parseBoard } from "../../../src/env/sokoban/board.ts";
import { decodeCheckpoint } from "../../../src/train/checkpoint.ts";
import { Experiment } from "../../../src/train/experiment.ts";
import { measure, playIteration } from "../../../src/train/iterate.ts";
import type { Learner } from "../../../src/train/learner.ts";
import { prepareModel } from "../../../src/train/warmStart.ts";
import { host, ofType, runSpec, runToEnd, tinySpec } from "../support.ts";
import { sokobanPotential } from "../../../src/env/sokoban/solver.ts";

const oneIteration = { iterations: 1, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 };

async function iterations(changes: PartialSpec): Promise<IterationEvent[]> {
  const base = { optimisation: oneIteration, evaluation: { levels: 0 } };
  return ofType((await runSpec(tinySpec({ ...base, ...changes }))).events, "iteration");
}

const rows = (...names: string[]) => names.map((name) => ({ name, set: {} }));

/** Phi as nano's limits make it: ten moves. */
const phi = sokobanPotential(10);
const phiOf = ({ observation }: TurnRecord) => phi(parseBoard(observation));

function discounted(turns: TurnRecord[], gamma: number): number {
  return turns.reduceRight((sum, { processReward }) => processReward! + gamma * sum, 0);
}

test("shaping sums to -eta Phi of the start, and what is reported stays the environment's", async () => {
  const algorithms = rows("grpo", "turn-ppo");
  const plain = await iterations({ algorithms });
  const shaped = await iterations({ algorithms, processReward: { eta: 0.25 } });
  for (const [i, gamma] of [1, 0.99].entries()) {
    const { episodes, metrics } = shaped[i]!;
    for (const { turns } of episodes) {
      expect(discounted(turns, gamma)).toBeCloseTo(-0.25 * phiOf(turns[0]!), 9);
    }
    expect(metrics["process/correlation"]).toBeCloseTo(1, 12);
    expect(metrics["critic/score/mean"]).toBe(plain[i]!.metrics["critic/score/mean"]);
    expect(metrics["critic/rewards/mean"]).not.toBe(plain[i]!.metrics["critic/rewards/mean"]);
    const seen = (event: IterationEvent) =>
      event.episodes.map(({ reward, turns }) => [reward, ...turns.map((turn) => turn.reward)]);
    expect(seen(shaped[i]!)).toEqual(seen(plain[i]!));
  }
  expect(plain.every(({ episodes }) => !("processReward" in episodes[0]!.turns[0]!))).toBe(true);
});

test("scores of whole trajectories in a group do not see shaping at all; raw sums they do", async () => {
  const advantages = async (processReward?: object) => {
    const [grpo] = await iterations({ algorithms: rows("grpo"), processReward });
    return grpo!.episodes.map(({ turns }) => turns[0]!.advantage);
  };
  const plain = await advantages();
  expect(new Set(plain).size).toBeGreaterThan(1);
  (await advantages({})).forEach((A, b) => expect(A).toBeCloseTo(plain[b]!, 6));
  expect(await advantages({ shaping: "raw" })).not.toEqual(plain);
});

test("a noisy potential is another potential: one number for one state", async () => {
  const [grpo] = await iterations({
    algorithms: rows("grpo"),
    processReward: { eta: 1, noise: { sigma: 2 } },
  });
  expect(grpo!.metrics["process/correlation"]).toBeGreaterThan(0);
  expect(grpo!.metrics["process/correlation"]).toBeLessThan(0.99);
  const sums = new Map<string, number[]>();
  for (const { task, turns } of grpo!.episodes)
    sums.set(task, [...(sums.get(task) ?? []), discounted(turns, 1)]);
  expect(sums.size).toBe(2);
  for (const [first, ...others] of sums.values()) {
    expect(others).toHaveLength(3);
    for (const other of others) expect(other).toBeCloseTo(first!, 9);
  }
});

test("a discount per token is followed token by token", async () => {
  const gamma = 0.9;
  const algorithms = [{ name: "token-ppo", set: { gamma } }];
  const [event] = await iterations({ algorithms, processReward: { eta: 1 } });
  for (const { turns, terminated } of event!.episodes) {
    turns.forEach((turn, h) => {
      const next = turns[h + 1];
      const after = next ? phiOf(next) : 0;
      // n - 1 tokens at Phi(s_h), then one that leaves it; the turn's record adds them up.
      const n = turn.tokens.length;
      const kept = (n - 1) * (gamma * phiOf(turn) - phiOf(turn));
      expect(turn.processReward).toBeCloseTo(kept + gamma * after - phiOf(turn), 9);
    });
    expect(typeof terminated).toBe("boolean");
  }
});

test("raw: a turn that comes nearer is paid eta, any other nothing; all labels flipped, the other way round", async () => {
  const spec = { algorithms: rows("turn-ppo") };
  const [right] = await iterations({ ...spec, processReward: { shaping: "raw", eta: 2 } });
  const [wrong] = await iterations({
    ...spec,
    processReward: { shaping: "raw", eta: 2, noise: { flip: 1 } },
  });
  expect(right!.metrics["process/correlation"]).toBeCloseTo(1, 12);
  expect(wrong!.metrics["process/correlation"]).toBeCloseTo(-1, 12);
  right!.episodes.forEach(({ turns, finalObservation }, b) => {
    const states = [...turns.map(phiOf), phi(parseBoard(finalObservation))];
    turns.forEach(({ processReward }, h) => {
      expect(processReward).toBe(states[h + 1]! > states[h]! ? 2 : 0);
      expect(wrong!.episodes[b]!.turns[h]!.processReward).toBe(2 - processReward!);
    });
  });
});

test("noise on scores is the run's own, the same again and another with another seed", async () => {
  const paid = async (seed: number) => {
    const processReward = { shaping: "raw", noise: { sigma: 1 } };
    const [event] = await iterations({ algorithms: rows("turn-ppo"), processReward, seed });
    return event!.episodes.flatMap(({ turns }) => turns.map((turn) => turn.processReward!));
  };
  const first = await paid(1);
  expect(await paid(1)).toEqual(first);
  expect(await paid(2)).not.toEqual(first);
  expect(first.every((x) => x !== 0 && x !== 0.5)).toBe(true);
});

describe("the learned judge", () => {
  const learned = { provider: "learned", shaping: "raw", learned: { labelled: 0.5, epochs: 1 } };
  const spec = tinySpec({ algorithms: rows("turn-ppo", "grpo"), processReward: learned });

  test("tells how it does on turns whose labels it never saw, and pays its probability", async () => {
    const { events } = await runSpec(spec);
    for (const { metrics, episodes } of ofType(events, "iteration")) {
      expect(metrics["process/accuracy"]).toBeGreaterThanOrEqual(0);
      expect(metrics["process/accuracy"]).toBeLessThanOrEqual(1);
      expect(metrics["process/majority"]).toBeGreaterThanOrEqual(0.5);
      expect(metrics["process/judge_loss"]).toBeGreaterThan(0);
      const paid = episodes.flatMap(({ turns }) => turns.map((turn) => turn.processReward!));
      expect(paid.every((p) => p > 0 && p < 0.5)).toBe(true);
      expect(new Set(paid).size).toBeGreaterThan(paid.length / 2);
    }
  });

  test("is not trained by who only looks: asked twice it says the same", async () => {
    const run = await Experiment.open(spec, await host());
    const learner = run.learners[0] as Learner;
    const { family } = await prepareModel(spec, await host(), false);
    const context = { spec, family, clock: () => 0, looks: true };
    const episodes = await playIteration(context, learner, 1);
    const paid = async () => (await measure(context, learner, episodes, 1)).process!;
    const [first, again] = [await paid(), await paid()];
    expect(again.added).toEqual(first.added);
    expect(Object.keys(first.metrics)).not.toContain("process/judge_loss");
    const trained = (await measure({ ...context, looks: false }, learner, episodes, 1)).process!;
    expect(trained.metrics["process/judge_loss"]).toBeGreaterThan(0);
    expect(trained.added).not.toEqual(first.added);
  });

  test("is saved with a checkpoint: a resumed run ends as if it had never stopped", async () => {
    const whole = await runSpec(spec);
    const first = await Experiment.open(spec, await host());
    for (let i = 0; i < 3; i++) await first.advance();
    const saved = await decodeCheckpoint(await first.save());
    first.dispose();
    expect(Object.keys(saved.steps)).toContain("turn-ppo:judge");
    const second = await Experiment.open(spec, await host(), saved);
    await runToEnd(second);
    second.dispose();
    expect(second.fingerprint).toBe(whole.fingerprint);
  });
});

test("the shop's turns are judged by the reward's own terms", async () => {
  const [event] = await iterations({
    preset: "webshop-class",
    algorithms: rows("grpo"),
    model: { preset: "nano", warmStart: "checkpoint" },
    processReward: { eta: 1 },
  });
  for (const { turns } of event!.episodes) expect(discounted(turns, 1)).toBeCloseTo(0, 9);
  const paid = event!.episodes.flatMap(({ turns }) => turns.map((turn) => turn.processReward!));
  expect(paid.some((x) => x > 0)).toBe(true);
  expect(paid.every((x) => x >= -1 && x <= 1)).toBe(true);
});
