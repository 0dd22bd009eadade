/** An estimator that an experiment defines is a row like any other: in training, credit, compare and the spec. */
import { expect, test } from "vitest";
import { compareRows } from "../../src/algorithm/compare.ts";
import { computeCredit } from "../../src/algorithm/registry.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { boundRow } from "../../src/train/definitions.ts";
import { randomBatch } from "../algorithm/batches.ts";
import { ofType } from "../train/support.ts";
import { definedHost, example, lakeSpec, trained } from "./examples.ts";

const definitions = [example("turnPpo")];
const algorithms = ["turn-ppo", "turn-ppo@turnPpo"].map((name) => ({ name, set: {} }));

/** Without the values of the run's critics, which differ by who was updated first. */
const bare = (name: string, value: unknown) =>
  name === "critics" || name === "finalValues" ? undefined : value;

test("Turn-PPO as somebody writes it trains to the numbers of the table's row, bit by bit", async () => {
  const { events } = await trained(lakeSpec({ definitions, algorithms }));
  const numbers = (name: string) =>
    ofType(events, "iteration")
      .filter(({ algorithm }) => algorithm === name)
      .map(({ metrics, episodes, updates }) =>
        JSON.stringify({ metrics, episodes, updates }, bare),
      );
  expect(numbers("turn-ppo")).toHaveLength(5);
  expect(numbers("turn-ppo@turnPpo")).toEqual(numbers("turn-ppo"));
});

/** A row with the code of an estimator. */
async function rowOf(name: string, source: string, set = {}) {
  const { openDefinitions } = await definedHost();
  const codes = await openDefinitions!([{ kind: "estimator", name: name.split("@")[1]!, source }]);
  return boundRow(resolveAlgorithm(name, set), codes);
}

test.each([{}, { gamma: 0.9, lambda: 0.5, whiten: "none" }, { valueAt: "turn-end" }])(
  "in credit and compare it is the row of the table to the last bit, with %j",
  async (set) => {
    const mine = await rowOf("turn-ppo@turnPpo", definitions[0]!.source, set);
    const own = resolveAlgorithm("turn-ppo", set);
    for (let seed = 1; seed <= 20; seed++) {
      const batch = randomBatch(seed);
      const { trace: _, ...credit } = computeCredit(mine, batch);
      const { trace: __, ...expected } = computeCredit(own, batch);
      expect(credit).toEqual(expected);
    }
    const { rows, refused, agreement } = compareRows(randomBatch(3), [mine, own]);
    expect(refused).toEqual([]);
    expect(rows[0]!.objective).toEqual(rows[1]!.objective);
    expect(agreement.turnAdvantage.pearson[0]![1]).toBeCloseTo(1, 12);
  },
);

test("a token's estimator has the tokens' values, and advantages of tokens", async () => {
  const source = `export const estimate = ({ episodes }) => episodes.map(({ tokens }) => ({
    tokenAdvantages: tokens.rewards.map((r, t) => r - tokens.values[t]), tokenReturns: tokens.turns }));`;
  const batch = randomBatch(5);
  const credit = computeCredit(await rowOf("token-ppo@mine", source, { whiten: "none" }), batch);
  expect(credit.tokenAdvantage[0]).toBe(
    (batch.tokenStart[1] === 1 ? batch.turnReward[0]! : 0) - batch.tokenValue![0]!,
  );
  expect(credit.tokenReturn!.slice(0, batch.tokenStart[1])).toEqual(
    new Float64Array(batch.tokenStart[1]!),
  );
});

test.each([
  ["() => 3", "must return a list with one result for each of 4 episodes"],
  [
    "({ episodes }) => episodes.map(() => ({}))",
    "must return either advantages or tokenAdvantages",
  ],
  [
    "({ episodes }) => episodes.map(() => ({ advantages: [1, 2, 3, 4, 5, 6, 7] }))",
    "returned 7 numbers as [0].advantages",
  ],
  [
    "({ episodes }) => episodes.map(({ turns }) => ({ advantages: turns.rewards.map(() => NaN) }))",
    "returned NaN as [0].advantages[0]",
  ],
  [
    "({ episodes }) => episodes.map(({ turns }) => ({ advantages: turns.rewards }))",
    "must also return returns",
  ],
  ["({ episodes }) => episodes[99].turns", "mine, line 2: TypeError"],
])("%s is refused with its name", async (code, words) => {
  const row = await rowOf("turn-ppo@mine", `\nexport const estimate = ${code};`);
  const refusal = () => computeCredit(row, randomBatch(1));
  expect(refusal).toThrow(words);
  expect(refusal).toThrow(/^mine/);
  expect(compareRows(randomBatch(1), [row]).refused[0]!.reason).toContain(words);
});

test("a definition is part of the spec and its fingerprint; absent it is nowhere", () => {
  const spec = lakeSpec({ definitions, algorithms });
  expect(canonicalJson(spec)).toContain("nextAdvantage");
  expect(canonicalJson(lakeSpec())).not.toContain("definitions");
});

test.each([
  [[{ ...definitions[0]!, name: "1st" }], algorithms, "definitions[0].name"],
  [[{ ...definitions[0]!, name: "default" }], algorithms, "none of default, null, true, false"],
  [[...definitions, ...definitions], algorithms, "definitions[1].name"],
  [[], algorithms, 'algorithms[1].name is "turnPpo"; allowed: none'],
  [[{ ...definitions[0]!, kind: "reward" }], algorithms, "definitions has no estimator"],
  [definitions, [{ name: "mine@turnPpo", set: {} }], "algorithms[0].name"],
  [[{ ...definitions[0]!, source: "/".repeat(20_001) }], algorithms, "at most 20000"],
])("definitions that do not fit are refused", (given, rows, words) => {
  expect(() => lakeSpec({ definitions: given, algorithms: rows })).toThrow(words);
});
