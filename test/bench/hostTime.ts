/** JavaScript time in words, and what was promised of ours. */
import { median, type Cell } from "./measure.ts";
import { number, spread } from "./numbers.ts";
import type { Workload } from "./workload.ts";

/** Median and range in milliseconds; "n/a" where the clock cannot tell it from nothing, a dash where nothing was submitted. */
export function hostWords({ host, hostNoise }: Pick<Cell, "host" | "hostNoise">): string {
  const middle = median(host);
  if (Number.isNaN(middle)) return "-";
  return middle < hostNoise ? "n/a" : number(middle) + spread(host);
}

/** Milliseconds at most, of the median. */
const PROMISED: Record<Workload, { most: number; per: string }> = {
  "train-128x16": { most: 1.5, per: "training step, T 128, B 16" },
  "train-64x4": { most: 1.5, per: "training step, T 64, B 4" },
  "decode-64": { most: 0.2, per: "decoded token" },
};

/** One line for a cell of our WebGPU engine. */
export function hostVerdict(workload: Workload, cell: Pick<Cell, "host" | "hostNoise">): string {
  const { most, per } = PROMISED[workload];
  const holds = median(cell.host) < most ? "holds" : "MISSED";
  return `- ${holds}: JavaScript under ${most} ms per ${per} (${hostWords(cell)} ms)`;
}
