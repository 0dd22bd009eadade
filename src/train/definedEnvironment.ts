/** An environment that a spec defines: the user's code provides plain states; the format and limits of a turn are handled here. */
import type { PlayInfo, Training } from "../env/descriptor.ts";
import type { Environment, ResetResult, StepResult } from "../env/environment.ts";
import { parseResponse } from "../env/sokoban/parseResponse.ts";
import { chanceOf } from "../numeric/rng.ts";
import type { DefinedCode, DefinedStep, DrawArgument } from "../record/definitions.ts";
import { canonicalJson } from "../spec/canonical.ts";
import type { EnvironmentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";

type DefinedSpec = Extract<EnvironmentSpec, { kind: "defined" }>;

/** Maximum characters of a state as JSON. */
const LARGEST_STATE = 20_000;
const MOST_WORDS = 200;
const LONGEST_WORD = 32;

interface Words {
  observation: string[];
  actions: string[];
}

interface Snapshot {
  state: unknown;
  seed: number;
  turnsLeft: number;
  ended: boolean;
}

export function definedTraining(code: DefinedCode): Training<never, never> {
  const words = wordsOf(code);
  const said = pattern([...words.observation, ...words.actions]);
  const training: Training<DefinedSpec, DefinedGame> = {
    create: (spec) => new DefinedGame(code, words, spec),
    chancy: () => true,
    // Two seeds may share a start state but differ in randomness: the code defines what makes a
    // task, else every seed is its own task.
    taskOf: (_, seed) =>
      code.has("task") ? canonicalJson({ task: code.call("task", seed) }) : String(seed),
    words,
    compact: (observation) => (observation.match(said) ?? []).join(""),
    actions: (game) => game.actions(),
    expert: (game) => game.expert(),
    potential: (game) => game.potential(),
    best: () => NaN,
  };
  return training as unknown as Training<never, never>;
}

class DefinedGame implements Environment<PlayInfo, Snapshot> {
  readonly #code: DefinedCode;
  readonly #words: Words;
  readonly #spec: DefinedSpec;
  #at: Snapshot = { state: null, seed: 0, turnsLeft: 0, ended: true };

  constructor(code: DefinedCode, words: Words, spec: DefinedSpec) {
    this.#code = code;
    this.#words = words;
    this.#spec = spec;
  }

  reset(seed: number): ResetResult<PlayInfo> {
    const state = plainState(
      this.#code,
      "reset",
      this.#code.call("reset", seed, definedDraw(seed, "reset")),
    );
    this.#at = { state, seed, turnsLeft: this.#spec.maxTurns, ended: false };
    return { observation: this.#observe(), info: this.#info([], 0, 0, false) };
  }

  step(text: string, chance = this.#chance()): StepResult<PlayInfo> {
    if (this.#at.ended) throw new Error("the episode has ended: call reset first");
    const { maxActionsPerTurn = 1, think = false, formatPenalty } = this.#spec;
    const names = parseResponse(text, think, maxActionsPerTurn).names;
    const actions = names.filter((name) => this.#words.actions.includes(name));
    const turnsLeft = this.#at.turnsLeft - 1;
    const isBad = actions.length === 0 || actions.length < names.length;
    const played = isBad ? null : this.#play(actions, chance);
    const terminated = played?.done ?? false;
    const truncated = !terminated && turnsLeft === 0;
    const state = played ? played.state : this.#at.state;
    this.#at = { ...this.#at, state, turnsLeft, ended: terminated || truncated };
    const penalty = isBad ? formatPenalty : 0;
    const info = {
      ...this.#info(isBad ? [] : actions, played?.reward ?? 0, penalty, played?.success ?? false),
      wellFormed: !isBad,
    };
    return {
      observation: this.#observe(),
      reward: info.envReward + penalty,
      terminated,
      truncated,
      info,
    };
  }

  snapshot(): Snapshot {
    return { ...this.#at };
  }

  restore(snapshot: Snapshot): void {
    this.#at = { ...snapshot };
  }

  actions(): readonly string[] {
    return this.#words.actions;
  }

  /** Empty if the code has no expert, or its expert gives up. */
  expert(): readonly string[] {
    if (!this.#code.has("expert")) return [];
    const said = this.#code.call("expert", this.#at.state);
    if (typeof said === "string") return [said];
    return Array.isArray(said) ? (said as unknown[]).map(String) : [];
  }

  potential(): number {
    if (!this.#code.has("potential")) return 0;
    const near = this.#code.call("potential", this.#at.state);
    return finiteNumber(this.#code, "potential", near);
  }

  /** A random seed if the caller passes none: from the task's seed and the turn. */
  #chance(): number {
    const { seed, turnsLeft } = this.#at;
    return chanceOf({
      seed,
      stream: "definition-chance",
      iteration: turnsLeft,
      trajectory: 0,
      step: 0,
    });
  }

  #play(actions: readonly string[], chance: number) {
    const code = this.#code;
    const result = code.call(
      "step",
      this.#at.state,
      actions.join(" || "),
      definedDraw(chance, "step"),
    );
    const {
      state,
      reward,
      done,
      success = false,
    } = Object(result) as {
      [K in keyof DefinedStep]: unknown;
    };
    if (typeof done !== "boolean" || typeof success !== "boolean")
      throw new InputError(
        `${code.name}: step returned ${show(result)}; it must be { state, reward, done, success }, the last two true or false`,
      );
    return {
      state: plainState(code, "step", state),
      reward: finiteNumber(code, "step, as reward,", reward),
      done,
      success,
    };
  }

  #observe(): string {
    const text = this.#code.call("observe", this.#at.state);
    if (typeof text === "string" && text !== "" && text.length <= LARGEST_STATE) return text;
    throw new InputError(`${this.#code.name}: observe returned ${show(text)}; it must be a text`);
  }

  #info(
    actions: readonly string[],
    envReward: number,
    formatPenalty: number,
    success: boolean,
  ): PlayInfo {
    return { actions, envReward, formatPenalty, success, turnsLeft: this.#at.turnsLeft };
  }
}

/** A generator for one call: for the seed of a task, or the randomness of a turn. */
function definedDraw(seed: number, use: string): DrawArgument {
  return { drawKey: { seed, stream: `definition-${use}`, iteration: 0, trajectory: 0 } };
}

function finiteNumber(code: DefinedCode, what: string, x: unknown): number {
  if (typeof x === "number" && Number.isFinite(x)) return x;
  throw new InputError(`${code.name}: ${what} returned ${show(x)}; it must be a finite number`);
}

/** A state is stored, copied and compared as JSON, so it must be plain JSON data. */
function plainState(code: DefinedCode, what: string, state: unknown): unknown {
  const text = JSON.stringify(state, (_, part: unknown) => jsonPart(code, what, part));
  if (text === undefined)
    throw new InputError(`${code.name}: ${what} returned no state; it must be plain data`);
  if (text.length > LARGEST_STATE)
    throw new InputError(
      `${code.name}: ${what} returned a state of ${text.length} characters; it must have at most ${LARGEST_STATE}`,
    );
  return JSON.parse(text) as unknown;
}

function jsonPart(code: DefinedCode, what: string, part: unknown): unknown {
  if (part instanceof Float64Array) return Array.from(part);
  if (typeof part !== "number" || Number.isFinite(part)) return part;
  throw new InputError(
    `${code.name}: ${what} returned a state with ${part} in it; it must be finite`,
  );
}

/** Longer words first: a word must not be a prefix of a later one. */
function wordsOf(code: DefinedCode): Words {
  const { observation, actions } = Object(code.call("words")) as Record<string, unknown>;
  return {
    observation: wordList(code, "observation", observation),
    actions: wordList(code, "actions", actions),
  };
}

function wordList(code: DefinedCode, part: string, list: unknown): string[] {
  const isWord = (word: unknown) =>
    typeof word === "string" && /^[^<>|]{1,32}$/.test(word) && word.trim() !== "";
  if (Array.isArray(list) && list.length > 0 && list.length <= MOST_WORDS && list.every(isWord))
    return (list as string[]).toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  throw new InputError(
    `${code.name}: words.${part} is ${show(list)}; it must list 1 to ${MOST_WORDS} words of at most ${LONGEST_WORD} characters, none with <, > or |`,
  );
}

/** Matches any of the words, the longest first. */
function pattern(words: readonly string[]): RegExp {
  const sorted = words.toSorted((a, b) => b.length - a.length);
  return new RegExp(
    sorted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"),
    "g",
  );
}
