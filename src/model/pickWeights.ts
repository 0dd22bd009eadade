/** The tensors of a model folder according to config.json: under our names, checked, with contradictions between the two reported. */
import type { WeightMap } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import {
  EMBEDDING,
  LM_HEAD,
  parameterShapes,
  VALUE_BIAS,
  VALUE_WEIGHT,
} from "../engine/parameters.ts";
import { InputError, show } from "../numeric/inputError.ts";

export interface LoadedModel {
  config: ModelConfig;
  /** Exactly the tensors of the config, plus the value head's if the folder has one. */
  weights: WeightMap;
  /** Sentences: contradictions in the folder, and what was used. */
  notes: string[];
}

/** transformers' token-classification head, as critics are stored, under our names. */
const ALIASES: Record<string, string> = { "score.weight": VALUE_WEIGHT, "score.bias": VALUE_BIAS };
const STORED = new Map(Object.entries(ALIASES).map(([stored, ours]) => [ours, stored]));

/** Prefix of the names in a separately saved trunk; transformers adds it. */
const PREFIX = "model.";
const BARE = /^(embed_tokens|layers|norm)\./;

/** A tensor, read or not. */
interface Shaped {
  shape: number[];
}

/** Whether two tensors of the same shape hold the same numbers. */
type Same<T> = (a: T, b: T) => Promise<boolean>;

/** The config's tensors; null: an optional one that the folder lacks, all zeros. */
interface PickedTensors<T> {
  config: ModelConfig;
  tensors: Map<string, T | null>;
  notes: string[];
}

/**
 * The config's tensors, without old rotary buffers and redundant copies of a tied head.
 * @throws InputError naming a tensor that is missing, has another shape, or is unknown.
 */
export async function pickTensors<T extends Shaped>(
  given: ModelConfig,
  tensors: ReadonlyMap<string, T>,
  same: Same<T>,
): Promise<PickedTensors<T>> {
  const equal: Same<T> = async (a, b) => a.shape.join() === b.shape.join() && (await same(a, b));
  const found = await renamed(tensors, equal);
  const { config, notes } = await headOf(given, found, equal);
  const head = config.critic || found.has(VALUE_WEIGHT) ? "shared" : "none";
  const shapes = parameterShapes(config, head);
  const picked = new Map<string, T | null>();
  for (const [name, shape] of shapes) {
    const tensor = found.get(name) ?? absent(name, shape);
    if (tensor && tensor.shape.join() !== shape.join()) refuseShape(name, tensor.shape, shape);
    picked.set(name, tensor);
  }
  for (const name of found.keys()) if (!shapes.has(name)) checkExtra(config, name);
  return { config, tensors: picked, notes };
}

/** A critic's weights under transformers' names. */
export function storedNames({ critic }: ModelConfig, weights: WeightMap): WeightMap {
  if (!critic) return weights;
  return new Map([...weights].map(([name, tensor]) => [STORED.get(name) ?? name, tensor]));
}

/** @throws InputError if two tensors with the same meaning differ. */
async function renamed<T>(tensors: ReadonlyMap<string, T>, same: Same<T>): Promise<Map<string, T>> {
  const bare = tensors.has(EMBEDDING.slice(PREFIX.length)) && !tensors.has(EMBEDDING);
  const found = new Map<string, T>();
  const from = new Map<string, string>();
  for (const [stored, tensor] of tensors) {
    const name = ALIASES[stored] ?? (bare && BARE.test(stored) ? PREFIX + stored : stored);
    const other = found.get(name);
    if (other && !(await same(other, tensor)))
      throw new InputError(
        `tensors ${show(from.get(name))} and ${show(stored)} are both the value head, and differ; keep one`,
      );
    found.set(name, tensor);
    from.set(name, stored);
  }
  return found;
}

/** Which head the folder has; its tensors override config.json. */
async function headOf<T>(
  config: ModelConfig,
  found: ReadonlyMap<string, T>,
  same: Same<T>,
): Promise<Pick<LoadedModel, "config" | "notes">> {
  const [head, embedding] = [found.get(LM_HEAD), found.get(EMBEDDING)];
  if (config.critic) {
    if (!head) return { config, notes: [] };
    const why = "by its architecture the folder is a critic, which has no language head";
    return { config, notes: [`${LM_HEAD} is left out: ${why}`] };
  }
  if (!head && !config.tieWordEmbeddings && found.has(VALUE_WEIGHT)) {
    const note = `the folder has a value head and no ${LM_HEAD}; it is read as a critic`;
    return { config: { ...config, tieWordEmbeddings: true, critic: true }, notes: [note] };
  }
  const asSaid = !config.tieWordEmbeddings || !head || !embedding || (await same(head, embedding));
  if (asSaid) return { config, notes: [] };
  // As in transformers 5: tensors that differ are not tied. (4 silently dropped the head.)
  const note = `config.json says tie_word_embeddings true, but ${LM_HEAD} differs from the embedding; it is used as the head, as in transformers 5`;
  return { config: { ...config, tieWordEmbeddings: false }, notes: [note] };
}

/** Null if it may be absent. */
function absent(name: string, shape: number[]): null {
  if (name === VALUE_BIAS) return null;
  throw new InputError(
    `tensor ${show(STORED.get(name) ?? name)} is missing; by config.json it must have shape ${show(shape)}`,
  );
}

function refuseShape(name: string, found: number[], shape: number[]): never {
  const why = STORED.has(name) ? "a value head has one output: it" : "by config.json it";
  throw new InputError(
    `tensor ${show(name)} has shape ${show(found)}; ${why} must be ${show(shape)}`,
  );
}

function checkExtra(config: ModelConfig, name: string): void {
  if (name === LM_HEAD && config.tieWordEmbeddings) return;
  if (name.endsWith("rotary_emb.inv_freq")) return;
  const bias = config.family === "qwen3" && /self_attn\.[qkvo]_proj\.bias$/.test(name);
  const why = bias
    ? "contradicts config.json, which says attention_bias false"
    : `belongs to no part of the ${config.family} model in config.json`;
  throw new InputError(`tensor ${show(name)} ${why}`);
}
