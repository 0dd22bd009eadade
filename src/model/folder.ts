/** Model folders in Hugging Face's layout, through any reader of named files: Node's disk, fetch, OPFS. */
import type { WeightMap, WeightPiece } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { isRecord, parseJsonObject } from "../spec/jsonText.ts";
import { tokenizerIds } from "../text/tokenizerIds.ts";
import { checkFile, CHECKSUMS, parseChecksums, type Checksums } from "./checksums.ts";
import { formatModelConfig, parseModelConfig } from "./config.ts";
import { pickTensors, storedNames, type LoadedModel } from "./pickWeights.ts";
import {
  pieceArray,
  refusePointer,
  safetensorsHeader,
  tensorNumbers,
  writeSafetensors,
  type RangedFile,
  type StoredTensor,
} from "./safetensors.ts";

/** Rejects if there is no such file. */
type ReadModelFile = (name: string) => Promise<ArrayBuffer | Uint8Array>;

/** Rejects if there is no such file. */
export type OpenModelFile = (name: string) => Promise<RangedFile>;

const CONFIG = "config.json";
const SINGLE = "model.safetensors";
const INDEX = "model.safetensors.index.json";
const SHARD = /^model-\S+\.safetensors$/;
const ADAPTER = "adapter_config.json";
const TOKENIZER = "tokenizer.json";

/** Weights in formats that are not read, and what makes a folder of them. */
const FOREIGN = /\.(?:bin|pt|pth|gguf|onnx|h5|msgpack)$/;

/** Maximum ids that pad a vocabulary: Qwen's has up to 399. */
const PADDING = 1024;

/** A folder's files, and their checksums if the folder has them. */
interface FolderSource {
  open: OpenModelFile;
  checksums: Checksums | null;
  names: readonly string[];
}

/** A tensor and the file that holds it. */
interface PlacedTensor extends StoredTensor {
  name: string;
  file: string;
  source: RangedFile;
}

/** A checked folder whose weights are still in its files. */
export interface OpenedModel {
  config: ModelConfig;
  /** Sentences: contradictions in the folder, and what was used. */
  notes: string[];
  /** Bytes of the tensors in the files. */
  storedBytes: number;
  /** Whether all matrices are BF16. */
  halves: boolean;
  /** Those that hold the weights, and their index. */
  files: readonly string[];
  /** Of each tensor, under our names. */
  shapes: ReadonlyMap<string, readonly number[]>;
  /** Every tensor's numbers, file by file; an absent optional tensor has none. @throws InputError if one is not finite, or a file is cut meanwhile */
  pieces(): AsyncGenerator<WeightPiece>;
}

/**
 * Reads and checks a model folder, each file also against SHA256SUMS if the folder has that.
 * `names`: its files, if known.
 * @throws InputError with one sentence that names the file and tensor at fault.
 */
export async function loadModelFolder(
  readFile: ReadModelFile,
  names: readonly string[] = [],
): Promise<LoadedModel> {
  const opened = await openModelFolder(async (name) => inMemory(await readFile(name)), names);
  const { config, notes } = opened;
  return { config, weights: await wholeWeights(opened), notes };
}

/** All weights at once. */
export async function wholeWeights({ shapes, pieces }: OpenedModel): Promise<WeightMap> {
  const weights: WeightMap = new Map();
  for (const [name, shape] of shapes) {
    const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
    weights.set(name, { shape: [...shape], data });
  }
  for await (const { name, at, data } of pieces()) weights.get(name)!.data.set(data, at);
  return weights;
}

/**
 * Checks a model folder by its configuration, its tokenizer's size and the headers of its weights, which `pieces` then reads: a file
 * is never in memory as a whole. `names`: the folder's files.
 * @throws InputError as loadModelFolder
 */
export async function openModelFolder(
  open: OpenModelFile,
  names: readonly string[],
): Promise<OpenedModel> {
  refuseAdapter(names);
  const source = { open, checksums: await readChecksums(open), names };
  const given = parseModelConfig(await folderText(source, CONFIG));
  const stored = await placedTensors(source);
  const { config, tensors, notes } = await pickTensors(given, stored, sameNumbers);
  if (names.includes(TOKENIZER)) checkTokenizer(await folderText(source, TOKENIZER), config);
  if ([SINGLE, INDEX].every((name) => names.includes(name)))
    notes.push(`the folder has ${SINGLE} and ${INDEX}; the first is used, as in transformers`);
  const present = [...tensors].filter((one): one is [string, PlacedTensor] => one[1] !== null);
  const storedBytes = present.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  const halves = present.every(([, { dtype, shape }]) => shape.length === 1 || dtype === "BF16");
  const shapes = new Map([...tensors].map(([name, tensor]) => [name, tensor?.shape ?? [1]]));
  const shards = [...new Set([...stored.values()].map(({ file }) => file))];
  const files = shards[0] === SINGLE ? shards : [INDEX, ...shards];
  return { config, notes, storedBytes, halves, files, shapes, pieces: () => piecesOf(present) };
}

/** An adapter's weights mean nothing without those that it was trained on. */
function refuseAdapter(names: readonly string[]): void {
  if (names.includes(CONFIG) || !names.includes(ADAPTER)) return;
  throw new InputError(
    `the folder has ${ADAPTER} and no ${CONFIG}: it is an adapter; choose the folder of the model that it belongs to, or merge the two`,
  );
}

function inMemory(content: ArrayBuffer | Uint8Array): RangedFile {
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(content);
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/** `tensors` under our names, in any order. */
async function* piecesOf(tensors: [string, PlacedTensor][]): AsyncGenerator<WeightPiece> {
  const inOrder = tensors.toSorted(([, a], [, b]) =>
    a.file === b.file ? a.at - b.at : a.file < b.file ? -1 : 1,
  );
  const numbers = pieceArray(inOrder.map(([, tensor]) => tensor));
  for (const [name, tensor] of inOrder)
    for await (const piece of numbersOf(tensor, numbers)) yield { name, ...piece };
}

/** Whether two tensors of one shape hold the same numbers, whatever their types. */
async function sameNumbers(a: PlacedTensor, b: PlacedTensor): Promise<boolean> {
  const others = numbersOf(b);
  for await (const { data } of numbersOf(a)) {
    const other = (await others.next()).value!.data;
    for (let i = 0; i < data.length; i++) if (data[i] !== other[i]) return false;
  }
  return true;
}

const numbersOf = (tensor: PlacedTensor, numbers?: Float32Array<ArrayBuffer>) =>
  tensorNumbers(tensor.source, tensor, tensor.file, tensor.name, numbers);

async function readChecksums(open: OpenModelFile): Promise<Checksums | null> {
  const file = await open(CHECKSUMS).catch(() => null);
  return file && parseChecksums(new TextDecoder().decode(await file.read(0, file.size)));
}

/** @throws InputError if the file cannot be read, or does not match its checksum. */
async function folderFile(source: FolderSource, name: string): Promise<RangedFile> {
  const file = await source.open(name).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError(`${name} cannot be read: ${why}`);
  });
  await checkFile(source.checksums, name, file);
  return file;
}

async function folderText(source: FolderSource, name: string): Promise<string> {
  const file = await folderFile(source, name);
  const content = await file.read(0, file.size);
  refusePointer(content, name);
  return new TextDecoder().decode(content);
}

/** @throws InputError if the tokenizer is that of a model with another vocabulary. */
function checkTokenizer(text: string, { vocabSize }: ModelConfig): void {
  const ids = tokenizerIds(parseJsonObject(text, TOKENIZER));
  const size = [...ids.values()].reduce((a, b) => Math.max(a, b), -1) + 1;
  if (size <= vocabSize && size >= vocabSize - PADDING) return;
  throw new InputError(
    `${TOKENIZER} has ids up to ${size - 1}, and by config.json the model's vocab_size is ${vocabSize}; ` +
      `put the model's own ${TOKENIZER} there (at most ${PADDING} ids may be without a token)`,
  );
}

/** All tensors of the single file, or of the shards in the index. */
async function placedTensors(source: FolderSource): Promise<Map<string, PlacedTensor>> {
  const placed = async (file: string, from: RangedFile) => {
    const header = await safetensorsHeader(from, file);
    return [...header].map(([name, tensor]): PlacedTensor => ({
      ...tensor,
      name,
      file,
      source: from,
    }));
  };
  // The single file first: a web server may answer anything for an unknown name.
  const single = await source.open(SINGLE).catch(() => null);
  if (single) {
    await checkFile(source.checksums, SINGLE, single);
    return new Map((await placed(SINGLE, single)).map((tensor) => [tensor.name, tensor]));
  }
  const places = parseIndex(await indexText(source));
  const tensors = new Map<string, PlacedTensor>();
  for (const file of new Set(places.values())) {
    for (const tensor of await placed(file, await shard(source, file))) {
      const { name } = tensor;
      // transformers would load everything in the shards, the last of duplicates: not what the
      // index says.
      if (places.get(name) !== file) refusePlace(name, file, places.get(name));
      tensors.set(name, tensor);
    }
  }
  for (const [name, file] of places) {
    if (!tensors.has(name)) {
      throw new InputError(
        `${INDEX} places tensor ${show(name)} in ${file}, which does not hold it`,
      );
    }
  }
  return tensors;
}

async function shard(source: FolderSource, file: string): Promise<RangedFile> {
  const known = source.names.length === 0 || source.names.includes(file);
  if (known) return folderFile(source, file);
  throw new InputError(
    `${file} cannot be read: it is missing, and ${INDEX} names it; download it again`,
  );
}

async function indexText(source: FolderSource): Promise<string> {
  const index = await source.open(INDEX).catch(() => {
    const part = source.names.find((name) => SHARD.test(name));
    if (part)
      throw new InputError(
        `the model folder has ${part}, a part of the weights, but no ${INDEX}, which names the parts; download it too`,
      );
    const other = source.names.find((name) => FOREIGN.test(name));
    const how = `save_pretrained(DIR, safe_serialization=True) of transformers writes such a folder`;
    throw new InputError(
      `the model folder has neither ${SINGLE} nor ${INDEX}${other ? `, but ${other}, which is not read; ${how}` : ""}`,
    );
  });
  await checkFile(source.checksums, INDEX, index);
  return new TextDecoder().decode(await index.read(0, index.size));
}

function refusePlace(name: string, file: string, place: string | undefined): never {
  const says = place ? `places it in ${place}` : "does not name it";
  throw new InputError(`${file} holds tensor ${show(name)}, but ${INDEX} ${says}; make them agree`);
}

/** Tensor name to file name. */
function parseIndex(text: string): Map<string, string> {
  const { weight_map: map } = parseJsonObject(text, INDEX);
  if (!isRecord(map))
    throw new InputError(`${INDEX}: weight_map is ${show(map)}; it must be an object`);
  const places = new Map<string, string>();
  for (const [name, file] of Object.entries(map)) {
    if (typeof file !== "string" || !/^[\w.-]+\.safetensors$/.test(file)) {
      throw new InputError(
        `${INDEX}: weight_map of ${show(name)} is ${show(file)}; it must be the name of a safetensors file in the folder`,
      );
    }
    places.set(name, file);
  }
  return places;
}

/** The files of a folder that transformers and `loadModelFolder` read. */
export function exportModelFolder(
  config: ModelConfig,
  weights: WeightMap,
  dtype: "F32" | "BF16" = "F32",
): Map<string, Uint8Array> {
  return new Map([
    [CONFIG, new TextEncoder().encode(formatModelConfig(config, dtype))],
    [SINGLE, writeSafetensors(storedNames(config, weights), dtype)],
  ]);
}
