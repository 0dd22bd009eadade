/** What a library has to offer to take part. All of it works in a page's worker; our engines' and the peers' WebGPU works in Node too. */
import type { Batch } from "./workload.ts";

export interface Trainer {
  /**
   * One training step, left on the device's queue at the latest when it resolves. A library that reads the loss
   * in each step returns it (before the update).
   */
  step(): Promise<number | void>;
  /** The present loss, of those that do not return it; not part of a step's time. */
  loss?(): Promise<number>;
}

export interface Decoder {
  /** From nothing: reads the prompts and appends that many tokens, the likeliest each time. [rows][tokens] */
  generate(tokens: number): Promise<number[][]>;
}

export interface Contender {
  /** Version and settings in words. */
  about: string;
  trainer(batch: Batch): Promise<Trainer>;
  decoder(): Promise<Decoder>;
  /** Bytes it says it holds itself, where the meter cannot see them. */
  bytes?(): number;
  dispose?(): void;
}

export type Family = "webgpu" | "wasm";

/** By name: the backend, and how it is called in tables. Ours come first, then the peers. */
export const CONTENDERS = {
  "turnbook-webgpu": { family: "webgpu", label: "**Turnbook webgpu**", ours: true },
  "jax-webgpu": { family: "webgpu", label: "jax-js webgpu", ours: false },
  "tfjs-webgpu": { family: "webgpu", label: "tfjs webgpu", ours: false },
  "referee-webgpu": { family: "webgpu", label: "our tuned use of tfjs, webgpu", ours: true },
  "turnbook-wasm": { family: "wasm", label: "**Turnbook wasm**", ours: true },
  "turnbook-wasm-2": { family: "wasm", label: "**Turnbook wasm, 2 workers**", ours: true },
  "jax-wasm": { family: "wasm", label: "jax-js wasm", ours: false },
  "tfjs-wasm": { family: "wasm", label: "tfjs wasm", ours: false },
  "referee-wasm": { family: "wasm", label: "our tuned use of tfjs, wasm", ours: true },
} satisfies Record<string, { family: Family; label: string; ours: boolean }>;

export type ContenderName = keyof typeof CONTENDERS;
export const NAMES = Object.keys(CONTENDERS) as ContenderName[];
