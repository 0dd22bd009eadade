/** Model folders in Hugging Face's layout, through any reader of named files: Node's disk, fetch, OPFS. */
import type { WeightMap } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { isRecord, parseJsonObject } from "../spec/jsonText.ts";
import { checkFile, CHECKSUMS, parseChecksums, type Checksums } from "./checksums.ts";
import { formatModelConfig, parseModelConfig } from "./config.ts";
import { pickWeights, storedNames, type LoadedModel } from "./pickWeights.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";

/** Rejects if there is no such file. */
type ReadModelFile = (name: string) => Promise<ArrayBuffer | Uint8Array>;

const CONFIG = "config.json";
const SINGLE = "model.safetensors";
const INDEX = "model.safetensors.index.json";

/** A folder's files, and their checksums if the folder has them. */
interface FolderSource {
  readFile: ReadModelFile;
  checksums: Checksums | null;
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
  const source = { readFile, checksums: await readChecksums(readFile) };
  const config = parseModelConfig(await folderText(source, CONFIG));
  const tensors = await readTensors(source);
  const loaded = pickWeights(config, tensors);
  if ([SINGLE, INDEX].every((name) => names.includes(name)))
    loaded.notes.push(
      `the folder has ${SINGLE} and ${INDEX}; the first is used, as in transformers`,
    );
  return loaded;
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

/** All tensors of the single file, or of the shards in the index. */
async function readTensors(source: FolderSource): Promise<WeightMap> {
  // The single file first: a web server may answer anything for an unknown name.
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
