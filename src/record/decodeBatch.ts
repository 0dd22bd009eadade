/**
 * The batch file: nested JSON that can be written by hand, decoded into packed columns. Every error
 * names the path.
 *
 * {"trajectories":[{"task":"t0","terminated":true,"bootstrapValue":0,"success":true,"greedyScore":0,
 *   "finalAnchor":"s1","turns":[
 *   {"reward":0,"value":0.2,"newValue":0.2,"advantage":1,"anchor":"s0","action":"up","gain":0.1,
 *    "format":0,"process":0,"tokens":[
 *     {"logprob":-1,"oldLogprob":-1.1,"refLogprob":-1,"rolloutLogprob":-1,"sumPiSquared":0.3,
 *      "value":0.1,"newValue":0.1,"reward":0,"advantage":1}]}]}]}
 *
 * Defaults: task is unique to the trajectory, so that it is a group of one; terminated is true;
 * bootstrapValue and rewards are 0. Other absent numbers are NaN in a column that some unit has; a
 * column that no unit has is omitted. Any other field is refused, and so is a bootstrapValue of an
 * episode that terminated. A token's kl, the full-vocabulary KL of the reference to the policy, is
 * for methods on pairs (`cli/preference.ts`).
 */
import { InputError, shortenName, show } from "../numeric/inputError.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { type JsonObject, isRecord } from "../spec/jsonText.ts";

/** Squares and products of such numbers are finite, so that no result overflows. */
const LARGEST = 1e100;

/** A column under construction: NaN where absent. */
class PackedColumn {
  readonly numbers: number[] = [];
  present = false;

  /**
   * Appends the number at `path`.`key`. @throws InputError if it is present and not a finite
   * number.
   */
  push(fields: JsonObject, key: string, path: string): void {
    const value = optionalNumber(fields, key, path);
    if (value !== undefined) this.present = true;
    this.numbers.push(value ?? NaN);
  }
}

const turnKeys = {
  turnValue: "value",
  turnNewValue: "newValue",
  turnAdvantage: "advantage",
  turnGain: "gain",
  turnFormat: "format",
  turnProcess: "process",
} as const;
const tokenKeys = {
  tokenReward: "reward",
  tokenValue: "value",
  tokenNewValue: "newValue",
  tokenAdvantage: "advantage",
  logprob: "logprob",
  oldLogprob: "oldLogprob",
  refLogprob: "refLogprob",
  rolloutLogprob: "rolloutLogprob",
  sumPiSquared: "sumPiSquared",
} as const;

/** Every field that each level has. */
const FIELDS = {
  batch: ["trajectories"],
  trajectory: [
    "task",
    "terminated",
    "bootstrapValue",
    "success",
    "greedyScore",
    "finalAnchor",
    "turns",
  ],
  turn: ["reward", "anchor", "action", ...Object.values(turnKeys), "tokens"],
  token: [...Object.values(tokenKeys), "kl"],
} as const;
/** Aliases of field names. */
const HINTS: Readonly<Record<string, string>> = {
  truncated: "; an episode that was cut off has terminated false",
};

type ColumnName = keyof typeof turnKeys | keyof typeof tokenKeys;

/**
 * Decodes a parsed batch file. @throws InputError naming the path, the value and what it must be.
 */
export function decodeBatch(json: unknown): TrajectoryBatch {
  const trajectories = list(object(json, "batch", ""), "trajectories", "");
  const builder = new BatchBuilder();
  trajectories.forEach((value, b) => builder.addTrajectory(value, `trajectories[${b}]`));
  return builder.finish();
}

class BatchBuilder {
  #task: string[] = [];
  #terminated: boolean[] = [];
  #bootstrapValue: number[] = [];
  #success: (boolean | undefined)[] = [];
  #greedyScore = new PackedColumn();
  #anchor: (string | undefined)[] = [];
  #action: (string | undefined)[] = [];
  #finalAnchor: (string | undefined)[] = [];
  #turnStart = [0];
  #tokenStart = [0];
  #turnReward: number[] = [];
  #columns = new Map<ColumnName, PackedColumn>(
    [...Object.keys(turnKeys), ...Object.keys(tokenKeys)].map((key) => [
      key as ColumnName,
      new PackedColumn(),
    ]),
  );

  addTrajectory(value: unknown, path: string): void {
    const fields = object(value, "trajectory", path);
    this.#task.push(optionalString(fields, "task", path) ?? `(${path})`);
    const terminated = optionalBoolean(fields, "terminated", path) ?? true;
    const bootstrapValue = optionalNumber(fields, "bootstrapValue", path) ?? 0;
    if (terminated && bootstrapValue !== 0)
      fail(`${path}.bootstrapValue`, bootstrapValue, "0 or absent, unless terminated is false");
    this.#terminated.push(terminated);
    this.#bootstrapValue.push(bootstrapValue);
    this.#success.push(optionalBoolean(fields, "success", path));
    this.#greedyScore.push(fields, "greedyScore", path);
    this.#finalAnchor.push(optionalString(fields, "finalAnchor", path));
    const turns = list(fields, "turns", path);
    turns.forEach((turn, h) => this.#addTurn(turn, `${path}.turns[${h}]`));
    this.#turnStart.push(this.#turnReward.length);
  }

  #addTurn(value: unknown, path: string): void {
    const fields = object(value, "turn", path);
    this.#turnReward.push(optionalNumber(fields, "reward", path) ?? 0);
    this.#anchor.push(optionalString(fields, "anchor", path));
    this.#action.push(optionalString(fields, "action", path));
    this.#push(turnKeys, fields, path);
    const tokens = list(fields, "tokens", path);
    tokens.forEach((token, t) => {
      const tokenPath = `${path}.tokens[${t}]`;
      this.#push(tokenKeys, object(token, "token", tokenPath), tokenPath);
    });
    this.#tokenStart.push(this.#tokenStart.at(-1)! + tokens.length);
  }

  #push(keys: Partial<Record<ColumnName, string>>, fields: JsonObject, path: string): void {
    for (const [column, key] of Object.entries(keys)) {
      this.#columns.get(column as ColumnName)!.push(fields, key, path);
    }
  }

  finish(): TrajectoryBatch {
    const batch: TrajectoryBatch = {
      task: this.#task, // [B]
      terminated: this.#terminated, // [B]
      bootstrapValue: Float64Array.from(this.#bootstrapValue), // [B]
      turnStart: Int32Array.from(this.#turnStart), // [B+1]
      tokenStart: Int32Array.from(this.#tokenStart), // [K+1]
      turnReward: Float64Array.from(this.#turnReward), // [K]
    };
    if (this.#success.some((solved) => solved !== undefined))
      batch.success = Float64Array.from(this.#success, (solved) => Number(solved ?? NaN)); // [B]
    if (this.#greedyScore.present) batch.greedyScore = Float64Array.from(this.#greedyScore.numbers); // [B]
    // A state or an action without a name equals no other.
    for (const [column, names] of [
      ["anchor", this.#anchor],
      ["action", this.#action],
    ] as const)
      if (names.some((name) => name !== undefined))
        batch[column] = names.map((name, k) => name ?? `(turn ${k})`); // [K]
    if (this.#finalAnchor.some((name) => name !== undefined))
      batch.finalAnchor = this.#finalAnchor.map((name, b) => name ?? `(end ${b})`); // [B]
    for (const [name, { present, numbers }] of this.#columns) {
      if (present) batch[name] = Float64Array.from(numbers); // [K] or [N]
    }
    // A token without its own reward adds nothing; it does not count as missing.
    batch.tokenReward &&= batch.tokenReward.map((r) => (r !== r ? 0 : r)); // [N]
    return batch;
  }
}

function fail(path: string, value: unknown, expected: string): never {
  const shown = typeof value === "number" ? String(value) : show(value);
  throw new InputError(`${path} is ${shown}; it must be ${expected}`);
}

/** Checks that it has no fields other than its level's. */
function object(value: unknown, level: keyof typeof FIELDS, path: string): JsonObject {
  if (!isRecord(value)) return fail(path || "the batch", value, "an object");
  const allowed: readonly string[] = FIELDS[level];
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown === undefined) return value;
  throw new InputError(
    `${join(path, shortenName(unknown))} is not a field of a ${level}; allowed: ${allowed.join(", ")}${HINTS[unknown] ?? ""}`,
  );
}

function list(fields: JsonObject, key: string, path: string): unknown[] {
  const value = own(fields, key);
  const place = join(path, key);
  if (!Array.isArray(value)) return fail(place, value, "a list");
  if (value.length === 0)
    throw new InputError(`${place} is empty; it must have at least one entry`);
  return value as unknown[];
}

function optionalNumber(fields: JsonObject, key: string, path: string): number | undefined {
  const value = own(fields, key);
  if (value === undefined) return value;
  if (typeof value === "number" && Math.abs(value) <= LARGEST) return value;
  return fail(join(path, key), value, `a number from -${LARGEST} to ${LARGEST}`);
}

function optionalString(fields: JsonObject, key: string, path: string): string | undefined {
  const value = own(fields, key);
  if (value === undefined || typeof value === "string") return value;
  return fail(join(path, key), value, "a text");
}

function optionalBoolean(fields: JsonObject, key: string, path: string): boolean | undefined {
  const value = own(fields, key);
  if (value === undefined || typeof value === "boolean") return value;
  return fail(join(path, key), value, "true or false");
}

function own(fields: JsonObject, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
