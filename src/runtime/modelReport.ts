/** What the page of the reader's own model asks of its worker, and what it is told. */
import type { ModelConfig } from "../engine/modelConfig.ts";
import type { WeightForm } from "../model/loadOpened.ts";
import type { LogitsDifference } from "../model/logitsDifference.ts";
import type { ModelSpeed } from "../model/speed.ts";
import type { HashedFile } from "../model/textFolder.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { Message } from "../text/chatTemplate.ts";

/** From so many bytes of parameters on, an engine's threads would each copy too much. */
export const LARGE_MODEL = 2 ** 28;

/** What the model continues: messages by its chat template, or plain text. */
export type Prompt = { messages: readonly Message[]; thinks?: boolean } | { text: string };

export interface SayRequest {
  type: "say";
  id: number;
  prompt: Prompt;
  maxTokens: number;
  /** 0 means greedy. */
  temperature: number;
  topP: number;
  seed: number;
}

export type ModelRequest =
  /** Reads a folder's headers and text files, and plans its memory; nothing is loaded. */
  | {
      type: "openFolder";
      name: string;
      files: ReadonlyMap<string, Blob>;
      backend: ExperimentSpec["engine"]["backend"];
      weights: WeightForm;
    }
  | { type: "loadFolder" }
  /** Measures for about ten seconds how fast the loaded model is. */
  | { type: "measureFolder" }
  | SayRequest
  /** Ends what is being said. */
  | { type: "hush" }
  /** Scores the tokens of a text. */
  | { type: "scoreText"; id: number; prompt: Prompt }
  /** How far the weights as loaded are from those stored, on the first tokens of a text; loads both in turn. */
  | { type: "compareStored"; id: number; prompt: Prompt }
  /** Scores what was said in each turn of an episode, after what had been read. */
  | { type: "scoreTurns"; id: number; turns: readonly TurnToScore[] }
  /** Frees the weights. */
  | { type: "closeFolder" };

export interface TurnToScore {
  messages: readonly Message[];
  response: string;
}

export interface FolderFacts {
  name: string;
  config: ModelConfig;
  parameters: number;
  /** Bytes of the weights in their files. */
  storedBytes: number;
  tokens: number;
  hasTemplate: boolean;
  hasThinking: boolean;
  /** Sentences: contradictions in the folder, and what was used. */
  notes: string[];
  /** Null while it is computed. */
  hash: string | null;
  files: (Omit<HashedFile, "sha256"> & { sha256: string | null })[];
}

export interface ModelPlan {
  engine: string;
  backend: string;
  adapter: string;
  /** Why a better engine is not used; null if it is the first choice. */
  fallback: string | null;
  /** Bytes by part. */
  parts: Record<string, number>;
  /** Tokens of a row that it is made for. */
  context: number;
}

export interface MeasuredSpeed extends ModelSpeed {
  /** Seconds of an iteration of GRPO on Sokoban in words with adapters; null if the folder has no chat template. */
  iteration: number | null;
  /** Of such an iteration. */
  episodes: number;
}

export interface ModelReport {
  state: "empty" | "opening" | "read" | "loading" | "ready" | "busy";
  /** Bytes read of all, while files are hashed or weights loaded. */
  hashed: { done: number; total: number } | null;
  loaded: { done: number; total: number } | null;
  folder: FolderFacts | null;
  plan: ModelPlan | null;
  speed: MeasuredSpeed | null;
  problem: { message: string; action: string } | null;
}

export interface SaidToken {
  id: number;
  /** "" if the token ends within a character, which a later one then ends. */
  text: string;
  logprob: number;
  /** In nats; only of scored tokens. */
  entropy?: number;
  /** Of an episode, from 0. */
  turn?: number;
}

export type ModelMessage =
  | { type: "model"; report: ModelReport }
  /** Tokens in order; with `ended` the last of them. */
  | { type: "said"; id: number; tokens: SaidToken[]; ended: SaidEnd | null };

export interface SaidEnd {
  why: "stop" | "limit" | "hushed" | "scored" | "compared" | "failed";
  promptTokens: number;
  seconds: number;
  /** From the stored weights; only of a comparison. */
  difference?: LogitsDifference;
}
