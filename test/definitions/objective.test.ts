/** A ratio, a clip and an aggregation that an experiment defines: the table's own, rewritten, give the table's numbers; wrong ones are refused. */
import { expect, test } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { isAlgorithmName, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import type { RowKind } from "../../src/spec/definitions.ts";
import { boundRow } from "../../src/train/definitions.ts";
import { randomBatch } from "../algorithm/batches.ts";
import { definedHost, example, lakeSpec } from "./examples.ts";

const PRODUCT = `export const ratio = ({ units }) => units.map((d) => {
  const value = Math.exp(d.reduce((sum, x) => sum + x, 0));
  return { value, derivative: d.map(() => value) };
});`;
const RANGE = `export function clip({ ratio, advantage, settings: { epsLow, epsHigh, dualClip } }) {
  const value = [], derivative = [];
  ratio.forEach((w, u) => {
    const A = advantage[u], held = Math.min(1 + epsHigh, Math.max(1 - epsLow, w)) * A;
    const floor = A < 0 && dualClip !== null ? dualClip * A : -Infinity;
    value[u] = Math.max(Math.min(w * A, held), floor);
    derivative[u] = held < w * A || Math.min(w * A, held) < floor ? 0 : A;
  });
  return { value, derivative };
}`;
const TURNS = `export const aggregate = ({ episodes, totals }) => episodes.map(({ lengths }) =>
  Array.from(lengths).flatMap((n) => Array(n).fill(1 / (totals.episodes * lengths.length * n))));`;
const K3 = `export function regularise({ logprobs, reference, settings: { betaKl } }) {
  const x = logprobs.map((p, t) => reference[t] - p);
  return {
    value: x.map((x) => betaKl * (Math.exp(x) - 1 - x)),
    derivative: x.map((x) => betaKl * (1 - Math.exp(x))),
  };
}`;
/** The entropy bonus, and k2 to the policy that played. */
const CALM = `export const regularise = ({ logprobs, old, entropies }) => ({
  value: logprobs.map((p, t) => (p - old[t]) ** 2 / 2 - 0.01 * entropies[t]),
  derivative: logprobs.map((p, t) => p - old[t]),
  entropyDerivative: entropies.map(() => -0.01),
});`;
const SOURCES: Record<string, string> = {
  ...{ product: PRODUCT, range: RANGE, turns: TURNS },
  ...{ k3: K3, calm: CALM },
};

/** A row with code, by its name; sources by the names of definitions. */
async function rowOf(name: string, sources: Record<string, string> = SOURCES, set = {}) {
  const config = resolveAlgorithm(name, set);
  const definitions = Object.entries(config.own!).map(([kind, one]) => ({
    kind: kind as RowKind,
    name: one,
    source: sources[one] ?? example(one).source,
  }));
  return boundRow(config, await (await definedHost()).openDefinitions!(definitions));
}

/** A batch after an update: log-probs have moved. */
function moved(seed: number) {
  const batch = randomBatch(seed);
  const logprob = batch.oldLogprob!.map((x, t) => x + 0.3 * Math.sin(7 * t + seed));
  const refLogprob = batch.oldLogprob!.map((x, t) => x + 0.2 * Math.cos(5 * t + seed));
  return { ...batch, logprob, refLogprob };
}

const entropyOf = ({ logprob }: { logprob: Float64Array }) => logprob.map((p) => 1 - p / 3);

test.each([
  ["turn-ppo@ratio-product", "turn-ppo", {}],
  ["turn-ppo@clip-range", "turn-ppo", { dualClip: 3 }],
  ["grpo@clip-range", "grpo", {}],
  ["turn-ppo@aggregation-turns", "turn-ppo", { aggregation: "traj-turn-mean" }],
  ["turn-ppo@ratio-product@clip-range", "turn-ppo", {}],
])("%s has the numbers of %s", async (own, name, set) => {
  const [mine, table] = [await rowOf(own, SOURCES, set), resolveAlgorithm(name, set)];
  for (let seed = 1; seed <= 5; seed++) {
    const batch = moved(seed);
    const credit = computeCredit(table, batch);
    const [a, b] = [mine, table].map((row) => computeObjective(row, batch, credit));
    expect(a!.loss).toBeCloseTo(b!.loss, 12);
    for (const column of ["dLogprob", "dLogprobCut", "turnRatio"] as const)
      for (const [i, x] of a![column].entries()) expect(x).toBeCloseTo(b![column][i]!, 12);
    expect(a!.tokenClipped).toEqual(b!.tokenClipped);
  }
});

test.each([
  ["turn-ppo@regulariser-k3", "turn-ppo", { betaKl: 0.04 }, {}, 0],
  ["dapo@regulariser-calm", "dapo", {}, { betaOld: 1 }, 0.01],
])("%s pulls as %s does", async (own, name, set, also, entropyCoef) => {
  const mine = await rowOf(own, SOURCES, set);
  const table = resolveAlgorithm(name, { ...set, ...also });
  for (let seed = 1; seed <= 5; seed++) {
    const batch = moved(seed);
    const entropy = entropyOf(batch);
    const credit = computeCredit(table, batch);
    const a = computeObjective(mine, batch, credit, { entropy });
    const b = computeObjective(table, batch, credit, { entropy, entropyCoef });
    expect(a.loss).toBeCloseTo(b.loss, 12);
    for (const [t, g] of a.dLogprob.entries()) expect(g).toBeCloseTo(b.dLogprob[t]!, 12);
    for (const [t, g] of a.dEntropy!.entries()) expect(g).toBeCloseTo(b.dEntropy?.[t] ?? 0, 12);
    expect(a.metrics).toHaveProperty("actor/regulariser");
  }
});

test("a filter of one's own keeps what the table's keeps, and its objective", async () => {
  const [mine, table] = [
    await rowOf("grpo@filter-mixedOnly"),
    resolveAlgorithm("grpo", { filter: "mixed" }),
  ];
  let left = 0;
  for (let seed = 1; seed <= 8; seed++) {
    const plain = moved(seed);
    // One group whose rollouts are all paid alike.
    const batch = { ...plain, turnReward: plain.turnReward.slice() };
    plain.task.forEach((task, b) => {
      if (task === plain.task[0])
        batch.turnReward.fill(0, plain.turnStart[b], plain.turnStart[b + 1]);
    });
    delete batch.tokenReward;
    const [a, b] = [mine, table].map((row) => computeCredit(row, batch));
    expect(a!.kept).toEqual(b!.kept);
    expect(a!.tokenAdvantage).toEqual(b!.tokenAdvantage);
    left += a!.kept!.filter((keep) => keep === 0).length;
    const [x, y] = [mine, table].map((row, i) => computeObjective(row, batch, [a!, b!][i]!));
    expect(x!.loss).toBe(y!.loss);
    expect(x!.dLogprob).toEqual(y!.dLogprob);
  }
  expect(left).toBeGreaterThan(0);
});

test.each([
  ...["turn-ppo@ratio-root", "grpo@clip-spo", "turn-ppo@aggregation-fading"],
  ...["turn-ppo@regulariser-tether", "dapo@regulariser-calm"],
])("%s: the gradient is that of the loss", async (name) => {
  const row = await rowOf(name);
  const batch = moved(3);
  const entropy = entropyOf(batch);
  const credit = computeCredit(row, batch);
  const lossAt = (t: number, h: number) => {
    const logprob = batch.logprob.map((x, i) => (i === t ? x + h : x));
    return computeObjective(row, { ...batch, logprob }, credit, { entropy }).loss;
  };
  const { dLogprob } = computeObjective(row, batch, credit, { entropy });
  const h = 1e-6;
  for (const t of dLogprob.keys())
    expect(dLogprob[t]).toBeCloseTo((lossAt(t, h) - lossAt(t, -h)) / (2 * h), 6);
});

test.each([
  [
    "turn-ppo@clip-bad",
    "export const clip = ({ ratio, advantage }) => ({ value: ratio.map((w, u) => w * advantage[u]), derivative: ratio })",
    /^bad: clip returned the derivative 0\.31\d* at ratio 0\.31 and advantage -1\.7; it must be -1\.7\d*, as finite differences/,
  ],
  [
    "turn-ppo@ratio-bad",
    "export const ratio = ({ units }) => units.map((d) => ({ value: Math.exp(d[0]), derivative: d.map(() => 1) }))",
    /^bad: ratio returned the derivative 1\.000 by log-ratio 1 of \[0\.031\]; it must be 1\.031/,
  ],
  [
    "turn-ppo@ratio-bad",
    "export const ratio = ({ units }) => units.map((d) => ({ value: -1, derivative: d }))",
    /^bad: ratio returned -1 as \[0\]\.value; it must be above 0/,
  ],
  [
    "turn-ppo@clip-bad",
    "export const clip = ({ ratio }) => ({ value: ratio })",
    /^bad: clip returned no list as derivative; it must be 36 numbers/,
  ],
  ["turn-ppo@clip-bad", "export const clip = () => 3", /^bad: clip returned no list as value/],
  [
    "turn-ppo@ratio-bad",
    "export const ratio = () => []",
    /^bad: ratio must return a list with one result for each of 1 units/,
  ],
  [
    "grpo@regulariser-bad",
    "export const regularise = ({ logprobs: p }) => ({ value: p, derivative: p.map(() => 2) })",
    /^bad: regularise returned the derivative 2\.000 by the log-prob at log-prob -0\.043 and entropy 0\.558; it must be 1\.000/,
  ],
  [
    "grpo@regulariser-bad",
    "export const regularise = ({ logprobs: p, entropies: H }) => ({ value: p.map((x, t) => x * H[t]), derivative: H })",
    /^bad: regularise returned the derivative 0\.000 by the entropy at log-prob -0\.043 and entropy 0\.558; it must be -0\.04300/,
  ],
  [
    "grpo@regulariser-bad",
    "export const regularise = ({ logprobs: p }) => { const m = p.reduce((a, x) => a + x, 0) / p.length; return { value: p.map((x) => x + m), derivative: p.map(() => 1 + 1 / p.length) }; }",
    /^bad: regularise returned a value at log-prob .* that changes with other tokens; it must depend on its own token alone/,
  ],
  [
    "grpo@regulariser-bad",
    "export const regularise = ({ logprobs: p }) => ({ value: p.map(() => NaN), derivative: p })",
    /^bad: regularise returned NaN as value\[0\]; it must be a finite number/,
  ],
  [
    "grpo@regulariser-bad",
    "export const regularise = ({ logprobs: p }) => ({ value: p, derivative: [1] })",
    /^bad: regularise returned 1 numbers as derivative; it must be 30 numbers/,
  ],
  [
    "grpo@regulariser-bad",
    "export const regularise = () => { for (;;); }",
    /^bad, line 1: the code took too many steps/,
  ],
  [
    "grpo@regulariser-bad",
    "export const regularise = () => { throw Error('no') }",
    /^bad, line 1: .*no/,
  ],
  [
    "turn-ppo@clip-bad",
    "export const clap = 3",
    /bad: the code of a clip must have an "export function clip"/,
  ],
])("%s is refused before a run: %s", async (name, source, message) => {
  await expect(rowOf(name, { bad: source })).rejects.toThrow(message);
});

test.each([
  ["() => []", /^bad: aggregate must return a list with one result for each of \d+ episodes/],
  [
    "({ episodes }) => episodes.map(() => [1])",
    /^bad: aggregate returned 1 numbers as \[0\]; it must be \d+/,
  ],
  [
    "({ episodes }) => episodes.map(({ lengths }) => Array.from(lengths).flatMap((n) => Array(n).fill(-1)))",
    /^bad: aggregate returned -1 in \[0\]; a weight must be at least 0/,
  ],
])("weights are checked: %s", async (code, message) => {
  const row = await rowOf("turn-ppo@aggregation-bad", { bad: `export const aggregate = ${code}` });
  const batch = moved(1);
  expect(() => computeObjective(row, batch, computeCredit(row, batch))).toThrow(message);
});

test.each([
  ["() => []", /^bad: keep must return a list with true or false for each of \d+ episodes/],
  [
    "({ episodes }) => episodes.map(() => 1)",
    /^bad: keep returned 1 as \[0\]; it must be true or false/,
  ],
  [
    "({ episodes }) => episodes.map((_, b) => b > 0 || 'yes')",
    /^bad: keep returned "yes" as \[0\]; it must be true or false/,
  ],
  ["() => { for (;;); }", /^bad, line 1: the code took too many steps/],
])("what a filter keeps is checked: %s", async (code, message) => {
  const row = await rowOf("grpo@filter-bad", { bad: `export const keep = ${code}` });
  expect(() => computeCredit(row, moved(1))).toThrow(message);
});

test("names say which choice is replaced; a row without a ratio takes none", () => {
  const names = ["grpo@clip-a", "grpo@a@clip-b@ratio-c", "turn-ppo@aggregation-d"];
  for (const name of names) expect(isAlgorithmName(name)).toBe(true);
  const wrong = ["grpo@", "grpo@clip-", "grpo@clip-a@clip-b", "grpo@estimator-a", "grpo@beta-a"];
  for (const name of wrong) expect(isAlgorithmName(name)).toBe(false);
  const definitions = [example("spo"), example("root")];
  const withRow =
    (name: string, set = {}) =>
    () =>
      lakeSpec({ definitions, algorithms: [{ name, set }] });
  expect(withRow("reinforce@clip-spo")).toThrow(
    /"reinforce@clip-spo" has code for a ratio or a clip; it must have none, as there is no ratio/,
  );
  expect(withRow("gmpo@ratio-root")).toThrow(/log-geomean pools log-ratios itself/);
  expect(withRow("grpo@clip-nobody")).toThrow(/algorithms\[0\].name is "nobody"; allowed: spo/);
});
