/** The models of a checkpoint as Hugging Face folders, as transformers and this project load them: config, weights, tokenizer, and their SHA-256. */
import type { WeightMap } from "../engine/engine.ts";
import { groupOf } from "../engine/parameters.ts";
import { exportAdapterFolder, splitAdapters } from "../model/adapter.ts";
import { CHECKSUMS, formatChecksums } from "../model/checksums.ts";
import { exportModelFolder } from "../model/folder.ts";
import { adaptedConfig, presetConfig } from "../model/initModel.ts";
import { InputError } from "../numeric/inputError.ts";
import { folderName, type FolderSpec } from "../spec/folder.ts";
import { loraConfig } from "../spec/lora.ts";
import { fileText, type TokenizerFiles } from "../text/domainVocabulary.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { openDefinitions } from "./definitions.ts";
import type { ExperimentHost } from "./host.ts";
import { configOf, taskFamilyOf } from "./warmStart.ts";

/** The prefix of each network's tensors in a checkpoint: the method and the network. */
const WEIGHT = /^([^/]+):([^/:]+)\/weight\/(.+)$/;

/** Folder of the weights that every method's adapters belong to. */
const FROZEN = "frozen-base";

/**
 * Files by path, with a folder for each method's model; an additional network, such as a separate
 * critic, has its own folder. With adapters the model's folder holds them merged, and `-adapter` and
 * `frozen-base` hold them apart.
 * @throws InputError if the spec's definitions cannot be read
 */
export async function modelFolders(
  checkpoint: Checkpoint,
  host: Pick<ExperimentHost, "openDefinitions">,
): Promise<Map<string, Uint8Array>> {
  const { spec, position } = checkpoint;
  if (spec.model.folder) return adapterFolders(checkpoint, spec.model.folder);
  const family = taskFamilyOf(spec, await openDefinitions(spec, host));
  const config = configOf(spec, family);
  const files = new Map<string, Uint8Array>();
  const add = async (folder: string, model: Map<string, Uint8Array>, about: object) => {
    for (const [name, bytes] of await withTokenizer(model, family.tokenizerFiles(), about))
      files.set(`${folder}/${name}`, bytes);
  };
  const adapted = adaptedConfig(config, spec.model.lora);
  for (const [folder, { method, network, weights }] of modelsIn(checkpoint)) {
    const about = { method, network, seed: spec.seed, iterations: position.iteration - 1 };
    const { size } = spec.critic;
    const isOther = network === "critic" && size !== undefined;
    const shape = isOther ? presetConfig(size, config.vocabSize) : config;
    if (!adapted.lora || isOther) {
      await add(folder, exportModelFolder(shape, weights), about);
      continue;
    }
    const { base, whole } = splitAdapters(adapted, weights);
    await add(folder, exportModelFolder(shape, whole), about);
    if (network !== "actor") continue;
    await add(`${folder}-adapter`, exportAdapterFolder(adapted, weights, FROZEN), about);
    if (files.has(`${FROZEN}/config.json`)) continue;
    const trunk = new Map([...base].filter(([name]) => groupOf(name) === "trunk"));
    await add(FROZEN, exportModelFolder(shape, trunk), { seed: spec.seed, iterations: 0 });
  }
  return files;
}

/** Of a folder of the reader's own the checkpoint has no frozen weights: the adapters alone, for PEFT. */
function adapterFolders(checkpoint: Checkpoint, folder: FolderSpec): Map<string, Uint8Array> {
  const { lora } = checkpoint.spec.model;
  if (!lora)
    throw new InputError("model.lora is absent; of a model.folder only its adapters are exported");
  const files = new Map<string, Uint8Array>();
  for (const [method, { network, weights }] of modelsIn(checkpoint)) {
    if (network !== "actor") continue;
    for (const [file, bytes] of exportAdapterFolder(
      { lora: loraConfig(lora) },
      weights,
      folderName(folder),
    ))
      files.set(`${method}-adapter/${file}`, bytes);
  }
  return files;
}

interface SavedModel {
  method: string;
  network: string;
  weights: WeightMap;
}

/** By the name of their folder. */
function modelsIn({ tensors }: Checkpoint): Map<string, SavedModel> {
  const models = new Map<string, SavedModel>();
  for (const [key, tensor] of tensors) {
    const [, method, network, name] = WEIGHT.exec(key) ?? [];
    if (method === undefined || network === undefined || name === undefined) continue;
    const folder = network === "actor" ? method : `${method}-${network}`;
    const model = models.get(folder) ?? { method, network, weights: new Map() };
    model.weights.set(name, tensor);
    models.set(folder, model);
  }
  return models;
}

/** A model's files with its tokenizer, its training provenance, and the SHA-256 of each. */
export async function withTokenizer(
  model: ReadonlyMap<string, Uint8Array>,
  { tokenizer, config }: TokenizerFiles,
  summary: object,
): Promise<Map<string, Uint8Array>> {
  const bytes = (value: object) => new TextEncoder().encode(fileText(value));
  const files = new Map(model);
  files.set("tokenizer.json", bytes(tokenizer));
  files.set("tokenizer_config.json", bytes(config));
  files.set("turnbook.json", bytes(summary));
  files.set(CHECKSUMS, new TextEncoder().encode(await formatChecksums(files)));
  return files;
}
