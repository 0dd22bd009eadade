import { expect, test } from "vitest";
import { reduceMetrics } from "../../src/train/reduceMetrics.ts";
import { ofType, runSpec, tinySpec } from "./support.ts";

test("updates are reduced as verl does: largest of maxima, smallest of minima, mean of the rest", () => {
  const updates = [
    { "a/max": 1, a_max: 5, "a/min": 1, "a/mean": 1, "critic/vf_loss": 2 },
    { "a/max": 3, a_max: 4, "a/min": 0, "a/mean": 3 },
  ];
  expect(reduceMetrics(updates)).toEqual({
    ...{ "a/max": 3, a_max: 5, "a/min": 0, "a/mean": 2, "critic/vf_loss": 2 },
  });
  expect(reduceMetrics([{ "a/max": 1 }, { "a/max": Number.NaN }])["a/max"]).toBeNaN();
});

test("metrics are in the environment's rewards, whatever the scale that training works in", async () => {
  const one = { iterations: 1, tasksPerIteration: 2, groupSize: 4, minibatch: 8, epochs: 1 };
  const at = async (rewardScale: number) => {
    const spec = tinySpec({
      algorithms: [{ name: "turn-ppo", set: {} }],
      optimisation: { ...one, rewardScale },
      evaluation: { levels: 0 },
    });
    return ofType((await runSpec(spec)).events, "iteration")[0]!;
  };
  const [whole, tenth] = [await at(1), await at(0.1)];
  for (const name of ["critic/score", "critic/rewards", "critic/returns"])
    for (const part of ["mean", "max", "min"])
      expect(tenth.metrics[`${name}/${part}`]).toBeCloseTo(whole.metrics[`${name}/${part}`]!, 9);
  const error = "critic/turn_td_error/abs_mean";
  expect(tenth.metrics[error]).toBeCloseTo(whole.metrics[error]!, 9);
  // What a panel shows of a turn and what a curve shows of all of them are the same numbers.
  const returns = tenth.episodes.flatMap(({ turns }) => turns.map((turn) => turn.return!));
  expect(Math.max(...returns)).toBeCloseTo(tenth.metrics["critic/returns/max"]!, 9);
});

test("a metric speaks of the updates in which its part learned", async () => {
  const spec = tinySpec({
    algorithms: [{ name: "turn-ppo", set: {} }],
    optimisation: {
      ...{ iterations: 2, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
      actorLrWarmup: 0,
    },
    critic: { warmup: 1, epochs: 3 },
    evaluation: { levels: 0 },
  });
  const [warmup, second] = ofType((await runSpec(spec)).events, "iteration");
  expect(warmup!.metrics["actor/lr"]).toBe(0);
  expect(second!.metrics["actor/lr"]).toBe(spec.optimisation.actorLr);
  expect(second!.metrics["critic/lr"]).toBeCloseTo(spec.critic.lr, 12);
});

test("the actor's rate rises linearly from its first iteration, which follows the critic's warm-up", async () => {
  const rates = async (name: string, actorLrWarmup: number) => {
    const spec = tinySpec({
      algorithms: [{ name, set: {} }],
      optimisation: {
        ...{ iterations: 4, tasksPerIteration: 2, groupSize: 4, minibatch: 8 },
        actorLrWarmup,
      },
      critic: { warmup: 1, epochs: 1 },
      evaluation: { levels: 0 },
    });
    const iterations = ofType((await runSpec(spec)).events, "iteration");
    return iterations.map(({ metrics }) => metrics["actor/lr"]! / spec.optimisation.actorLr);
  };
  expect(await rates("turn-ppo", 2)).toEqual(
    [0, 1 / 3, 2 / 3, 1].map((x) => expect.closeTo(x, 12)),
  );
  expect(await rates("grpo", 2)).toEqual([1 / 3, 2 / 3, 1, 1].map((x) => expect.closeTo(x, 12)));
  expect(await rates("grpo", 0)).toEqual([1, 1, 1, 1]);
});
