/**
 * The lines of `turnbook-rollouts/1` (README.md): one JSON object per line, numbers of tokens as
 * columns in base64. What a line lacks is null, or NaN in a column; nothing is guessed.
 */
import { base64ToBytes, bytesToBase64 } from "../../numeric/base64.ts";
import { finite } from "../../numeric/finite.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { isRecord, type JsonObject } from "../../spec/jsonText.ts";

const ROLLOUTS = "turnbook-rollouts/1";

export interface RolloutHeader {
  framework: string | null;
  version: string | null;
  tokenizer: string | null;
  settings: Readonly<Record<string, string | number | boolean | null>>;
  groupSize: number | null;
}

export interface RolloutTurn {
  observation: string | null;
  text: string | null;
  reward: number | null;
  gain: number | null;
  /** Its trained tokens in the episode's columns. */
  n: number;
  /** Of writers that keep numbers by turn; with columns they follow from those. */
  actions?: readonly string[] | null;
  formatPenalty?: number | null;
  value?: number | null;
  advantage?: number | null;
  return?: number | null;
  ratio?: number | null;
  clipped?: boolean | null;
}

const COLUMNS = {
  ids: Int32Array,
  rolloutLogprob: Float32Array,
  oldLogprob: Float32Array,
  newLogprob: Float32Array,
  refLogprob: Float32Array,
  entropy: Float32Array,
  value: Float32Array,
  advantage: Float32Array,
  return: Float32Array,
  clipped: Uint8Array,
} as const;

type RolloutColumn = keyof typeof COLUMNS;
/** Each with one entry per trained token, in the order of the turns; NaN: unknown. */
export type RolloutColumns = {
  [K in RolloutColumn]?: InstanceType<(typeof COLUMNS)[K]>;
};

export interface RolloutEpisode {
  /** Which of several runs in one file; null: the only one. */
  run: string | null;
  step: number;
  split: "train" | "eval";
  /** Equal names within a step are rollouts of one task. */
  group: string | null;
  id: string | null;
  seed: number | null;
  /** What training maximised, unscaled. */
  reward: number | null;
  /** Its parts by name. */
  rewards: Readonly<Record<string, number | null>> | null;
  /** The part of `reward` that belongs to no turn. */
  penalty: number | null;
  greedyScore: number | null;
  success: boolean | null;
  terminated: boolean | null;
  truncated: boolean | null;
  /** Versions of the policy that sampled its first and last token. */
  policy: readonly [number, number] | null;
  final: string | null;
  finalValue: number | null;
  turns: readonly RolloutTurn[];
  columns: RolloutColumns;
}

export type RolloutLine =
  | { kind: "header"; header: RolloutHeader }
  | { kind: "episode"; episode: RolloutEpisode }
  /** Texts of tokens by id, for the episodes after it. */
  | { kind: "vocab"; vocab: Readonly<Record<string, string>> }
  | { kind: "metrics"; step: number; run: string | null; metrics: Record<string, number | null> };

/** Whether a value looks like a line of this format. */
export function isRolloutLine(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { format } = value;
  if (typeof format === "string") return format.startsWith("turnbook-rollouts/");
  return Array.isArray(value["turns"]) && "split" in value && "step" in value;
}

/** @throws InputError naming the field, its value and what is allowed */
export function readRolloutLine(value: unknown): RolloutLine {
  if (!isRecord(value)) throw new InputError(`a line is ${show(value)}; it must be an object`);
  if ("format" in value) return { kind: "header", header: headerOf(value) };
  if ("turns" in value) return { kind: "episode", episode: episodeOf(value) };
  if (isRecord(value["vocab"])) return { kind: "vocab", vocab: textsOf(value["vocab"]) };
  if (isRecord(value["metrics"]))
    return {
      kind: "metrics",
      step: stepOf(value),
      run: textOf(value["run"]),
      metrics: finiteOf(value["metrics"]),
    };
  throw new InputError(
    `a line has ${show(Object.keys(value).slice(0, 6).join(", "))}; it must have format, turns, vocab or metrics`,
  );
}

/** One line without its break. Numbers that are not finite become null. */
export function writeRolloutLine(line: RolloutLine): string {
  if (line.kind === "header") return JSON.stringify({ format: ROLLOUTS, ...line.header });
  if (line.kind === "vocab") return JSON.stringify({ vocab: line.vocab });
  if (line.kind === "metrics") {
    const { step, run, metrics } = line;
    return JSON.stringify(present({ step, run, metrics }));
  }
  const { columns, turns, ...rest } = line.episode;
  const coded = Object.entries(columns).map(([name, x]) => [
    name,
    bytesToBase64(new Uint8Array(x.buffer, x.byteOffset, x.byteLength)),
  ]);
  return JSON.stringify({
    ...present(rest),
    turns: turns.map(present),
    ...(Object.fromEntries(coded) as Record<string, string>),
  });
}

/** Without members that are null: absent means the same, in fewer bytes. */
function present(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value != null));
}

function headerOf(value: JsonObject): RolloutHeader {
  if (value["format"] !== ROLLOUTS)
    throw new InputError(`format is ${show(value["format"])}; this version reads ${ROLLOUTS}`);
  const settings = isRecord(value["settings"]) ? value["settings"] : {};
  const plain = Object.entries(settings).filter(
    (entry): entry is [string, string | number | boolean | null] =>
      entry[1] === null || ["string", "number", "boolean"].includes(typeof entry[1]),
  );
  return {
    framework: textOf(value["framework"]),
    version: textOf(value["version"]),
    tokenizer: textOf(value["tokenizer"]),
    settings: Object.fromEntries(plain),
    groupSize: finite(value["groupSize"]),
  };
}

function episodeOf(value: JsonObject): RolloutEpisode {
  const list = value["turns"];
  if (!Array.isArray(list)) throw new InputError(`turns is ${show(list)}; it must be a list`);
  const turns = list.map(turnOf);
  const tokens = turns.reduce((sum, { n }) => sum + n, 0);
  const policy = value["policy"];
  const versions = Array.isArray(policy) ? policy.map(finite) : [];
  const [first, last] = versions;
  return {
    run: textOf(value["run"]),
    step: stepOf(value),
    split: value["split"] === "eval" ? "eval" : "train",
    group: nameOf(value["group"]),
    id: nameOf(value["id"]),
    seed: finite(value["seed"]),
    reward: finite(value["reward"]),
    rewards: isRecord(value["rewards"]) ? finiteOf(value["rewards"]) : null,
    penalty: finite(value["penalty"]),
    greedyScore: finite(value["greedyScore"]),
    success: flagIn(value["success"]),
    terminated: flagIn(value["terminated"]),
    truncated: flagIn(value["truncated"]),
    policy: first != null && last != null ? [first, last] : null,
    final: textOf(value["final"]),
    finalValue: finite(value["finalValue"]),
    turns,
    columns: columnsOf(value, tokens),
  };
}

function turnOf(value: unknown, h: number): RolloutTurn {
  if (!isRecord(value)) throw new InputError(`turns[${h}] is ${show(value)}; it must be an object`);
  const n = value["n"] ?? 0;
  if (typeof n !== "number" || !Number.isInteger(n) || n < 0)
    throw new InputError(`turns[${h}].n is ${show(n)}; it must be a whole number from 0`);
  const { actions } = value;
  return {
    observation: textOf(value["observation"]),
    text: textOf(value["text"]),
    reward: finite(value["reward"]),
    gain: finite(value["gain"]),
    n,
    actions: Array.isArray(actions) ? actions.map(String) : null,
    formatPenalty: finite(value["formatPenalty"]),
    value: finite(value["value"]),
    advantage: finite(value["advantage"]),
    return: finite(value["return"]),
    ratio: finite(value["ratio"]),
    clipped: flagIn(value["clipped"]),
  };
}

/** @throws InputError unless each has one entry per token */
function columnsOf(value: JsonObject, tokens: number): RolloutColumns {
  const columns: Record<string, ArrayBufferView> = {};
  for (const name of Object.keys(COLUMNS) as RolloutColumn[]) {
    const text = value[name];
    if (text == null) continue;
    const bytes = typeof text === "string" ? bytesOf(text) : null;
    const Type = COLUMNS[name];
    const wanted = tokens * Type.BYTES_PER_ELEMENT;
    if (bytes?.length !== wanted)
      throw new InputError(
        `${name} is ${bytes ? `${bytes.length} bytes` : show(text)}; ` +
          `it must be ${wanted} bytes in base64, ${Type.BYTES_PER_ELEMENT} for each of ${tokens} trained tokens`,
      );
    columns[name] = new Type(bytes.buffer);
  }
  return columns;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return base64ToBytes(text);
  } catch {
    return null;
  }
}

function stepOf(value: JsonObject): number {
  const step = value["step"];
  if (typeof step === "number" && Number.isInteger(step) && step >= 0 && step <= 10_000_000)
    return step;
  throw new InputError(`step is ${show(step)}; it must be a whole number from 0 to 10000000`);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Names may be numbers in a file. */
function nameOf(value: unknown): string | null {
  return typeof value === "number" ? String(value) : textOf(value);
}

function flagIn(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function finiteOf(value: JsonObject): Record<string, number | null> {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, finite(one)]));
}

function textsOf(value: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => textOf(entry[1]) !== null),
  );
}
