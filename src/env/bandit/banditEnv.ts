/**
 * RAGEN's bandit in words (`ragen/env/bandit`): two arms with suggestive names, one pull. The
 * steady arm always pays a little, the daring one sometimes pays a lot, and more on average. The
 * names are our own.
 */
import { uniform } from "../../numeric/rng.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import type { Environment, ResetResult, StepResult } from "../environment.ts";
import { checkNumber, checkWhole, checkWord } from "../checks.ts";
import { parseResponse } from "../sokoban/parseResponse.ts";
import type { PromptInfo } from "../wrappers/observationHistory.ts";

interface BanditOptions {
  /** Names of the steady and the daring arm, joined by a slash; empty: a pair of the split. */
  arms: string;
  split: "train" | "test";
  /** Reward of the steady arm. */
  steadyReward: number;
  /** Reward of the daring arm when it pays; otherwise 0. */
  daringReward: number;
  daringProbability: number;
  /** A turn that names no arm is wasted. */
  maxTurns: number;
  formatPenalty: number;
  think: boolean;
  /** Members of one group see the same arms; different members have different luck. */
  member: number;
}

export const BANDIT_DEFAULTS: BanditOptions = {
  arms: "",
  split: "train",
  steadyReward: 0.1,
  daringReward: 1,
  daringProbability: 0.25,
  maxTurns: 1,
  formatPenalty: -0.1,
  think: false,
  member: 0,
};

interface BanditInfo extends PromptInfo {
  actions: string[];
  envReward: number;
  formatPenalty: number;
  /** For a played turn: whether it named an arm. */
  wellFormed?: boolean;
  /** Whether the daring arm was pulled, whatever it paid. */
  success: boolean;
  turnsLeft: number;
}

interface BanditSnapshot {
  seed: number;
  steady: string;
  daring: string;
  /** Whether the daring arm is named first. */
  daringFirst: boolean;
  turnsLeft: number;
  ended: boolean;
}

/** Names of steady and daring arms: occupations. */
export const PAIRS = {
  train: ["Baker/Prospector", "Notary/Gambler", "Tailor/Explorer", "Miller/Racer"],
  test: ["Gardener/Smuggler", "Clockmaker/Inventor"],
};

const NO_STATE: BanditSnapshot = {
  seed: 0,
  steady: "",
  daring: "",
  daringFirst: false,
  turnsLeft: 0,
  ended: true,
};

const LIMIT = 2 ** 32 - 1;

export class BanditEnv implements Environment<BanditInfo, BanditSnapshot> {
  readonly options: BanditOptions;
  #state = NO_STATE;

  /** @throws InputError naming the invalid option. */
  constructor(options: Partial<BanditOptions> = {}) {
    this.options = { ...BANDIT_DEFAULTS, ...options };
    checkOptions(this.options);
  }

  reset(seed: number): ResetResult<BanditInfo> {
    checkWhole("seed", seed, 0, Number.MAX_SAFE_INTEGER);
    const { arms, split, maxTurns } = this.options;
    const pairs = arms === "" ? PAIRS[split] : [arms];
    const pair = pairs[Math.floor(draw(seed, "bandit-pair") * pairs.length)]!;
    const [steady, daring] = readArms(pair);
    const daringFirst = draw(seed, "bandit-order") < 0.5;
    this.#state = { seed, steady, daring, daringFirst, turnsLeft: maxTurns, ended: false };
    return { observation: this.#offer(), info: this.#info([], 0, 0) };
  }

  /** Without `chance`, the draw follows from the episode's seed and its member of the group. */
  step(text: string, chance?: number): StepResult<BanditInfo> {
    if (this.#state.ended) throw new Error("the episode has ended: call reset first");
    const arm = this.armIn(text);
    this.#state.turnsLeft -= 1;
    const terminated = arm !== undefined;
    const truncated = !terminated && this.#state.turnsLeft === 0;
    this.#state.ended = terminated || truncated;
    const paid = arm === undefined ? 0 : this.#pull(arm, chance);
    const penalty = arm === undefined ? this.options.formatPenalty : 0;
    const observation =
      arm === undefined ? `No arm was pulled. ${this.#offer()}` : `${arm} pays ${paid}.`;
    const played = this.#info(arm === undefined ? [] : [arm], paid, penalty);
    const info = { ...played, wellFormed: arm !== undefined };
    return { observation, reward: paid + penalty, terminated, truncated, info };
  }

  snapshot(): BanditSnapshot {
    return { ...this.#state };
  }

  restore(snapshot: BanditSnapshot): void {
    this.#state = { ...snapshot };
  }

  /** The arm that a response names; undefined if it names neither. */
  armIn(text: string): string | undefined {
    const [said] = parseResponse(text, this.options.think, 1).names;
    return this.names.find((name) => name.toLowerCase() === said?.toLowerCase());
  }

  /** Shown again after a wasted turn, since the state must be visible. */
  #offer(): string {
    const [first, second] = this.names;
    return `Two arms can be pulled: ${first} and ${second}.`;
  }

  #pull(arm: string, chance?: number): number {
    const { steadyReward, daringReward, daringProbability, member } = this.options;
    if (arm === this.#state.steady) return steadyReward;
    const luck =
      chance === undefined
        ? draw(this.#state.seed, "bandit-luck", member)
        : draw(chance, "bandit-luck");
    return luck < daringProbability ? daringReward : 0;
  }

  get standing(): Readonly<BanditSnapshot> {
    return this.#state;
  }

  /** In the order shown to the player. [2] */
  get names(): [string, string] {
    const { steady, daring, daringFirst } = this.#state;
    return daringFirst ? [daring, steady] : [steady, daring];
  }

  #info(actions: string[], envReward: number, formatPenalty: number): BanditInfo {
    const { daring, turnsLeft } = this.#state;
    const success = actions.includes(daring);
    const prefix =
      "Each arm pays as its name suggests. Pull the one that pays more on average, " +
      `such as ${this.options.think ? "<think>...</think>" : ""}<answer>${this.names[0]}</answer>.\n`;
    return { actions, envReward, formatPenalty, success, turnsLeft, prefix };
  }
}

function draw(seed: number, stream: string, member = 0): number {
  return uniform({ seed, stream, iteration: 0, trajectory: member, step: 0 });
}

/** @throws InputError unless there are two different names. */
function readArms(text: string): [string, string] {
  const names = text.split("/").map((name) => name.trim());
  const [steady, daring] = names;
  if (names.length === 2 && steady && daring && steady.toLowerCase() !== daring.toLowerCase()) {
    return [steady, daring];
  }
  throw new InputError(`arms is ${show(text)}; it must be two different names joined by /`);
}

function checkOptions(options: BanditOptions): void {
  if (options.arms !== "") readArms(options.arms);
  checkWord("split", options.split, Object.keys(PAIRS));
  for (const key of ["steadyReward", "daringReward", "formatPenalty"] as const) {
    checkNumber(key, options[key], -1e6, 1e6);
  }
  checkNumber("daringProbability", options.daringProbability, 0, 1);
  checkWhole("maxTurns", options.maxTurns, 1, LIMIT);
  checkWhole("member", options.member, 0, LIMIT);
}
