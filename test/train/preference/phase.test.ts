/** Methods on preference pairs as learners of real runs at nano. */
import { describe, expect, test } from "vitest";
import { decodeCheckpoint } from "../../../src/train/checkpoint.ts";
import { Experiment } from "../../../src/train/experiment.ts";
import type { PreferenceSpec } from "../../../src/spec/preference.ts";
import { host, ofType, runAnew, runSpec, runToEnd, tinySpec, wasmEngine } from "../support.ts";
import { some } from "../../every.ts";

const small = { iterations: 3, tasksPerIteration: 4, groupSize: 4, minibatch: 4, epochs: 1 };

function pairSpec(preference: Partial<PreferenceSpec>, changes: object = {}) {
  const pairs = { methods: ["tdpo2"], pairsPerTask: 2, minibatch: 4, lr: 3e-4, ...preference };
  return tinySpec({ algorithms: [], preference: pairs, optimisation: small, ...changes });
}

test("methods take their turns after the algorithms, and the same spec gives the same bits", async () => {
  const spec = pairSpec(
    { methods: ["dpo", "ipo", "tdpo1", "tdpo2"] },
    { algorithms: [{ name: "grpo", set: {} }] },
  );
  const [first, again] = [await runSpec(spec), await runAnew(spec)];
  expect(again.fingerprint).toBe(first.fingerprint);
  const told = ofType(first.events, "iteration");
  expect(told.map(({ algorithm, iteration }) => `${algorithm} ${iteration}`)).toEqual(
    [1, 2, 3].flatMap((n) =>
      ["grpo", "dpo", "ipo", "tdpo1", "tdpo2"].map((name) => `${name} ${n}`),
    ),
  );
  expect(ofType(first.events, "eval")).toHaveLength(5 * 4);
  for (const { metrics } of told)
    expect(Object.values(metrics).every((value) => value !== null)).toBe(true);
  // The first policy is the same, and so are its rollouts: those of a group algorithm.
  const rollouts = told
    .slice(0, 5)
    .map(({ episodes }) => episodes.map(({ task, reward }) => [task, reward]));
  expect(new Set(rollouts.map((episodes) => JSON.stringify(episodes))).size).toBe(1);
});

test("training alone among others changes nothing", async () => {
  const alone = await runSpec(pairSpec({}));
  const among = await runSpec(pairSpec({ methods: ["dpo", "tdpo2"] }));
  const metrics = (events: typeof alone.events) =>
    ofType(events, "iteration")
      .filter(({ algorithm }) => algorithm === "tdpo2")
      .map((event) => event.metrics);
  expect(metrics(among.events)).toEqual(metrics(alone.events));
});

describe.each(["offline", "iterated"] as const)("%s", (rounds) => {
  test("a run saved half-way and opened again ends as if it had never stopped", async () => {
    const spec = pairSpec({ methods: ["dpo", "tdpo2"], rounds, heldOut: 0.3 });
    const whole = await runSpec(spec);
    const first = await Experiment.open(spec, await host());
    const events = [];
    for (let i = 0; i < 4; i++) events.push(...(await first.advance()));
    const saved = await decodeCheckpoint(await first.save());
    first.dispose();
    const second = await Experiment.open(spec, await host(), saved);
    events.push(...(await runToEnd(second)));
    second.dispose();
    expect(events.map(({ chain }) => chain)).toEqual(whole.events.map(({ chain }) => chain));
  });

  test("nothing leaks over iterations", async () => {
    const engine = await wasmEngine();
    // All pairs in one minibatch: offline, every iteration then computes with the same shapes.
    const spec = pairSpec({ rounds, minibatch: 64 }, { optimisation: { ...small, iterations: 4 } });
    await runAnew(spec); // what the engine itself holds from its first run on
    const before = engine.memory();
    const experiment = await Experiment.open(spec, await host());
    const seen = [];
    while (!experiment.finished) {
      await experiment.advance();
      seen.push(engine.memory());
    }
    if (rounds === "offline") expect(seen[4]).toEqual(seen[2]);
    expect(seen[4]!.tensors).toBe(seen[2]!.tensors);
    experiment.dispose();
    expect(engine.memory().tensors).toBe(before.tensors);
  });
});

test("offline: the pairs and the reference stay, rollouts are told of once", async () => {
  const { events } = await runSpec(pairSpec({ collect: 2 }));
  const [first, second, third] = ofType(events, "iteration");
  const played = ({ episodes }: typeof first & {}) =>
    episodes.map(({ task, reward }) => [task, reward]);
  expect(played(second!)).toEqual(played(first!));
  expect(played(third!)).toEqual(played(first!));
  expect(first!.metrics).toHaveProperty("sokoban/success");
  expect(second!.metrics).not.toHaveProperty("sokoban/success");
  expect(second!.metrics["pairs/train"]).toBe(first!.metrics["pairs/train"]);
  // 2 iterations of 4 tasks, 2 pairs of each at most.
  expect(first!.metrics["pairs/train"]).toBeGreaterThan(4);
  expect(first!.metrics["pairs/train"]).toBeLessThanOrEqual(16);
  expect(second!.metrics["kl"]).toBeGreaterThan(first!.metrics["kl"]!);
});

test("iterated against its own first policy: every iteration plays again, and begins there", async () => {
  const oneUpdate = { rounds: "iterated", reference: "round", minibatch: 64 } as const;
  const { events } = await runSpec(pairSpec(oneUpdate));
  const told = ofType(events, "iteration");
  const tasks = told.map(({ episodes }) => episodes.map(({ task }) => task).join());
  expect(new Set(tasks).size).toBe(3);
  for (const { metrics } of told) {
    expect(metrics).toHaveProperty("sokoban/success");
    expect(metrics["loss"]).toBeCloseTo(Math.log(2), 5);
    expect(Math.abs(metrics["kl"]!)).toBeLessThan(1e-5);
  }
});

test("iterated against the run's first policy: the distance to it grows", async () => {
  const { events } = await runSpec(pairSpec({ rounds: "iterated", minibatch: 64, lr: 1e-3 }));
  const [first, second, third] = ofType(events, "iteration").map(({ metrics }) => metrics);
  expect(first!["loss"]).toBeCloseTo(Math.log(2), 5);
  expect(Math.abs(first!["kl"]!)).toBeLessThan(1e-5);
  expect(second!["kl"]).toBeGreaterThan(1e-4);
  expect(third!["kl"]).toBeGreaterThan(1e-4);
  expect(third!).toHaveProperty("sokoban/success");
});

test("records: chosen rollouts are pulled up, rejected ones down, the rest not at all", async () => {
  const { events } = await runSpec(pairSpec({ pairsPerTask: 1, epochs: 2 }));
  const { episodes, metrics } = ofType(events, "iteration")[0]!;
  const pulls = episodes.map(({ turns }) => turns.map(({ advantage }) => advantage));
  for (const turns of pulls) expect(new Set(turns.map(Math.sign)).size).toBe(1);
  const tasks = new Set(episodes.map(({ task }) => task));
  let pairs = 0;
  for (const task of tasks) {
    const own = episodes.flatMap(({ task: name, reward }, i) =>
      name === task ? [{ reward, pull: pulls[i]![0]! }] : [],
    );
    const returns = own.map(({ reward }) => reward);
    const up = own.filter(({ pull }) => pull > 0);
    const down = own.filter(({ pull }) => pull < 0);
    expect(up.length).toBe(down.length);
    for (const { reward, pull } of up) {
      expect(reward).toBe(Math.max(...returns));
      expect(pull).toBeLessThan(0.1); // beta
      pairs++;
    }
    for (const { reward } of down) expect(reward).toBe(Math.min(...returns));
  }
  expect(pairs).toBeGreaterThan(0);
  // Recorded are the first 8 of 16 episodes: 2 of 4 tasks.
  expect(pairs).toBeLessThanOrEqual(metrics["pairs/train"]!);
});

test.each(["turn", "full"])(
  "only sampled tokens count, not what the environment says (context %s)",
  async (context) => {
    const oneUpdate = { methods: ["dpo"], minibatch: 64 };
    const { events } = await runSpec(pairSpec(oneUpdate, { context, recordEpisodes: 16 }));
    const { episodes, metrics } = ofType(events, "iteration")[0]!;
    const sums = episodes.map(({ turns }) => {
      const tokens = turns.flatMap((turn) => turn.tokens);
      const logp = tokens.reduce((sum, { oldLogprob }) => sum + oldLogprob, 0);
      return { logp, pull: tokens[0]!.advantage };
    });
    const average = (sign: number) => {
      const own = sums.filter(({ pull }) => Math.sign(pull) === sign);
      expect(own).toHaveLength(metrics["pairs/train"]!);
      return own.reduce((sum, { logp }) => sum + logp, 0) / own.length;
    };
    expect(metrics["logps/chosen"]).toBeCloseTo(average(1), 3);
    expect(metrics["logps/rejected"]).toBeCloseTo(average(-1), 3);
    // At the reference, every pair pulls with beta / 2.
    for (const { pull } of sums) if (pull !== 0) expect(Math.abs(pull)).toBeCloseTo(0.05, 4);
  },
);

test("without a pair there is no update, and the run goes on", async () => {
  // A policy that stops at once never moves: all returns of a task are equal.
  const mute = { temperature: 0.01, topK: 1, topP: 1, maxTokensPerTurn: 6 };
  const { events } = await runSpec(pairSpec({}, { sampling: mute }));
  const told = ofType(events, "iteration");
  expect(told).toHaveLength(3);
  for (const { metrics } of told) {
    expect(metrics["pairs/train"]).toBe(0);
    expect(metrics).not.toHaveProperty("loss");
  }
  const scores = ofType(events, "eval").map(({ metrics }) => metrics["val-env/sokoban/reward"]);
  expect(new Set(scores).size).toBe(1);
});

test("a learner whose numbers go wrong is marked as crashed and the others go on", async () => {
  const spec = pairSpec({ methods: ["dpo", "tdpo2"] });
  const experiment = await Experiment.open(spec, await host());
  await experiment.advance();
  const { actor } = experiment.learners[1]!;
  const honest = actor.forward.bind(actor);
  actor.forward = async (request) => {
    const result = await honest(request);
    result.kl?.fill(Number.NaN);
    return result;
  };
  const events = await runToEnd(experiment);
  experiment.dispose();
  const crashes = ofType(events, "crash");
  expect(crashes.map(({ algorithm, iteration }) => [algorithm, iteration])).toEqual([["tdpo2", 1]]);
  expect(crashes[0]!.cause).toBe("The model's KL to the reference was NaN.");
  expect(ofType(events, "iteration").map(({ algorithm }) => algorithm)).toEqual([
    "dpo",
    "dpo",
    "dpo",
  ]);
});

describe("learning", () => {
  const optimisation = { ...small, iterations: 4, tasksPerIteration: 16, groupSize: 8 };
  test.each(some(["dpo", "ipo", "tdpo1", "tdpo2"], (name) => name === "dpo" || name === "tdpo2"))(
    "%s: margins rise, and the loss falls on pairs of tasks that were not trained on",
    async (method) => {
      const preference = {
        methods: [method],
        pairsPerTask: 4,
        minibatch: 8,
        lr: 3e-4,
        heldOut: 0.3,
      };
      const evaluation = { levels: 0, every: 1, temperature: 0 };
      const { events } = await runSpec(pairSpec(preference, { optimisation, evaluation }));
      const told = ofType(events, "iteration").map(({ metrics }) => metrics);
      const [first, last] = [told[0]!, told.at(-1)!];
      expect(first["pairs/held_out"]).toBeGreaterThan(8);
      expect(last["rewards/margins"]).toBeGreaterThan(first["rewards/margins"]! + 0.02);
      expect(last["loss"]).toBeLessThan(first["loss"]!);
      // At the reference: log 2, or 1/(2 beta) squared for IPO.
      const before = method === "ipo" ? 25 : Math.log(2);
      expect(last["eval_loss"]).toBeLessThan(before * 0.97);
      expect(last["eval_rewards/accuracies"]).toBeGreaterThan(0.55);
    },
  );
});
