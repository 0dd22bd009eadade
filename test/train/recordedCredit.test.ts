/** What a run records is enough to compute its credit again, also for rows that need more than rewards and values. */
import { describe, expect, test } from "vitest";
import { recordedBatch } from "../../src/algorithm/recordedBatch.ts";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { encodeBatch } from "../../src/record/encodeBatch.ts";
import type { IterationEvent } from "../../src/record/runEvent.ts";
import type { TrajectoryBatch } from "../../src/record/trajectoryBatch.ts";
import { resolveAlgorithm, type AlgorithmConfig } from "../../src/spec/algorithms.ts";
import { readDetails } from "../../src/store/episodeSchema.ts";
import { expectClose } from "../golden/load.ts";
import { ofType, runSpec, tinySpec } from "./support.ts";

interface Row {
  name: string;
  set: Record<string, number>;
  /** The column that rewards and values cannot replace, and its name in the log. */
  column: "refLogprob" | "turnGain" | "greedyScore";
  field: string;
}

const ROWS: Row[] = [
  // So heavy that the penalty shows in every digit that is compared.
  { name: "starpo", set: { betaKlReward: 0.5 }, column: "refLogprob", field: "refLogprob" },
  { name: "a2tgpo", set: {}, column: "turnGain", field: "gain" },
  { name: "remax", set: {}, column: "greedyScore", field: "greedyScore" },
];

/** The second iteration: the policy has left its reference. All episodes are recorded, in one minibatch. */
async function second(name: string, set: object): Promise<IterationEvent> {
  const optimisation = { iterations: 2, tasksPerIteration: 2, groupSize: 4, minibatch: 8 };
  const { events } = await runSpec(
    tinySpec({
      algorithms: [{ name, set }],
      optimisation: { ...optimisation, epochs: 1, actorLr: 0.003, actorLrWarmup: 0 },
      evaluation: { levels: 0 },
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
  test.each(ROWS)("of $name", async ({ name, set, column, field }) => {
    const event = await second(name, set);
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
  });
});
