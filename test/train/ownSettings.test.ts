import { expect, test } from "vitest";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { Experiment } from "../../src/train/experiment.ts";
import type { Learner } from "../../src/train/learner.ts";
import { host, ofType, runSpec, runToEnd, tinySpec } from "./support.ts";

const algorithms = [
  { name: "grpo", set: {} },
  { name: "turn-ppo", set: {} },
];
const optimisation = { iterations: 2, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 };

/** What was learned, without what says under which spec. */
function learned(events: RunEvent[], method: string) {
  return ofType(events, "iteration")
    .filter(({ algorithm }) => algorithm === method)
    .map(({ metrics, episodes }) => ({
      metrics,
      // The other method's critic is asked too.
      texts: episodes.map(({ turns }) => turns.map(({ text, advantage }) => [text, advantage])),
    }));
}

test("a method's own settings train it as an experiment of those settings would, and no other", async () => {
  const own = {
    optimisation: { actorLr: 3e-3, minibatch: 8, epochs: 2 },
    critic: { lr: 1e-2, epochs: 3, kind: "separate" },
    sampling: { temperature: 0.7 },
  };
  const mixed = tinySpec({
    algorithms: [algorithms[0], { ...algorithms[1], with: own }],
  });
  const plain = tinySpec({ algorithms });
  const all = tinySpec({
    algorithms,
    optimisation: { ...optimisation, ...own.optimisation },
    critic: { warmup: 0, ...own.critic },
    sampling: own.sampling,
  });
  const [inMixed, inPlain, inAll] = await Promise.all([
    runSpec(mixed),
    runSpec(plain),
    runSpec(all),
  ]);
  expect(learned(inMixed.events, "turn-ppo")).toEqual(learned(inAll.events, "turn-ppo"));
  expect(learned(inMixed.events, "grpo")).toEqual(learned(inPlain.events, "grpo"));
  expect(learned(inMixed.events, "turn-ppo")).not.toEqual(learned(inPlain.events, "turn-ppo"));
});

test("grouping all: every method plays the same tasks G times, and whole groups are recorded", async () => {
  const spec = tinySpec({
    algorithms,
    optimisation: { ...optimisation, grouping: "all" },
    recordEpisodes: 3,
  });
  const { events } = await runSpec(spec);
  const [grpo, turnPpo] = ["grpo", "turn-ppo"].map((method) =>
    ofType(events, "iteration").filter(({ algorithm }) => algorithm === method),
  );
  for (const { episodes } of turnPpo!) {
    expect(episodes).toHaveLength(4);
    expect(new Set(episodes.map(({ task }) => task)).size).toBe(1);
  }
  const tasks = (of: typeof grpo) => of!.map(({ episodes }) => episodes.map(({ task }) => task));
  expect(tasks(turnPpo)).toEqual(tasks(grpo));
  // With equal policies also the same episodes.
  const texts = (of: typeof grpo) =>
    of![0]!.episodes.map(({ turns }) => turns.map(({ text }) => text));
  expect(texts(turnPpo)).toEqual(texts(grpo));
});

test("without the new fields a run keeps its fingerprint", async () => {
  const { grouping } = tinySpec().optimisation;
  expect(grouping).toBeUndefined();
  expect(JSON.stringify(tinySpec())).not.toContain("grouping");
  expect(JSON.stringify(tinySpec())).not.toContain('"with"');
});

test("a separate critic of another size starts from chance, and is saved and restored with its shape", async () => {
  const spec = tinySpec({
    algorithms: [algorithms[1]!],
    critic: { kind: "separate", size: "micro", warmup: 0, epochs: 1 },
  });
  const first = await Experiment.open(spec, await host());
  const events = await first.advance();
  while (first.position.iteration < 2) events.push(...(await first.advance()));
  const [learner] = first.learners as Learner[];
  expect(learner!.actor.config.layers).toBe(2);
  expect(learner!.separateCritic!.config.layers).toBe(4);
  const saved = await decodeCheckpoint(await first.save());
  const rest = await runToEnd(first);
  first.dispose();
  const again = await Experiment.open(spec, await host(), saved);
  expect((await runToEnd(again)).map(({ chain }) => chain)).toEqual(rest.map(({ chain }) => chain));
  again.dispose();
  const plain = tinySpec({ algorithms: [algorithms[1]!] });
  expect(JSON.stringify(plain.critic)).not.toContain("size");
});

test("steps of rate 0 leave no gradient behind for the next", async () => {
  const norms = async (epochs: number) => {
    const still = { ...optimisation, minibatch: 8, epochs, actorLr: 0, maxGradNorm: 0 };
    const grpo = algorithms.slice(0, 1);
    const { events } = await runSpec(tinySpec({ algorithms: grpo, optimisation: still }));
    return ofType(events, "iteration").map(({ metrics }) => metrics["actor/grad_norm"]!);
  };
  const [once, twice] = [await norms(1), await norms(2)];
  // The same weights on the same batch: the mean over two steps is that of one.
  twice.forEach((norm, i) => expect(norm).toBeCloseTo(once[i]!, 6));
  expect(Math.max(...once)).toBeGreaterThan(0);
});

test("scores before training are each method's own way of sampling", async () => {
  const greedy = [{ ...algorithms[0]!, with: { sampling: { topK: 1 } } }, algorithms[1]!];
  const first = async (of: object[]) => {
    const changes = { algorithms: of, evaluation: { levels: 8, every: 1, temperature: 1 } };
    const { events } = await runSpec(tinySpec(changes));
    const scores = ofType(events, "eval").filter(({ iteration }) => iteration === 0);
    return scores.map(({ metrics }) => metrics);
  };
  const [mixed, plain] = [await first(greedy), await first(algorithms)];
  expect(mixed[1]).toEqual(plain[1]);
  expect(mixed[0]).not.toEqual(plain[0]);
});
