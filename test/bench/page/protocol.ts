/** What the bench asks of a page, and the page of its worker. */
import type { ContenderName } from "../contender.ts";
import type { Cell, Effort } from "../measure.ts";
import type { Workload } from "../workload.ts";

export type Job =
  | { kind: "cell"; contender: ContenderName; workload: Workload; effort: Effort }
  | { kind: "rate"; backend: "webgpu" | "wasm" }
  | { kind: "machine" };

export interface Machine {
  adapter: string;
  isolated: boolean;
}

export type Answer =
  | { kind: "cell"; cell: Cell }
  /** FLOP per second of the bare product. */
  | { kind: "rate"; rate: number }
  | { kind: "machine"; machine: Machine }
  | { kind: "error"; message: string };
