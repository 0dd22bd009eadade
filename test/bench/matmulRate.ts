/** How fast our own bare product runs on an executor: the floor under everything else. */
import type { Executor } from "../../src/engine/plan/executor.ts";
import type { Matmul } from "../../src/engine/plan/ops/layers.ts";
import { PlanBuilder } from "../../src/engine/plan/planner.ts";
import { median } from "./measure.ts";

export type Layout = Matmul["layout"];
export const LAYOUTS: readonly Layout[] = ["NT", "NN", "TN"];

/** M, N, K of the training step's products for that many tokens: the MLP's, the attention's and the head's. */
export function productSizes(tokens: number, layout: Layout): [number, number, number][] {
  const pairs = [
    [768, 128],
    [128, 384],
    [384, 128],
    [128, 128],
    [256, 128],
  ] as const;
  // The gradient of a weight sums over the tokens; the other two keep them as rows.
  return pairs.map(([out, into]) => {
    if (layout === "TN") return [out, into, tokens];
    return layout === "NT" ? [tokens, out, into] : [tokens, into, out];
  });
}

export interface Timer {
  executor: Executor;
  /** Until everything submitted is done. */
  settle(): Promise<void>;
}

/** FLOP per second of one product, dispatched `times` times on end; the median of five. */
export async function productRate(
  { executor, settle }: Timer,
  layout: Layout,
  [M, N, K]: [number, number, number],
): Promise<number> {
  const b = new PlanBuilder("product");
  const view = (size: number) => b.temp(size);
  b.add({ op: "matmul", layout, a: view(M * K), b: view(N * K), out: view(M * N), M, N, K });
  const runnable = await executor.compile(b.finish(executor.limits), new Map());
  const flops = 2 * M * N * K;
  const seconds = async (times: number) => {
    const start = performance.now();
    for (let i = 0; i < times; i++) executor.run(runnable, new Int32Array(0));
    await settle();
    return (performance.now() - start) / 1000;
  };
  await seconds(2);
  const once = await seconds(2);
  // About 50 ms at a time, so that starting and stopping do not count.
  const times = Math.min(2000, Math.max(1, Math.round((2 * 0.05) / once)));
  const all: number[] = [];
  for (let i = 0; i < 5; i++) all.push(await seconds(times));
  runnable.dispose();
  return (times * flops) / median(all);
}

/** FLOP per second of all products of a training step over that many tokens, each once. */
export async function stepRate(timer: Timer, tokens: number): Promise<number> {
  let [flops, seconds] = [0, 0];
  for (const layout of LAYOUTS) {
    for (const size of productSizes(tokens, layout)) {
      const work = 2 * size[0] * size[1] * size[2];
      flops += work;
      seconds += work / (await productRate(timer, layout, size));
    }
  }
  return flops / seconds;
}
