import { expect, test } from "vitest";
import type { ForwardRequest } from "../../src/engine/engine.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { nextChain } from "../../src/train/chain.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { host, ofType, runAnew, runSpec, runToEnd, tinySpec } from "./support.ts";
import { some } from "../every.ts";
import { withMethods } from "../engine/webgpu/withMethods.ts";

test("the same spec gives the same fingerprint, another seed another one", async () => {
  const first = await runSpec(tinySpec());
  const again = await runAnew(tinySpec());
  const other = await runSpec(tinySpec({ seed: 2 }));
  expect(first.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(again.fingerprint).toBe(first.fingerprint);
  expect(other.fingerprint).not.toBe(first.fingerprint);
});

test("a run tells its start, its warm start, scores before and after, and every iteration of every algorithm", async () => {
  const { events } = await runSpec(tinySpec());
  expect(events.map(({ type }) => type)).toEqual([
    ...["start", "warmStart", "eval", "eval", "eval"],
    ...Array.from({ length: 6 }, () => ["iteration", "eval"]).flat(),
    "end",
  ]);
  expect(
    ofType(events, "iteration").map(({ algorithm, iteration }) => `${algorithm} ${iteration}`),
  ).toEqual([1, 2].flatMap((n) => [`grpo ${n}`, `token-ppo ${n}`, `turn-ppo ${n}`]));
  for (const { episodes, metrics } of ofType(events, "iteration")) {
    expect(episodes).toHaveLength(8);
    expect(episodes[0]!.turns[0]!.observation.split("\n")).toHaveLength(6);
    expect(Object.values(metrics).every((value) => value !== null)).toBe(true);
  }
});

test("the chain of every event follows from the one before", async () => {
  const { events, fingerprint } = await runSpec(tinySpec());
  let chain = "";
  for (const event of events) {
    chain = nextChain(chain, JSON.parse(JSON.stringify(event)) as object);
    expect(event.chain).toBe(chain);
  }
  expect(fingerprint).toBe(chain);
});

test.each(some(["head-detached", "head-shared", "separate"], (kind) => kind !== "head-shared"))(
  "a run saved half-way and opened again ends as if it had never stopped (critic %s)",
  async (kind) => {
    const spec = tinySpec({ critic: { kind, warmup: 1, epochs: 2 }, context: "turn" });
    const whole = await runSpec(spec);
    const first = await Experiment.open(spec, await host());
    const events = [];
    for (let i = 0; i < 4; i++) events.push(...(await first.advance()));
    const saved = await decodeCheckpoint(await first.save());
    first.dispose();
    const second = await Experiment.open(spec, await host(), saved);
    events.push(...(await runToEnd(second)));
    second.dispose();
    expect(second.fingerprint).toBe(whole.fingerprint);
    expect(events.map(({ chain }) => chain)).toEqual(whole.events.map(({ chain }) => chain));
  },
);

test("ratios of the first minibatch are 1: old log-probs come from the training pass", async () => {
  const oneBatch = { iterations: 1, tasksPerIteration: 2, groupSize: 4, minibatch: 8, epochs: 1 };
  for (const context of ["turn", "full"]) {
    const { events } = await runSpec(tinySpec({ optimisation: oneBatch, context }));
    const iterations = ofType(events, "iteration");
    expect(iterations).toHaveLength(3);
    for (const { metrics } of iterations) {
      expect(Math.abs(metrics["actor/turn_ratio/max"]! - 1)).toBeLessThan(1e-5);
      expect(Math.abs(metrics["actor/turn_ratio/min"]! - 1)).toBeLessThan(1e-5);
      expect(metrics["training/rollout_logprob_diff_max"]!).toBeLessThan(1e-4);
      expect(metrics["actor/grad_norm"]!).toBeGreaterThan(0);
    }
  }
});

test.each(["head-detached", "separate"] as const)(
  "what was measured is not computed again before the first step, to the same bits (critic %s)",
  async (kind) => {
    const spec = tinySpec({ critic: { kind, warmup: 1, epochs: 1 } });
    let passes = 0;
    const fingerprint = async (rowsApart: boolean) => {
      const { engine, ...rest } = await host();
      const createModel = async (...args: Parameters<typeof engine.createModel>) => {
        const model = await engine.createModel(...args);
        const forward = (request: ForwardRequest) => (passes++, model.forward(request));
        return withMethods(model, { rowsApart, forward });
      };
      const asked = { engine: withMethods(engine, { createModel }), ...rest };
      const experiment = await Experiment.open(spec, asked);
      await runToEnd(experiment);
      experiment.dispose();
      return experiment.fingerprint;
    };
    const again = await fingerprint(false);
    const all = passes;
    expect(await fingerprint(true)).toBe(again);
    expect(passes - all).toBeLessThan(all - 5);
  },
);

test("after critic warm-up V differs between boards, and the actor has not moved", async () => {
  const spec = tinySpec({
    algorithms: [{ name: "turn-ppo", set: {} }],
    optimisation: { iterations: 3, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
    critic: { warmup: 2, epochs: 2 },
  });
  const { events } = await runSpec(spec);
  const [first, second, third] = ofType(events, "iteration");
  expect([first!.warmup, second!.warmup, third!.warmup]).toEqual([true, true, false]);
  expect(first!.metrics["actor/turn_ratio/max"]).toBe(1);
  const values = third!.episodes.map(({ turns }) => turns[0]!.value!);
  expect(new Set(values.map((value) => value.toFixed(4))).size).toBeGreaterThan(4);
  // Zero-initialised head: before any update every value is 0.
  expect(first!.episodes.every(({ turns }) => turns.every(({ value }) => value === 0))).toBe(true);
});

test("an algorithm whose numbers go wrong is marked as crashed and the others go on", async () => {
  const spec = tinySpec();
  const experiment = await Experiment.open(spec, await host());
  await experiment.advance();
  const [grpo] = experiment.learners;
  const honest = grpo!.actor.forward.bind(grpo!.actor);
  // The rollout stays sound; the update's numbers do not.
  grpo!.actor.forward = async (request) => {
    const result = await honest(request);
    result.logprob.fill(Number.NaN);
    return result;
  };
  const events = await runToEnd(experiment);
  experiment.dispose();
  const crashes = ofType(events, "crash");
  expect(crashes).toHaveLength(1);
  expect(crashes[0]).toMatchObject({ algorithm: "grpo", iteration: 1 });
  expect(crashes[0]!.cause).toBe("The model's logprob was NaN.");
  const told = ofType(events, "iteration").map(({ algorithm }) => algorithm);
  expect(told).toEqual(["token-ppo", "turn-ppo", "token-ppo", "turn-ppo"]);
});

test("weights that a huge step has blown up crash their algorithm, not the run", async () => {
  const optimisation = {
    iterations: 3,
    tasksPerIteration: 2,
    groupSize: 4,
    minibatch: 4,
    actorLr: 1,
  };
  const spec = tinySpec({ optimisation, algorithms: [{ name: "grpo", set: {} }] });
  const experiment = await Experiment.open(spec, await host());
  await experiment.advance();
  const { actor } = experiment.learners[0]!;
  const weights = await actor.readWeights();
  weights.get("model.norm.weight")!.data.fill(Number.POSITIVE_INFINITY);
  await actor.writeWeights(weights);
  const events = await runToEnd(experiment);
  experiment.dispose();
  expect(events.map(({ type }) => type)).toEqual(["crash", "finding", "end"]);
});

test("nothing leaks: tensors and pool bytes after iteration 5 are those after iteration 2", async () => {
  const optimisation = {
    iterations: 5,
    tasksPerIteration: 2,
    groupSize: 4,
    minibatch: 4,
    epochs: 1,
  };
  const { engine } = await host();
  const experiment = await Experiment.open(tinySpec({ optimisation }), await host());
  const seen = [];
  while (!experiment.finished) {
    await experiment.advance();
    if (experiment.position.next === 0) seen.push(engine.memory());
  }
  experiment.dispose();
  const [, , second, , , fifth] = seen; // the first entry is the warm start's
  expect(fifth).toEqual(second);
});
