/** What the "This machine" page knows: facts, checks, timings and what follows from them. Plain data. */
import type { EngineInfo, EngineName } from "../engine/engine.ts";
import type { SelfCheck } from "../engine/selfCheck.ts";
import type { ModelPresetName } from "../spec/models.ts";

export interface HostFacts {
  /** Name and version, e.g. "Chrome 142". */
  browser: string;
  userAgent: string;
  cores: number | null;
  /** As the browser says it: rounded, and at most 8 in some. */
  memoryGiB: number | null;
}

export interface GpuFacts {
  /** In words; null without WebGPU. */
  adapter: string | null;
  /** Why there is no adapter. */
  why: string | null;
  software: boolean;
  /** Bytes that an engine takes of it in all, at most. */
  budget: number;
  features: string[];
  /** Limits that decide what fits; bytes or counts, as WebGPU names them. */
  limits: { name: string; value: number }[];
}

export interface EngineFacts {
  name: EngineName;
  backend: EngineInfo["backend"];
  /**
   * waiting, checking: not known yet. ready: starts, and its numbers are right. referee: what the others are compared with.
   * unchecked: starts, but nothing could be compared. refused: wrong numbers. absent: does not start, or fails
   * before its numbers are known.
   */
  state: "waiting" | "checking" | "ready" | "referee" | "unchecked" | "refused" | "absent";
  adapter: string | null;
  /** Why it is not ready. */
  why: string | null;
  check: SelfCheck | null;
  /** ISO time of a remembered check; null for one made just now. */
  checkedAt: string | null;
}

const ENGINE_TITLES: Record<string, string> = {
  "webgpu webgpu": "WebGPU",
  "wasm wasm": "WebAssembly",
  "tfjs webgpu": "TensorFlow.js on WebGPU",
  "tfjs wasm": "TensorFlow.js on WebAssembly",
  "tfjs cpu": "TensorFlow.js in plain JavaScript",
};

/** An engine as a reader knows it. */
export function engineTitle({ name, backend }: Pick<EngineFacts, "name" | "backend">): string {
  return ENGINE_TITLES[`${name} ${backend}`] ?? `${name} on ${backend}`;
}

/** How fast one engine is at one model. */
export interface Timing {
  name: EngineName;
  backend: EngineInfo["backend"];
  model: ModelPresetName;
  /** Tokens of the measured training step. */
  tokens: number;
  /** Median milliseconds of a training step: forward, backward, gradient norm, update. */
  stepMs: number;
  /** Steps the median is of; 0: the only one, compilation included. */
  steps: number;
  /** Rows decoded side by side. */
  rows: number;
  /** Sampled tokens a second, with the prompts' share of the time. */
  decodeRate: number;
  /** Bytes the engine held then: weights, gradients, moments, working memory, cache. */
  bytes: number;
}

/** Training tokens a second. */
export const trainRate = ({ tokens, stepMs }: Timing): number => (1000 * tokens) / stepMs;

/** Seconds that an iteration of one method of a preset takes, at most. */
export interface ExpectedTime {
  preset: string;
  model: ModelPresetName;
  /** Of the engine that the timing is of. */
  name: EngineName;
  backend: EngineInfo["backend"];
  methods: number;
  /** Turns played by all episodes, at most. */
  turns: number;
  /** Tokens of a turn's query, and of its answer, at most. */
  query: number;
  answer: number;
  epochs: number;
  /** Per iteration of one method. */
  seconds: number;
  /** What all methods of the preset hold together. */
  bytes: number;
}

/** A forward pass costs about this share of a training step, which is two forwards and a backward of two. */
export const FORWARD_SHARE = 0.25;

/** Rollout, one forward pass for the old log-probs, then E epochs of training steps. */
export function iterationSeconds(
  work: Pick<ExpectedTime, "turns" | "query" | "answer" | "epochs">,
  decodeRate: number,
  trainRate: number,
): number {
  const { turns, query, answer, epochs } = work;
  const tokens = turns * (query + answer);
  return (turns * answer) / decodeRate + (tokens * (epochs + FORWARD_SHARE)) / trainRate;
}

export interface MachineReport {
  state: "examining" | "examined" | "measuring" | "measured";
  /** What is being done, in words; null when nothing is. */
  doing: string | null;
  host: HostFacts;
  gpu: GpuFacts | null;
  /** Best first. */
  engines: EngineFacts[];
  /** What "automatic" takes, and why nothing better; null while unknown. */
  choice: { name: EngineName; backend: EngineInfo["backend"]; fallback: string | null } | null;
  timings: Timing[];
  /** Engines that were left out of the measurement, and why. */
  unmeasured: string[];
  expectations: ExpectedTime[];
}
