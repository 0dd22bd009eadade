/** Every kind of definition trains; its numbers depend on its code, and on nothing that was called before. */
import { describe, expect, test } from "vitest";
import type { Definition } from "../../src/spec/definitions.ts";
import { DEFINITION_KINDS } from "../../src/spec/definitions.ts";
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import { encodeEvents } from "../../src/record/eventLines.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { judgeCredit } from "../../src/train/oracle/judge.ts";
import { playIteration } from "../../src/train/iterate.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import type { Learner } from "../../src/train/learner.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { ofType, runToEnd } from "../train/support.ts";
import { definedHost, example, examples, lakeSpec, trained } from "./examples.ts";
import { some } from "../every.ts";

const corridor = {
  kind: "defined",
  definition: "corridor",
  trainLevels: 0,
  maxTurns: 6,
  formatPenalty: -0.1,
};

const lake = lakeSpec().environment;

/** A run of each example. */
const runs: Record<string, PartialSpec> = {
  turnPpo: { algorithms: [{ name: "turn-ppo@turnPpo", set: {} }] },
  root: { algorithms: [{ name: "turn-ppo@ratio-root", set: {} }] },
  spo: { algorithms: [{ name: "grpo@clip-spo", set: {} }] },
  fading: { algorithms: [{ name: "turn-ppo@aggregation-fading", set: {} }] },
  mixedOnly: { algorithms: [{ name: "grpo@filter-mixedOnly", set: {} }] },
  tether: { algorithms: [{ name: "turn-ppo@regulariser-tether", set: {} }] },
  hurry: { environment: { ...lake, reward: "hurry" } },
  pairs: { optimisation: { ...lakeSpec().optimisation, segmentation: "pairs" } },
  uncertain: { optimisation: { ...lakeSpec().optimisation, segmentation: "uncertain" } },
  // Cloned a little: a policy of chance names an action too seldom to move.
  corridor: {
    environment: corridor,
    model: { preset: "nano", warmStart: "clone" },
    clone: { levels: 20, steps: 20, batch: 8, lr: 0.003 },
  },
  // A model that reads text, from random weights; its prompts are long, so it plays two turns of two episodes.
  echo: {
    optimisation: { ...lakeSpec().optimisation, tasksPerIteration: 1 },
    preset: "talker-nano",
    model: { preset: "talker-nano", warmStart: "none" },
    environment: { ...toSpec({ preset: "talker-nano" }).environment, maxTurns: 2, prompt: "echo" },
    sampling: { maxTokensPerTurn: 6 },
  },
  wanderer: {
    model: { preset: "nano", warmStart: "clone" },
    clone: { levels: 20, steps: 4, batch: 8, lr: 0.003, expert: "wanderer" },
  },
};

const specOf = (name: string, code: Definition = example(name)) =>
  lakeSpec({ definitions: [code], ...runs[name] });

test("the page has an example of each kind, and each example a run here", () => {
  expect(new Set(examples.map(({ kind }) => kind))).toEqual(new Set(DEFINITION_KINDS));
  expect(examples.map(({ name }) => name).sort()).toEqual(Object.keys(runs).sort());
});

/** The first example of each kind. */
const firsts = DEFINITION_KINDS.map((kind) => examples.find((one) => one.kind === kind)!.name);

describe.each(some(Object.keys(runs), (name) => firsts.includes(name)))("%s", (name) => {
  test("trains five iterations, and goes on from a checkpoint with the same fingerprint", async () => {
    const spec = specOf(name);
    const whole = await trained(spec);
    expect(ofType(whole.events, "iteration")).toHaveLength(5);
    const first = await Experiment.open(spec, await definedHost());
    while (first.position.iteration <= 3) await first.advance();
    const saved = await decodeCheckpoint(await first.save());
    first.dispose();
    const second = await Experiment.open(spec, await definedHost(), saved);
    await runToEnd(second);
    second.dispose();
    expect(second.fingerprint).toBe(whole.fingerprint);
    const chains = new TextDecoder().decode(encodeEvents(whole.events));
    expect(chains).toContain(JSON.stringify(spec.definitions![0]!.source).slice(1, 40));
  });
});

test("a reward changes what turns are paid, and nothing else of the first iteration", async () => {
  const [paid, plain] = [await trained(specOf("hurry")), await trained(lakeSpec())];
  const turnsOf = ({ events }: typeof paid) =>
    ofType(events, "iteration")[0]!.episodes.flatMap(({ turns }) =>
      turns.map(({ text, reward }, h) => ({ text, reward, last: h === turns.length - 1 })),
    );
  const [own, native] = [turnsOf(paid), turnsOf(plain)];
  expect(own.map(({ text }) => text)).toEqual(native.map(({ text }) => text));
  expect(own.some(({ last }) => !last)).toBe(true);
  own.forEach(({ reward, last }, k) =>
    expect(reward).toBeCloseTo(native[k]!.reward - (last ? 0 : 0.05), 12),
  );
});

test("a segmentation at the environment's own turns changes no number", async () => {
  const source = "export const segment = ({ turns }) => turns.starts;";
  const same = await trained(specOf("pairs", { kind: "segmentation", name: "pairs", source }));
  const plain = await trained(lakeSpec());
  const bare = ({ events }: typeof same) =>
    ofType(events, "iteration").map(({ metrics, episodes, updates }) => ({
      metrics,
      episodes,
      updates,
    }));
  expect(bare(same)).toEqual(bare(plain));
});

test("a prompt that says the usual changes no number; another is what the model reads", async () => {
  const source = "export const prompt = ({ usual }) => usual;";
  const short = (code?: Definition) => {
    const spec = specOf("echo", code);
    return { ...spec, optimisation: { ...spec.optimisation, iterations: 2 } };
  };
  const usual = await trained(short({ kind: "prompt", name: "echo", source }));
  const plainSpec = short();
  const { prompt: _, ...environment } = plainSpec.environment as { prompt?: string };
  const plain = await trained({
    ...plainSpec,
    environment: environment as ExperimentSpec["environment"],
    definitions: [],
  });
  const own = await trained(plainSpec);
  const turnsOf = ({ events }: typeof plain) =>
    ofType(events, "iteration").flatMap(({ episodes }) => episodes.map(({ turns }) => turns));
  expect(turnsOf(usual)).toEqual(turnsOf(plain));
  expect(turnsOf(own)).not.toEqual(turnsOf(plain));
  expect(turnsOf(own)[0]![0]!.text).toBe(turnsOf(plain)[0]![0]!.text);
});

test("what a prompt may stand beside is checked before a run", () => {
  const definitions = [example("echo")];
  const on = (spec: PartialSpec) => () => lakeSpec({ definitions, ...spec });
  expect(on({ environment: { ...lake, prompt: "echo" } })).toThrow(
    /^environment\.prompt is "echo"; it needs a model that reads text: environment\.kind sokoban with environment\.thought \(presets talker-nano.* reads only the compact words of frozenlake/,
  );
  expect(
    on({
      preset: "nano",
      environment: { ...toSpec({ preset: "nano" }).environment, prompt: "echo" },
    }),
  ).toThrow("The model nano reads only the compact words of sokoban");
});

test("pairs of turns are one action each", async () => {
  const [pairs, plain] = [await trained(specOf("pairs")), await trained(lakeSpec())];
  const turns = (run: typeof pairs) => ofType(run.events, "iteration")[0]!.episodes[0]!.turns;
  expect(turns(pairs).map(({ text }) => text)).toEqual(turns(plain).map(({ text }) => text));
  expect(turns(pairs).map(({ advantage }) => advantage)).not.toEqual(
    turns(plain).map(({ advantage }) => advantage),
  );
  for (let h = 1; h < turns(pairs).length; h += 2) {
    expect(turns(pairs)[h]!.advantage).toBeCloseTo(turns(pairs)[h - 1]!.advantage, 6);
    expect(turns(pairs)[h]!.ratio).toBe(turns(pairs)[h - 1]!.ratio);
  }
});

test("the oracle branches in an environment of code", async () => {
  const experiment = await Experiment.open(specOf("corridor"), await definedHost());
  await experiment.advance();
  const { spec, family, definitions } = experiment;
  const context = { spec, family, definitions, clock: () => 0 };
  const learners = experiment.learners as Learner[];
  const episodes = await playIteration(context, learners[0]!, 1);
  const rows = [resolveAlgorithm("turn-ppo")];
  const judged = await judgeCredit({
    context,
    learners,
    episodes,
    iteration: 1,
    rows,
    branches: 4,
    gamma: 1,
  });
  experiment.dispose();
  expect(judged.refused).toEqual([]);
  expect(judged.truth.value.mean.every(Number.isFinite)).toBe(true);
  expect(judged.truth.value.mean.some((V) => V !== 0)).toBe(true);
});

test.each([
  ["hurry", "export const reward = () => 'much';", 'hurry: reward returned "much"'],
  ["hurry", "export const reward = () => Infinity;", "hurry: reward returned"],
  ["hurry", "\nexport const reward = (turn) => turn.a.b;", "hurry, line 2: TypeError"],
  ["pairs", "export const segment = () => [1, 2];", "pairs: segment returned"],
  ["corridor", "export const reset = () => 1;", 'must have an "export function step"'],
  [
    "corridor",
    example("corridor").source.replace("done, success: done", "done: 1"),
    "corridor: step returned",
  ],
  [
    "corridor",
    example("corridor").source.replace('["P", "G", "_"]', '["<"]'),
    "corridor: words.observation",
  ],
  ["wanderer", "export const respond = () => ({ a: 1 });", "wanderer: respond returned"],
  ["echo", "export const prompt = () => 3;", "echo: prompt returned 3; it must be a text"],
  ["echo", "export const prompt = () => '';", 'echo: prompt returned ""; it must be a text'],
  [
    "echo",
    "export const prompt = () => 'a<|im_end|>';",
    "a text with <|im_end|>; it must be without",
  ],
  ["echo", "export const prompt = () => 'a'.repeat(8001);", "8001 characters; it must be at most"],
  [
    "echo",
    "export const prompt = () => { for (;;); };",
    "echo, line 1: the code took too many steps",
  ],
  [
    "echo",
    "export const prompt = ({ history, turn }) => 'go '.repeat(history.length === turn && history[0]?.reward === -0.2 ? 1 : 400);",
    "message of",
  ],
])("%s: %s is refused", async (name, source, words) => {
  const { kind } = example(name);
  await expect(trained(specOf(name, { kind, name, source }))).rejects.toThrow(words);
});
