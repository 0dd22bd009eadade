/** Random but reproducible batches for tests. */
import { normals, uniforms } from "../../src/numeric/rng.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../src/record/trajectoryBatch.ts";

export interface Draw {
  /** Standard deviation of log-ratios. */
  spread?: number;
  trajectories?: number;
  turns?: number;
  tokens?: number;
  /** Whether every trajectory has just the given number of turns of just that many tokens. */
  exact?: boolean;
}

/** Every column filled; every third trajectory truncated; two trajectories a task. */
export function randomBatch(seed: number, draw: Draw = {}): TrajectoryBatch {
  const { spread = 0.15, trajectories = 4, turns = 3, tokens = 4, exact = false } = draw;
  let i = 0;
  const key = { seed, stream: "batches", iteration: 0, trajectory: 0, step: 0 };
  const [u, z] = [uniforms(key, 4096), normals({ ...key, stream: "normal" }, 4096)];
  const count = (most: number) => (exact ? most : 1 + Math.floor(u[i++]! * most));
  const list = <T>(n: number, make: (i: number) => T) =>
    Array.from({ length: n }, (_, j) => make(j));
  const makeToken = () => {
    const oldLogprob = -0.1 - 2 * u[i++]!;
    return {
      oldLogprob,
      logprob: oldLogprob + spread * z[i++]!,
      refLogprob: oldLogprob + 0.3 * z[i++]!,
      value: z[i++]!,
      newValue: z[i++]!,
    };
  };
  // Drawn apart, so that the other columns do not depend on them.
  const apart = normals({ ...key, stream: "signals" }, 1024);
  let j = 0;
  const signals = () => ({
    anchor: `s${Math.floor(4 * Math.abs(apart[j++]!))}`,
    gain: apart[j++]!,
  });
  const makeTurn = () => ({
    reward: z[i++]!,
    value: z[i++]!,
    newValue: z[i++]!,
    tokens: list(count(tokens), makeToken),
    ...signals(),
  });
  return decodeBatch({
    trajectories: list(trajectories, (b) => ({
      task: `t${b >> 1}`,
      terminated: b % 3 !== 2,
      greedyScore: apart[1000 + (b >> 1)]!,
      bootstrapValue: z[i++]!,
      turns: list(count(turns), makeTurn),
    })),
  });
}
