/**
 * WebShop as a text environment: pages, action grammar and reward of princeton-nlp/WebShop
 * (`web_agent_site/envs/web_agent_text_env.py`), with Gymnasium's flags and a turn limit of our
 * own.
 */
import { InputError, show } from "../../numeric/inputError.ts";
import type { Environment, ResetResult, StepResult } from "../environment.ts";
import { act } from "./act.ts";
import type { Catalogue } from "./catalogue.ts";
import { availableOf, clickablesOf, type Available, type Clickable } from "./clickables.ts";
import { pageNodes, type PageNode, type Shop } from "./pageNodes.ts";
import { parseAction, type ShopAction } from "./parseAction.ts";
import type { Goal, Options } from "./product.ts";
import { OBSERVATION_MODES, renderPage, type ObservationMode } from "./render.ts";
import type { Reward } from "./reward.ts";
import type { ShopPage } from "./state.ts";
import { checkWhole } from "../checks.ts";

export interface WebShopOptions {
  observation: ObservationMode;
  /** WebShop has no limit; its baseline trainer uses 100, RAGEN 9, GEM 15. */
  maxTurns: number;
  /**
   * Added to the reward of a turn whose text is not an action of the page; WebShop adds nothing.
   */
  formatPenalty: number;
  /** Whether item pages offer the attributes; WebShop's `show_attrs`. */
  showAttributes: boolean;
  /** Indices of the catalogue's goals that `reset` cycles through; default: all of them. */
  goals?: readonly number[];
}

/** The turn is one of the counters that random results are drawn from, each of 32 bits. */
const MAX_TURNS = 2 ** 32 - 1;

export const WEBSHOP_DEFAULTS: WebShopOptions = {
  observation: "text",
  maxTurns: 100,
  formatPenalty: 0,
  showAttributes: false,
};

export interface WebShopInfo {
  /** Index in the catalogue's goals. */
  goal: number;
  /** The action of this turn; null at the start, or if the text was not one. */
  action: ShopAction | null;
  /** Whether it had an effect. */
  valid: boolean;
  page: ShopPage["kind"];
  /** WebShop's list of possible next actions; null after the end. */
  available: Available | null;
  /** Options chosen on the item shown or bought. */
  options: Options;
  /** WebShop's reward; the turn's reward is this plus `formatPenalty`. */
  envReward: number;
  /** 0, or the option of that name. */
  formatPenalty: number;
  /** Bought with reward 1. */
  success: boolean;
  /** Each term, after buying; else null. */
  reward: Reward | null;
  turnsLeft: number;
}

export interface WebShopSnapshot {
  goal: number;
  seed: number;
  page: ShopPage;
  turnsLeft: number;
  ended: boolean;
}

export class WebShopEnv implements Environment<WebShopInfo, WebShopSnapshot> {
  readonly options: WebShopOptions;
  readonly catalogue: Catalogue;
  #goalIndex = -1;
  #seed = 0;
  #current: ShopPage = { kind: "search" };
  #currentNodes: PageNode[] | undefined;
  #currentClickables: Map<string, Clickable> | undefined;
  #turnsLeft = 0;
  #ended = true;

  /** @throws InputError naming the invalid option. */
  constructor(catalogue: Catalogue, options: Partial<WebShopOptions> = {}) {
    this.catalogue = catalogue;
    this.options = { ...WEBSHOP_DEFAULTS, ...options };
    checkOptions(this.options, catalogue);
  }

  /** The goal of this episode. */
  get goal(): Goal {
    if (this.#goalIndex < 0) throw new Error("the environment has no goal: call reset first");
    return this.catalogue.goals[this.#goalIndex]!;
  }

  /** The shopper's state, as plain data; do not change it. */
  get page(): ShopPage {
    return this.#current;
  }

  /** What the page shows, in order. */
  get nodes(): readonly PageNode[] {
    return (this.#currentNodes ??= pageNodes(this.#current, this.#shop()));
  }

  /** Starts with goal (seed mod n) of the n goals; the seed also draws the results of `<r>`. */
  reset(seed: number): ResetResult<WebShopInfo> {
    checkWhole("seed", seed, 0, Number.MAX_SAFE_INTEGER);
    const { goals } = this.options;
    const i = seed % (goals?.length ?? this.catalogue.goals.length);
    return this.resetGoal(goals ? goals[i]! : i, seed);
  }

  /**
   * Starts with the goal at an index of the catalogue.
   * @throws InputError if there is no such goal, or the seed is invalid.
   */
  resetGoal(goal: number, seed = 0): ResetResult<WebShopInfo> {
    checkGoal("goal", goal, this.catalogue);
    checkWhole("seed", seed, 0, Number.MAX_SAFE_INTEGER);
    this.#goalIndex = goal;
    this.#seed = seed;
    this.#show({ kind: "search" });
    this.#turnsLeft = this.options.maxTurns;
    this.#ended = false;
    return { observation: this.#observation(), info: this.#info(null, true) };
  }

  step(text: string): StepResult<WebShopInfo> {
    if (this.#ended) throw new Error("the episode has ended: call reset first");
    const action = parseAction(text);
    const draw = { seed: this.#seed, turn: this.#turnsLeft };
    const next = action && act(this.#current, action, this.#clickables(), this.#shop(), draw);
    if (next) this.#show(next);
    this.#turnsLeft -= 1;
    const terminated = this.#current.kind === "done";
    const truncated = !terminated && this.#turnsLeft === 0;
    this.#ended = terminated || truncated;
    const info = this.#info(action, next !== null);
    const reward = info.envReward + info.formatPenalty;
    return { observation: this.#observation(), reward, terminated, truncated, info };
  }

  snapshot(): WebShopSnapshot {
    return {
      goal: this.#goalIndex,
      seed: this.#seed,
      page: structuredClone(this.#current),
      turnsLeft: this.#turnsLeft,
      ended: this.#ended,
    };
  }

  /** @throws InputError naming the field if goal, seed or turns left are invalid. */
  restore({ goal, seed, page, turnsLeft, ended }: WebShopSnapshot): void {
    checkGoal("goal", goal, this.catalogue);
    checkWhole("seed", seed, 0, Number.MAX_SAFE_INTEGER);
    checkWhole("turnsLeft", turnsLeft, 0, MAX_TURNS);
    this.#goalIndex = goal;
    this.#seed = seed;
    this.#show(structuredClone(page));
    this.#turnsLeft = turnsLeft;
    this.#ended = ended;
  }

  #show(page: ShopPage): void {
    this.#current = page;
    this.#currentNodes = undefined;
    this.#currentClickables = undefined;
  }

  #clickables(): Map<string, Clickable> {
    return (this.#currentClickables ??= clickablesOf(this.nodes));
  }

  #shop(): Shop {
    const { catalogue, goal } = this;
    return { catalogue, goal, showAttributes: this.options.showAttributes };
  }

  #observation(): string {
    return renderPage(this.nodes, this.options.observation);
  }

  #info(action: ShopAction | null, valid: boolean): WebShopInfo {
    const page = this.#current;
    const reward = page.kind === "done" ? page.reward : null;
    return {
      goal: this.#goalIndex,
      action,
      valid,
      page: page.kind,
      available: this.#ended ? null : availableOf(this.nodes, this.#clickables()),
      options: "options" in page ? page.options : {},
      envReward: reward?.reward ?? 0,
      formatPenalty: valid ? 0 : this.options.formatPenalty,
      success: reward !== null && reward.reward >= 1,
      reward,
      turnsLeft: this.#turnsLeft,
    };
  }
}

function checkOptions(options: WebShopOptions, catalogue: Catalogue): void {
  const { maxTurns, formatPenalty, observation, goals } = options;
  checkWhole("maxTurns", maxTurns, 1, MAX_TURNS);
  if (!Number.isFinite(formatPenalty)) {
    throw new InputError(`formatPenalty is ${formatPenalty}; it must be a number`);
  }
  if (!OBSERVATION_MODES.includes(observation)) {
    const allowed = OBSERVATION_MODES.join(", ");
    throw new InputError(`observation is ${show(observation)}; allowed: ${allowed}`);
  }
  if (catalogue.goals.length === 0) throw new InputError("the catalogue has no goals");
  if (goals?.length === 0) throw new InputError("goals is []; it must name at least one goal");
  goals?.forEach((goal, i) => checkGoal(`goals[${i}]`, goal, catalogue));
}

function checkGoal(name: string, goal: number, { goals }: Catalogue): void {
  checkWhole(name, goal, 0, goals.length - 1);
}
