/** Folders in the shapes of Qwen's small models with made-up weights, and what opening one takes. */
import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openNodeEngine } from "../../src/cli/engine.ts";
import { rangedFile } from "../../src/cli/readFile.ts";
import type { WeightPiece } from "../../src/engine/engine.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { parameterShapes } from "../../src/engine/parameters.ts";
import { formatModelConfig } from "../../src/model/config.ts";
import { openModelFolder } from "../../src/model/folder.ts";
import { loadOpened, readingConfig, type WeightForm } from "../../src/model/loadOpened.ts";
import { speak } from "../../src/model/speak.ts";
import { openTextFolder } from "../../src/model/textFolder.ts";
import { normals } from "../../src/numeric/rng.ts";
import { talkerTokenizerFiles } from "../../src/text/talkerTokenizer.ts";

const VOCABULARY = 151_936;

/** From the models' config.json on Hugging Face. */
const SHAPES = {
  "qwen2.5-0.5b": {
    family: "qwen2",
    vocabSize: VOCABULARY,
    hiddenSize: 896,
    layers: 24,
    heads: 14,
    kvHeads: 2,
    headDim: 64,
    intermediateSize: 4864,
    ropeTheta: 1_000_000,
    rmsNormEps: 1e-6,
    tieWordEmbeddings: true,
    attentionBias: true,
    maxPositions: 32_768,
  },
  "qwen3-0.6b": {
    family: "qwen3",
    vocabSize: VOCABULARY,
    hiddenSize: 1024,
    layers: 28,
    heads: 16,
    kvHeads: 8,
    headDim: 128,
    intermediateSize: 3072,
    ropeTheta: 1_000_000,
    rmsNormEps: 1e-6,
    tieWordEmbeddings: true,
    attentionBias: false,
    maxPositions: 40_960,
  },
  /** As little as may be beside the whole vocabulary. */
  "qwen3-thin": {
    family: "qwen3",
    vocabSize: VOCABULARY,
    hiddenSize: 64,
    layers: 2,
    heads: 2,
    kvHeads: 1,
    headDim: 32,
    intermediateSize: 128,
    ropeTheta: 1_000_000,
    rmsNormEps: 1e-6,
    tieWordEmbeddings: true,
    attentionBias: false,
    maxPositions: 40_960,
  },
} satisfies Record<string, ModelConfig>;

interface FolderOptions {
  shape: keyof typeof SHAPES;
  layers?: number;
  seed: number;
  /** Files that share the weights. */
  shards: number;
}

interface PlacedShape {
  name: string;
  shape: number[];
  numbers: number;
}

/** Writes config.json and BF16 weights, 2 MiB at a time; returns the bytes of the weights. */
export function writeFolder(out: string, { shape, layers, seed, shards }: FolderOptions): number {
  const config: ModelConfig = { ...SHAPES[shape], ...(layers && { layers }) };
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "config.json"), formatModelConfig(config, "BF16"));
  const all = [...parameterShapes(config, "none")].map(([name, dims]): PlacedShape => ({
    name,
    shape: dims,
    numbers: dims.reduce((a, b) => a * b, 1),
  }));
  const bytes = 2 * all.reduce((sum, { numbers }) => sum + numbers, 0);
  const parts = split(all, bytes / shards);
  const nameOf = (i: number) =>
    parts.length === 1
      ? "model.safetensors"
      : `model-${String(i + 1).padStart(5, "0")}-of-${String(parts.length).padStart(5, "0")}.safetensors`;
  parts.forEach((part, i) => writeShard(join(out, nameOf(i)), part, seed));
  if (parts.length > 1) {
    const places = parts.flatMap((part, i) => part.map(({ name }) => [name, nameOf(i)] as const));
    const index = { metadata: { total_size: bytes }, weight_map: Object.fromEntries(places) };
    writeFileSync(join(out, "model.safetensors.index.json"), JSON.stringify(index));
  }
  return bytes;
}

/** Of Qwen's 151,643 merged tokens. */
const MERGED = 151_643;

/** The talker's tokenizer with made-up tokens, which no text gives, between its own and the added ones: as long a file as Qwen's. */
export function writeTokenizer(out: string): void {
  const { tokenizer, config } = talkerTokenizerFiles();
  const { model, added_tokens: added } = tokenizer as {
    model: { vocab: Record<string, number> };
    added_tokens: { id: number }[];
  };
  for (let id = added[0]!.id; id < MERGED; id++) model.vocab[`\u0120unused${id}`] = id;
  added.forEach((token, i) => (token.id = MERGED + i));
  const { added_tokens_decoder: _listed, ...settings } = config as Record<string, unknown>;
  writeFileSync(join(out, "tokenizer.json"), JSON.stringify(tokenizer));
  writeFileSync(join(out, "tokenizer_config.json"), JSON.stringify(settings));
}

/** The most likely tokens after a message, without thinking. */
export async function sayInNode(folder: string, content: string, maxTokens: number) {
  const engine = await openNodeEngine({ name: "wasm", backend: "wasm" });
  const open = async (name: string) => rangedFile("DIR", join(folder, name));
  const { opened, template, tokenizer, stopIds } = await openTextFolder(open, readdirSync(folder));
  const model = await loadOpened(engine, opened);
  const text = template!([{ role: "user", content }], {
    addGenerationPrompt: true,
    enableThinking: false,
  });
  const said: number[] = [];
  const asked = {
    ids: tokenizer.encode(text),
    maxTokens,
    stopIds,
    temperature: 0,
    topP: 1,
    seed: 1,
  };
  for await (const some of speak(model, asked)) for (const { id } of some) said.push(id);
  engine.dispose();
  return said;
}

/** Tensors in order, in lists of about this many bytes. */
function split(all: PlacedShape[], bytes: number): PlacedShape[][] {
  const parts: PlacedShape[][] = [[]];
  let held = 0;
  for (const one of all) {
    if (held >= bytes) {
      parts.push([]);
      held = 0;
    }
    parts.at(-1)!.push(one);
    held += 2 * one.numbers;
  }
  return parts;
}

function writeShard(path: string, tensors: PlacedShape[], seed: number): void {
  let end = 0;
  const entries = tensors.map(({ name, shape, numbers }) => {
    const data_offsets = [end, (end += 2 * numbers)];
    return [name, { dtype: "BF16", shape, data_offsets }] as const;
  });
  const header = Buffer.from(
    JSON.stringify({ __metadata__: { format: "pt" }, ...Object.fromEntries(entries) }),
  );
  const length = Buffer.alloc(8);
  length.writeUInt32LE(header.length);
  const file = openSync(path, "w");
  try {
    writeSync(file, Buffer.concat([length, header]));
    for (const tensor of tensors) writeNumbers(file, tensor, seed);
  } finally {
    closeSync(file);
  }
}

const BLOCK = 2 ** 20;

/** Norms 1 with a spread of 0.1, the others 0.02 about 0: drawn from a table of normal numbers by a xorshift of (seed, name). */
function writeNumbers(file: number, { name, numbers }: PlacedShape, seed: number): void {
  const norm = name.endsWith("norm.weight");
  const table = tableOf(norm ? 1 : 0, norm ? 0.1 : 0.02);
  let x = [...`${seed} ${name}`].reduce((h, c) => Math.imul(h ^ c.charCodeAt(0), 16_777_619), 1);
  x ||= 1;
  const block = new Uint16Array(Math.min(BLOCK, numbers));
  for (let at = 0; at < numbers; at += BLOCK) {
    const part = block.subarray(0, Math.min(BLOCK, numbers - at));
    for (let i = 0; i < part.length; i++) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      part[i] = table[x >>> 16]!;
    }
    writeSync(file, part);
  }
}

const tables = new Map<string, Uint16Array>();

/** BF16 patterns of normal numbers. [65536] */
function tableOf(mean: number, spread: number): Uint16Array {
  const key = `${mean} ${spread}`;
  const known = tables.get(key);
  if (known) return known;
  const draws = normals(
    { seed: 1, stream: "made-up weights", iteration: 0, trajectory: 0, step: 0 },
    2 ** 16,
  );
  const bits = new Uint32Array(Float32Array.from(draws, (z) => mean + spread * z).buffer);
  const table = Uint16Array.from(bits, (b) => b >>> 16);
  tables.set(key, table);
  return table;
}

/** Opens a folder in the wasm engine and reads the logits of one row. Megabytes; `javascript` is all but the engine's memory. */
export async function measureOpening(folder: string, ids: number[], form: WeightForm) {
  const engine = await openNodeEngine({ name: "wasm", backend: "wasm" });
  const sample = { javascript: 0, pieces: 0, largest: 0 };
  const look = () => {
    const { heapUsed, external } = process.memoryUsage();
    sample.javascript = Math.max(
      sample.javascript,
      heapUsed + external - engine.memory().poolBytes,
    );
  };
  async function* watched(pieces: AsyncIterable<WeightPiece>) {
    for await (const piece of pieces) {
      sample.pieces++;
      sample.largest = Math.max(sample.largest, piece.data.byteLength);
      look();
      yield piece;
    }
  }
  const started = performance.now();
  const open = async (name: string) => rangedFile("DIR", join(folder, name));
  const opened = await openModelFolder(open, readdirSync(folder));
  const headers = performance.now();
  const config = readingConfig(opened, form);
  const plan = engine.memoryPlan!(config, "none", ids.length);
  const model = await engine.streamModel!(config, watched(opened.pieces()), "none");
  const loaded = performance.now();
  const L = ids.length;
  const position = Int32Array.from({ length: L }, (_, t) => t); // [1, L]
  const rows = { B: 1, L, ids: Int32Array.from(ids), position, segment: new Int32Array(L) };
  const { logits } = await model.forward({ rows, temperature: 1, logits: true });
  look();
  const { bytes, poolBytes } = engine.memory();
  const result = {
    stored: opened.storedBytes / 1e6,
    plan: Object.values(plan).reduce((a, b) => a + b, 0) / 1e6,
    device: bytes / 1e6,
    deviceHeld: poolBytes / 1e6,
    javascript: sample.javascript / 1e6,
    pieces: sample.pieces,
    largest: sample.largest / 1e6,
    peak: process.resourceUsage().maxRSS / 1e3,
    seconds: {
      headers: (headers - started) / 1000,
      weights: (loaded - headers) / 1000,
      logits: (performance.now() - loaded) / 1000,
    },
    finite: logits!.every(Number.isFinite),
  };
  engine.dispose();
  return result;
}
