/** Gradients of single tokens on the engine that trains, added up. */
import { expect, it } from "vitest";
import { scatter } from "../../../src/train/columns.ts";
import { episodeRow, placeRows, batchOfEpisodes } from "../../../src/train/episodes.ts";
import { Experiment } from "../../../src/train/experiment.ts";
import { playIteration } from "../../../src/train/iterate.ts";
import { takeGradient } from "../../../src/train/gradient/flat.ts";
import { along, eachScore, unitsOf } from "../../../src/train/gradient/block.ts";
import type { Learner } from "../../../src/train/learner.ts";
import { normals } from "../../../src/numeric/rng.ts";
import { host, tinySpec } from "../support.ts";

it.each(["turn", "full"] as const)(
  "weighted scores of single tokens add up to the gradient of one backward pass, in %s context",
  async (context) => {
    const spec = tinySpec({ context, environment: { maxTurns: 3 } });
    const experiment = await Experiment.open(spec, await host());
    const [learner] = experiment.learners as Learner[];
    const model = learner!.actor;
    const episodes = await playIteration(
      { spec, family: experiment.family, clock: () => 0 },
      learner!,
      1,
    );
    const batch = batchOfEpisodes(episodes, 1);
    const N = batch.tokenStart.at(-1)!;
    const weights = normals(
      { seed: 1, stream: "weights", iteration: 0, trajectory: 0, step: 0 },
      N,
    );
    // Some turns whose tokens weigh the same, which are one pass each.
    for (let k = 0; k < batch.turnReward.length; k += 2)
      weights.fill(weights[batch.tokenStart[k]!]!, batch.tokenStart[k], batch.tokenStart[k + 1]);

    const placed = placeRows(episodes.map((episode) => episodeRow(episode, context, false)));
    const dLogprob = scatter(weights, placed.tokenAt, placed.rows);
    await model.backward({ rows: placed.rows, temperature: 1, dLogprob });
    const whole = await takeGradient(model);

    const sum = new Float64Array(whole.length);
    // Two rows, of which the other pushes all tokens alike: two passes a turn at most.
    const units = unitsOf([weights, new Float64Array(N).fill(0.5)], batch.tokenStart);
    expect(units[0]).toHaveLength(1);
    expect(Math.max(...units.map(({ length }) => length))).toBe(2);
    await eachScore({ model, context, temperature: 1, episodes, units }, (unit, score) =>
      score.forEach((s, i) => (sum[i]! += along(unit, weights) * s)),
    );
    const off = Math.sqrt(whole.reduce((total, g, i) => total + (g - sum[i]!) ** 2, 0));
    const size = Math.sqrt(whole.reduce((total, g) => total + g * g, 0));
    expect(size).toBeGreaterThan(0.01);
    expect(off / size).toBeLessThan(1e-4);
    experiment.dispose();
  },
);
