/** Model folders in Hugging Face's layout, read through any reader of named files: Node's disk, fetch, OPFS. */
import type { WeightMap } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { LM_HEAD, parameterShapes, VALUE_BIAS, VALUE_WEIGHT } from "../engine/parameters.ts";
import { InputError, show } from "../spec/inputError.ts";
import { jsonOrNothing } from "../spec/jsonText.ts";
import { checkFile, CHECKSUMS, parseChecksums, type Checksums } from "./checksums.ts";
import { formatModelConfig, parseModelConfig } from "./config.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";

/** Rejects when there is no such file. */
type ReadModelFile = (name: string) => Promise<ArrayBuffer | Uint8Array>;

export interface LoadedModel {
  config: ModelConfig;
  /** Exactly the tensors of the config, plus the value head's where the folder has one. */
  weights: WeightMap;
}

const CONFIG = "config.json";
const SINGLE = "model.safetensors";
const INDEX = "model.safetensors.index.json";

/** transformers' token-classification head, as critics are stored, under our names. */
const ALIASES: Record<string, string> = { "score.weight": VALUE_WEIGHT, "score.bias": VALUE_BIAS };

/** A folder's files, and what each must be where the folder says so. */
interface FolderSource {
  readFile: ReadModelFile;
  checksums: Checksums | null;
}

/**
 * Reads and checks a model folder, each file also against SHA256SUMS where the folder has that.
 * @throws InputError with one sentence that names the file and tensor at fault.
 */
export async function loadModelFolder(readFile: ReadModelFile): Promise<LoadedModel> {
  const source = { readFile, checksums: await readChecksums(readFile) };
  const config = parseModelConfig(await folderText(source, CONFIG));
  const tensors = await readTensors(source);
  return { config, weights: pickWeights(config, tensors) };
}

async function readChecksums(readFile: ReadModelFile): Promise<Checksums | null> {
  const content = await readFile(CHECKSUMS).catch(() => null);
  return content && parseChecksums(new TextDecoder().decode(content));
}

async function folderBytes(source: FolderSource, name: string): Promise<Uint8Array> {
  const content = await source.readFile(name).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError(`${name} cannot be read: ${why}`);
  });
  return checkedBytes(source, name, content);
}

async function checkedBytes(
  { checksums }: FolderSource,
  name: string,
  content: ArrayBuffer | Uint8Array,
): Promise<Uint8Array> {
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(content);
  await checkFile(checksums, name, bytes);
  return bytes;
}

async function folderText(source: FolderSource, name: string): Promise<string> {
  return new TextDecoder().decode(await folderBytes(source, name));
}

/** All tensors of the one file or of the shards that the index names. */
async function readTensors(source: FolderSource): Promise<WeightMap> {
  // The single file first: a web server may answer anything for a name it does not know.
  const single = await source.readFile(SINGLE).catch(() => null);
  if (single) return readSafetensors(await checkedBytes(source, SINGLE, single), SINGLE);
  const content = await source.readFile(INDEX).catch(() => {
    throw new InputError(`the model folder has neither ${SINGLE} nor ${INDEX}`);
  });
  const index = new TextDecoder().decode(await checkedBytes(source, INDEX, content));
  const places = parseIndex(index);
  const tensors: WeightMap = new Map();
  for (const file of new Set(places.values())) {
    for (const [name, tensor] of readSafetensors(await folderBytes(source, file), file)) {
      if (places.get(name) === file) tensors.set(name, tensor);
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

/** Tensor name to file name. */
function parseIndex(text: string): Map<string, string> {
  const { weight_map: map } = Object(jsonOrNothing(text)) as { weight_map?: unknown };
  if (typeof map !== "object" || map === null) {
    throw new InputError(
      `${INDEX} starts ${show(text.slice(0, 30))}; it must be a JSON object with weight_map`,
    );
  }
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

/** The config's tensors, checked; a redundant tied head and old rotary buffers are left out. */
function pickWeights(config: ModelConfig, tensors: WeightMap): WeightMap {
  const found: WeightMap = new Map();
  for (const [name, tensor] of tensors) found.set(ALIASES[name] ?? name, tensor);
  const shapes = parameterShapes(config, found.has(VALUE_WEIGHT) ? "shared" : "none");
  const weights: WeightMap = new Map();
  for (const [name, shape] of shapes) {
    const tensor = found.get(name) ?? absent(name, shape);
    if (tensor.shape.join() !== shape.join()) {
      throw new InputError(
        `tensor ${show(name)} has shape ${show(tensor.shape)}; by config.json it must be ${show(shape)}`,
      );
    }
    weights.set(name, { shape, data: tensor.data });
  }
  for (const name of found.keys()) if (!shapes.has(name)) checkExtra(config, name);
  return weights;
}

function absent(name: string, shape: number[]) {
  if (name === VALUE_BIAS) return { shape, data: new Float32Array(1) };
  throw new InputError(
    `tensor ${show(name)} is missing; by config.json it must have shape ${show(shape)}`,
  );
}

function checkExtra(config: ModelConfig, name: string): void {
  if (name === LM_HEAD && config.tieWordEmbeddings) return;
  if (name.endsWith("rotary_emb.inv_freq")) return;
  throw new InputError(
    `tensor ${show(name)} belongs to no part of the ${config.family} model in config.json`,
  );
}

/** The files of a folder that transformers and `loadModelFolder` read. */
export function exportModelFolder(
  config: ModelConfig,
  weights: WeightMap,
  dtype: "F32" | "BF16" = "F32",
): Map<string, Uint8Array> {
  return new Map([
    [CONFIG, new TextEncoder().encode(formatModelConfig(config))],
    [SINGLE, writeSafetensors(weights, dtype)],
  ]);
}
