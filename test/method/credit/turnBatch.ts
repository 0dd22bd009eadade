/** Batches whose turns are named by an id per position, for golden cases. */
import { decodeBatch } from "../../../src/record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../../src/method/trajectoryBatch.ts";
import type { Matrix } from "../../golden/load.ts";

/** [from, to) of each turn. */
export type Spans = [number, number][];

export interface Extra {
  /** Fields of trajectory b. */
  trajectory?: (b: number) => object;
  /** Fields of turn k of trajectory b. */
  turn?: (b: number, k: number) => object;
}

/** `tokens` gives each token's fields as [B][T] matrices. */
export function turnBatch(
  turns: Spans[],
  tokens: Record<string, Matrix>,
  { trajectory = () => ({}), turn = () => ({}) }: Extra = {},
): TrajectoryBatch {
  const fields = (b: number, t: number) =>
    Object.fromEntries(Object.entries(tokens).map(([key, x]) => [key, x[b]![t]!]));
  const trajectories = turns.map((spans, b) => ({
    ...trajectory(b),
    turns: spans.map(([from, to], k) => ({
      ...turn(b, k),
      tokens: Array.from({ length: to - from }, (_, i) => fields(b, from + i)),
    })),
  }));
  return decodeBatch({ trajectories });
}

/** Runs of equal ids from 0 on; -1 belongs to no turn. */
export function spansOfIds(ids: Matrix): Spans[] {
  return ids.map((row) => {
    const spans: Spans = [];
    row.forEach((id, t) => {
      if (id < 0) return;
      spans[id] ??= [t, t];
      spans[id][1] = t + 1;
    });
    return spans;
  });
}

/** Numbers of all turns' tokens, in order. */
export function packSpans(x: Matrix, turns: Spans[]): number[] {
  return turns.flatMap((spans, b) => spans.flatMap(([from, to]) => x[b]!.slice(from, to)));
}
