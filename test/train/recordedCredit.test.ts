/** What a run records is enough to compute its credit again, also for rows that need more than rewards and values. */
import { describe, expect, test } from "vitest";
import { recordedBatch } from "../../src/algorithm/recordedBatch.ts";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { encodeBatch } from "../../src/record/encodeBatch.ts";
import type { IterationEvent } from "../../src/record/runEvent.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import { resolveAlgorithm, type AlgorithmConfig } from "../../src/spec/algorithms.ts";
import { readDetails } from "../../src/reading/log/episodeSchema.ts";
import { expectClose } from "../golden/load.ts";
import { ofType, runSpec, tinySpec } from "./support.ts";

interface Row {
  name: string;
  set: Record<string, number | string>;
  /** The column that rewards and values cannot replace, and its name in the log. */
  column:
    "refLogprob" | "turnGain" | "greedyScore" | "sumPiSquared" | "turnFormat" | "rolloutLogprob";
  field: string;
  changes?: object;
}

/** So that rollouts of a tiny model differ. */
const PAID = { processReward: { provider: "exact", eta: 0.5, shaping: "potential" } };

const ROWS: Row[] = [
  // So heavy that the penalty shows in every digit that is compared.
  { name: "starpo", set: { betaKlReward: 0.5 }, column: "refLogprob", field: "refLogprob" },
  { name: "a2tgpo", set: {}, column: "turnGain", field: "gain" },
  { name: "remax", set: {}, column: "greedyScore", field: "greedyScore" },
  { name: "otb", set: {}, column: "sumPiSquared", field: "sumPiSquared" },
  {
    ...{ name: "mis", set: { std: "none" }, column: "rolloutLogprob", field: "rolloutLogprob" },
    changes: PAID,
  },
  {
    ...{ name: "gdpo", set: { processWeight: 0.5 }, column: "turnFormat", field: "format" },
    // Process pay is a score of its own beside that for form, which a tiny model often loses.
    changes: PAID,
  },
];

/** All episodes are recorded, and in one minibatch. */
const SMALL = { tasksPerIteration: 2, groupSize: 4, minibatch: 8 };

/** The second iteration: the policy has left its reference. All episodes are recorded, in one minibatch. */
async function second(name: string, set: object, changes = {}): Promise<IterationEvent> {
  const optimisation = { ...SMALL, iterations: 2 };
  const { events } = await runSpec(
    tinySpec({
      algorithms: [{ name, set }],
      optimisation: { ...optimisation, epochs: 1, actorLr: 0.003, actorLrWarmup: 0 },
      evaluation: { levels: 0 },
      ...changes,
    }),
  );
  expect(ofType(events, "crash")).toEqual([]);
  return ofType(events, "iteration")[1]!;
}

/** As a file that is opened has them. */
const throughFile = (event: IterationEvent) =>
  readDetails(JSON.parse(JSON.stringify(event))).episodes;

const tokensOf = (config: AlgorithmConfig, batch: TrajectoryBatch) =>
  Array.from(computeCredit(config, batch).tokenAdvantage);

describe("from the log, the credit that training used", () => {
  test.each(ROWS)("of $name", async ({ name, set, column, field, changes }) => {
    const event = await second(name, set, changes);
    const episodes = throughFile(event);
    const config = resolveAlgorithm(name, set);
    const batch = recordedBatch(config, episodes);
    expect(batch[column]!.some((x) => x !== 0)).toBe(true);
    const used = episodes.flatMap(({ turns }) =>
      turns.flatMap(({ tokens }) => tokens.map(({ advantage }) => advantage)),
    );
    expect(used.some((A) => A !== 0)).toBe(true);
    expectClose(tokensOf(config, batch), used, 1e-4);
    // The batch file that the command line takes carries it too.
    const file: unknown = JSON.parse(JSON.stringify(encodeBatch(batch)));
    expectClose(tokensOf(config, decodeBatch(file)), used, 1e-4);
    // And it is this column that makes it so.
    const { [column]: _, ...without } = batch;
    expect(() => computeCredit(config, without)).toThrow(`${field} is missing`);
  });

  test("of KL in the loss", async () => {
    const set = { betaKl: 0.1 };
    const event = await second("grpo", set);
    const config = resolveAlgorithm("grpo", set);
    const batch = recordedBatch(config, throughFile(event));
    const { metrics } = computeObjective(config, batch, computeCredit(config, batch));
    expect(event.metrics["actor/kl_loss"]).toBeGreaterThan(0);
    expect(metrics["actor/kl_loss"]! / event.metrics["actor/kl_loss"]!).toBeCloseTo(1, 2);
  });

  test.each(["turn-ppo", "token-ppo", "turn-ppo-vagen"])(
    "of %s where the value after the last turn replaces what was to come",
    async (name) => {
      const { events } = await runSpec(
        tinySpec({
          algorithms: [
            { name, set: {} },
            { name: "grpo", set: {} },
          ],
          optimisation: { ...SMALL, iterations: 2, epochs: 1, bootstrapOnTruncation: true },
          evaluation: { levels: 0 },
        }),
      );
      // In the first iteration a critic knows nothing: all is worth 0.
      const [own, other] = ofType(events, "iteration").slice(2) as [IterationEvent, IterationEvent];
      const episodes = throughFile(own);
      const cutOff = episodes.filter(({ terminated }) => !terminated);
      expect(cutOff.length).toBeGreaterThan(0);
      for (const { finalValues, terminated } of episodes)
        expect(Object.keys(finalValues ?? {})).toEqual(terminated ? [] : [name]);
      const config = resolveAlgorithm(name);
      const batch = recordedBatch(config, episodes);
      const used = episodes.flatMap(({ turns }) =>
        turns.flatMap(({ tokens }) => tokens.map(({ advantage }) => advantage)),
      );
      expectClose(tokensOf(config, batch), used, 1e-4);
      const file: unknown = JSON.parse(JSON.stringify(encodeBatch(batch)));
      expectClose(tokensOf(config, decodeBatch(file)), used, 1e-4);
      const bare = episodes.map(({ finalValues: _, ...episode }) => episode);
      const without = tokensOf(config, recordedBatch(config, bare));
      expect(without.some((A, t) => Math.abs(A - used[t]!) > 1e-3)).toBe(true);
      // Of another method's episodes the critic is asked too; a row without a critic takes nothing from it.
      const others = throughFile(other);
      expect(others.some(({ finalValues }) => finalValues?.[name] !== undefined)).toBe(true);
      const plain = recordedBatch(resolveAlgorithm("grpo"), others);
      expect([...plain.bootstrapValue].every((V) => V === 0)).toBe(true);
    },
  );

  test("and nothing more where a row needs none of it", async () => {
    const { episodes } = await second("turn-ppo", {});
    const names = new Set(
      episodes.flatMap((episode) => [
        ...Object.keys(episode),
        ...episode.turns.flatMap((turn) => [
          ...Object.keys(turn),
          ...turn.tokens.flatMap(Object.keys),
        ]),
      ]),
    );
    expect(names).toContain("oldLogprob");
    for (const { field } of ROWS) expect(names).not.toContain(field);
    expect(names).not.toContain("finalValues");
  });
});
