/** Copies the outputs of passes to their tokens' positions in the rows. */
import type { ForwardRequest, ForwardResult } from "../engine.ts";
import type { ForwardJob } from "./jobs.ts";

/** By name: policy [3, M], value [R] or for the kept rows [N], logits [R, V]. */
export type Outputs = Record<string, Float32Array>;

export class PassResults {
  readonly result: ForwardResult;
  readonly #V: number;

  constructor({ rows, entropy, value, kl, logits }: ForwardRequest, V: number) {
    this.#V = V;
    const size = rows.B * rows.L;
    this.result = { logprob: new Float32Array(size) }; // [B, L]
    if (entropy) this.result.entropy = new Float32Array(size); // [B, L]
    if (value) this.result.value = new Float32Array(size); // [B, L]
    if (kl) this.result.kl = new Float32Array(size); // [B, L]
    if (logits) this.result.logits = new Float32Array(size * V); // [B, L, V]
  }

  take(
    { policy, value, logits }: Outputs,
    { pass: { source }, targets: { M, index }, kept }: ForwardJob,
    wanted: (index: number) => boolean,
  ): void {
    const { logprob, entropy, kl } = this.result;
    [logprob, entropy, kl].forEach((into, kind) => {
      if (into && policy) index.forEach((at, i) => (into[at] = policy[kind * M + i]!));
    });
    source.forEach((at, row) => {
      if (at < 0 || !wanted(at)) return;
      if (value) this.result.value![at] = value[kept ? kept.keep[row]! : row]!;
      if (logits) this.result.logits!.set(this.#rowOf(logits, row), at * this.#V);
    });
  }

  #rowOf(logits: Float32Array, row: number): Float32Array {
    return logits.subarray(row * this.#V, (row + 1) * this.#V);
  }
}
