/** What the "This machine" page shows: facts, checks, timings and what follows from them. Plain data. */
import type { EngineInfo, EngineName } from "../engine/engine.ts";
import type { SelfCheck } from "../engine/selfCheck.ts";
import type { ModelPresetName } from "../spec/models.ts";

export interface HostFacts {
  /** Name and version, e.g. "Chrome 142". */
  browser: string;
  userAgent: string;
  cores: number | null;
  /** As the browser reports it: rounded, and capped at 8 in some. */
  memoryGiB: number | null;
}

export interface GpuFacts {
  /** In words; null without WebGPU. */
  adapter: string | null;
  /** Why there is no adapter. */
  why: string | null;
  software: boolean;
  /** Maximum bytes that an engine takes in total. */
  budget: number;
  features: string[];
  /** Limits that decide what fits; bytes or counts, as WebGPU names them. */
  limits: { name: string; value: number }[];
}

export interface EngineFacts {
  name: EngineName;
  backend: EngineInfo["backend"];
  /**
   * waiting, checking: not known yet. ready: starts, and its numbers are correct. referee: the one
   * that the others are compared with. unchecked: starts, but its numbers could not be compared.
   * refused: wrong numbers. absent: does not start, or fails before its numbers are known.
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

/** The name of an engine for readers. */
export function engineTitle({ name, backend }: Pick<EngineFacts, "name" | "backend">): string {
  return ENGINE_TITLES[`${name} ${backend}`] ?? `${name} on ${backend}`;
}

/** How fast one engine runs one model. */
export interface Timing {
  name: EngineName;
  backend: EngineInfo["backend"];
  model: ModelPresetName;
  /** Tokens of the measured training step. */
  tokens: number;
  /** Median milliseconds of a training step: forward, backward, gradient norm, update. */
  stepMs: number;
  /** Number of steps in the median; 0: only one step was timed, compilation included. */
  steps: number;
  /** Rows decoded in parallel. */
  rows: number;
  /** Sampled tokens per second, including the prompts' share of the time. */
  decodeRate: number;
  /** Bytes the engine held at that time: weights, gradients, moments, working memory, cache. */
  bytes: number;
}

/** Training tokens per second. */
export const trainRate = ({ tokens, stepMs }: Timing): number => (1000 * tokens) / stepMs;

/** Maximum seconds per iteration of one method of a preset. */
export interface ExpectedTime {
  preset: string;
  model: ModelPresetName;
  /** The engine that was timed. */
  name: EngineName;
  backend: EngineInfo["backend"];
  methods: number;
  /** Maximum turns played by all episodes. */
  turns: number;
  /** Maximum tokens of a turn's query, and of its answer. */
  query: number;
  answer: number;
  epochs: number;
  /** 2 for a critic of its own; absent: 1. */
  networks?: number;
  /** Per iteration of one method. */
  seconds: number;
  /** Bytes held by all methods of the preset together. */
  bytes: number;
}

/** Cost of a forward pass as a share of a training step, which is two forwards plus a backward that costs as much as two. */
export const FORWARD_SHARE = 0.25;

/** Rollout, one forward pass for the old log-probs, then E epochs of training steps. */
export function iterationSeconds(
  work: Pick<ExpectedTime, "turns" | "query" | "answer" | "epochs" | "networks">,
  decodeRate: number,
  trainRate: number,
): number {
  const { turns, query, answer, epochs, networks = 1 } = work;
  const tokens = networks * turns * (query + answer);
  return (turns * answer) / decodeRate + (tokens * (epochs + FORWARD_SHARE)) / trainRate;
}

export interface MachineReport {
  state: "examining" | "examined" | "measuring" | "measured";
  /** Current activity in words; null if idle. */
  doing: string | null;
  host: HostFacts;
  gpu: GpuFacts | null;
  /** Best first. */
  engines: EngineFacts[];
  /** The engine that "automatic" picks, and why no better one; null while unknown. */
  choice: { name: EngineName; backend: EngineInfo["backend"]; fallback: string | null } | null;
  timings: Timing[];
  /** Engines that were left out of the measurement, and why. */
  unmeasured: string[];
  expectations: ExpectedTime[];
}
