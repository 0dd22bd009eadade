/** Random but reproducible batches for tests, and batches of any shape for properties. */
import fc from "fast-check";
import { normals, uniforms, type RandomKey } from "../../src/numeric/rng.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";

export interface Draw {
  /** Standard deviation of log-ratios. */
  spread?: number;
  trajectories?: number;
  turns?: number;
  tokens?: number;
  /** Whether every trajectory has just the given number of turns of just that many tokens. */
  exact?: boolean;
}

/** Numbers at a time: a batch needs few of a stream. */
const CHUNK = 64;

/** A stream's numbers by place, drawn when they are asked for: those that drawing all of them gives. */
function drawn(draw: typeof normals, key: RandomKey): (i: number) => number {
  const chunks: Float64Array[] = [];
  return (i) => {
    const at = Math.floor(i / CHUNK);
    // Two numbers a step.
    chunks[at] ??= draw({ ...key, step: (at * CHUNK) / 2 }, CHUNK);
    return chunks[at][i % CHUNK]!;
  };
}

/** Every column filled; every third trajectory truncated; two trajectories a task. */
export function randomBatch(seed: number, draw: Draw = {}): TrajectoryBatch {
  const { spread = 0.15, trajectories = 4, turns = 3, tokens = 4, exact = false } = draw;
  let i = 0;
  const key = { seed, stream: "batches", iteration: 0, trajectory: 0, step: 0 };
  const [u, z] = [drawn(uniforms, key), drawn(normals, { ...key, stream: "normal" })];
  const count = (most: number) => (exact ? most : 1 + Math.floor(u(i++) * most));
  const list = <T>(n: number, make: (i: number) => T) =>
    Array.from({ length: n }, (_, j) => make(j));
  // Drawn apart, so that the other columns do not depend on them.
  const late = drawn(uniforms, { ...key, stream: "later" });
  let l = 0;
  const makeToken = () => {
    const oldLogprob = -0.1 - 2 * u(i++);
    const p = Math.exp(oldLogprob);
    return {
      rolloutLogprob: oldLogprob + 0.4 * (late(l++) - 0.5),
      sumPiSquared: p * p + (1 - p) * (1 - p) * late(l++),
      oldLogprob,
      logprob: oldLogprob + spread * z(i++),
      refLogprob: oldLogprob + 0.3 * z(i++),
      value: z(i++),
      newValue: z(i++),
    };
  };
  const apart = drawn(normals, { ...key, stream: "signals" });
  let j = 0;
  const signals = () => ({
    anchor: `s${Math.floor(4 * Math.abs(apart(j++)))}`,
    gain: apart(j++),
    action: `a${l % 2}`,
  });
  const makeTurn = () => ({
    reward: z(i++),
    value: z(i++),
    newValue: z(i++),
    tokens: list(count(tokens), makeToken),
    ...signals(),
    format: -late(l++),
    process: late(l++),
  });
  return decodeBatch({
    trajectories: list(trajectories, (b) => ({
      task: `t${b >> 1}`,
      greedyScore: apart(1000 + (b >> 1)),
      // The first group always differs, so that a filter by success leaves something.
      success: b === 0 || (b !== 1 && apart(1012 - b) > 0),
      ...ending(b % 3 !== 2, z(i++)),
      turns: list(count(turns), makeTurn),
    })),
  });
}

/** Only an episode that was cut off has a value after its last turn. */
const ending = (terminated: boolean, bootstrapValue: number) =>
  terminated ? { terminated } : { terminated, bootstrapValue };

const finite = (most: number) => fc.double({ min: -most, max: most, noNaN: true });

const anyToken = (logRatio: number) =>
  fc
    .record({ oldLogprob: finite(3).map((x) => -Math.abs(x)), d: finite(logRatio) })
    .map(({ oldLogprob, d }) => ({ oldLogprob, logprob: oldLogprob + d }));

const anyTurn = (logRatio: number) =>
  fc.record({
    reward: finite(2),
    value: finite(2),
    newValue: finite(2),
    tokens: fc.array(anyToken(logRatio), { minLength: 1, maxLength: 5 }),
  });

/** Batches of one to five trajectories with up to `turns` turns; log-ratios up to `logRatio` in size. */
export function anyBatch({ turns, logRatio }: { turns: number; logRatio: number }) {
  const trajectory = fc.record({
    task: fc.constantFrom("t0", "t1"),
    terminated: fc.boolean(),
    bootstrapValue: finite(2),
    turns: fc.array(anyTurn(logRatio), { minLength: 1, maxLength: turns }),
  });
  return fc.array(trajectory, { minLength: 1, maxLength: 5 }).map((drawn) =>
    decodeBatch({
      trajectories: drawn.map(({ terminated, bootstrapValue, ...rest }) => ({
        ...rest,
        ...ending(terminated, bootstrapValue),
      })),
    }),
  );
}
