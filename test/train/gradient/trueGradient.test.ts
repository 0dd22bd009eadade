import { describe, expect, it } from "vitest";
import { mean, std } from "../../../src/numeric/statistics.ts";
import {
  gradientRow,
  ceilingRows,
  rowWeights,
  withTruth,
} from "../../../src/train/gradient/rowWeights.ts";
import { plainWeights, referenceGradient } from "../../../src/train/gradient/reference.ts";
import { along, eachScore, unitsOf } from "../../../src/train/gradient/block.ts";
import { batchOfEpisodes } from "../../../src/train/episodes.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import type { Episode } from "../../../src/rollout/rollout.ts";
import {
  allEpisodes,
  exactAdvantages,
  finiteDifferences,
  ofTask,
  PARAMETERS,
  sampleEpisode,
  Table,
} from "./tabular.ts";

const table = new Table();
const truth = finiteDifferences(table); // [10]

const request = (episodes: Episode[]) => ({
  ...{ model: table, context: "turn" as const, temperature: 1, rewardScale: 1 },
  batches: [episodes],
});

function expectNear(estimate: ArrayLike<number>, places: number): void {
  Array.from(truth, (g, i) => expect(estimate[i], `parameter ${i}`).toBeCloseTo(g, places));
}

/** sum of weights times scores, one backward pass a unit. [10] */
async function gradientOf(episodes: Episode[], weights: Float64Array): Promise<Float64Array> {
  const { tokenStart } = batchOfEpisodes(episodes, 1);
  const units = unitsOf([weights], tokenStart);
  const sum = new Float64Array(PARAMETERS);
  await eachScore(
    { model: table, context: "turn", temperature: 1, episodes, units },
    (unit, score) => score.forEach((s, i) => (sum[i]! += along(unit, weights) * s)),
  );
  return sum;
}

describe("the true gradient of a tabular policy", () => {
  it("is, in the mean over all pairs of rollouts, what finite differences of the expected return give", async () => {
    const sum = new Float64Array(PARAMETERS);
    const all = allEpisodes(table);
    for (const a of all)
      for (const b of all) {
        const pair = [ofTask(a.episode, "task"), ofTask(b.episode, "task")];
        const gradient = await referenceGradient(request(pair));
        gradient.forEach((g, i) => (sum[i]! += a.chance * b.chance * g));
      }
    expectNear(sum, 6);
  });

  it("comes out of sampled groups within four standard errors", async () => {
    const blocks: Float32Array[] = [];
    for (let block = 0; block < 40; block++) {
      const episodes = Array.from({ length: 64 }, (_, i) =>
        ofTask(sampleEpisode(table, 64 * block + i), `task ${Math.floor(i / 4)}`),
      );
      blocks.push(await referenceGradient(request(episodes)));
    }
    for (let i = 0; i < PARAMETERS; i++) {
      const own = blocks.map((block) => block[i]!);
      const error = std(own) / Math.sqrt(blocks.length);
      expect(Math.abs(mean(own) - truth[i]!), `parameter ${i}`).toBeLessThan(4 * error + 1e-6);
    }
    expect(Math.max(...truth.map(Math.abs))).toBeGreaterThan(0.05);
  });

  it("would not come out with a baseline that knows the action", async () => {
    const sum = new Float64Array(PARAMETERS);
    for (const { episode, chance } of allEpisodes(table)) {
      const batch = batchOfEpisodes([episode], 1);
      const spoilt = plainWeights(batch, [episode]).map(
        (A, t) => A - episode.turns[0]!.responseIds[t % 2]!,
      );
      (await gradientOf([episode], spoilt)).forEach((g, i) => (sum[i]! += chance * g));
    }
    expect(Math.max(...sum.map((g, i) => Math.abs(g - truth[i]!)))).toBeGreaterThan(0.05);
  });
});

describe("rows on a tabular policy", () => {
  /** E of a row's gradient on batches of one episode. [10] */
  async function expectationOf(weigh: (episode: Episode) => Float64Array): Promise<Float64Array> {
    const sum = new Float64Array(PARAMETERS);
    for (const { episode, chance } of allEpisodes(table))
      (await gradientOf([episode], weigh(episode))).forEach((g, i) => (sum[i]! += chance * g));
    return sum;
  }

  /** As a forward pass would: any numbers do, since the ratio is 1. */
  const withLogprob = (episode: Episode) => {
    const batch = batchOfEpisodes([episode], 1);
    return { ...batch, oldLogprob: new Float64Array(batch.tokenStart.at(-1)!).fill(-1) };
  };

  const known = (episode: Episode) => {
    const advantage = Float64Array.from(exactAdvantages(table, episode));
    const V: number[] = [];
    episode.turns.forEach(({ reward }, h) => {
      // V(s_{h+1}) = A_h + V(s_h) - r_h, from V(s_0).
      V.push(h === 0 ? startValue : advantage[h - 1]! + V[h - 1]! - episode.turns[h - 1]!.reward);
      void reward;
    });
    return { advantage, value: Float64Array.from(V) };
  };
  const startValue = allEpisodes(table).reduce(
    (sum, { episode, chance }) =>
      sum + chance * episode.turns.reduce((G, { reward }) => G + reward, 0),
    0,
  );

  it.each(["true-advantage", "true-v-1", "true-v-lambda"])("%s is unbiased", async (name) => {
    const row = ceilingRows(0.9).find((one) => one.name === name)!;
    const expected = await expectationOf((episode) => {
      const batch = withTruth(row, withLogprob(episode), known(episode), 1);
      return rowWeights(row, batch, [0]);
    });
    expectNear(expected, 5);
  });

  it("REINFORCE is unbiased, and a mean over tokens is not", async () => {
    const of = (aggregation: string) =>
      expectationOf((episode) =>
        rowWeights(
          gradientRow(resolveAlgorithm("reinforce", { aggregation })),
          withLogprob(episode),
          [0],
        ),
      );
    expectNear(await of("seq-mean-token-sum"), 5);
    const biased = await of("seq-mean-token-mean");
    const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => {
      const dot = (x: ArrayLike<number>, y: ArrayLike<number>) =>
        Array.from(x).reduce((sum, xi, i) => sum + xi * y[i]!, 0);
      return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    };
    expect(cosine(biased, truth)).toBeLessThan(0.999);
  });

  it("a batch is weighed by itself: the others get nothing", () => {
    const [a, b] = allEpisodes(table)
      .slice(0, 2)
      .map(({ episode }) => episode);
    const batch = batchOfEpisodes([ofTask(a!, "x"), ofTask(b!, "x")], 1);
    const whole = { ...batch, oldLogprob: new Float64Array(batch.tokenStart.at(-1)!) };
    const weights = rowWeights(gradientRow(resolveAlgorithm("reinforce")), whole, [1]);
    const start = 2 * a!.turns.length;
    expect(Array.from(weights.subarray(0, start)).every((w) => w === 0)).toBe(true);
    expect(Array.from(weights.subarray(start)).some((w) => w !== 0)).toBe(true);
  });
});
