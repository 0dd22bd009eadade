/**
 * Sokoban as a text environment: RAGEN's turn manager (`ragen/llm_agent/es_manager.py`, step) with
 * Gymnasium's flags.
 */
import { chanceOf, uniforms } from "../../numeric/rng.ts";
import { InputError } from "../../numeric/inputError.ts";
import type { Environment, ResetResult, StepResult } from "../environment.ts";
import {
  boxesOnTarget,
  checkUnsolved,
  isSolved,
  parseBoard,
  renderBoard,
  type Action,
  type Board,
  ACTIONS,
  symbolAt,
} from "./board.ts";
import { GYM_PAY, play } from "./dynamics.ts";
import { judgeThought } from "./judgeThought.ts";
import { thoughtIn } from "../thoughtBlock.ts";
import { generateLevel, type LevelOptions } from "./generate.ts";
import { actionNamed, parseResponse } from "./parseResponse.ts";

export interface SokobanOptions extends LevelOptions {
  /** Further names in one response are dropped without penalty. */
  maxActionsPerTurn: number;
  /** A turn with fewer known names is played, with the format penalty. */
  minActionsPerTurn: number;
  /** Actions per episode. Replaces gym-sokoban's step limit. */
  maxActions: number;
  maxTurns: number;
  /** Added once to the reward of a turn with an unknown name or without any known one. */
  formatPenalty: number;
  /** Whether a response must have a think block before its answer block. */
  think: boolean;
  /** Whether thoughts are in words, and each turn reports how its thought relates to answer and board. */
  judgeThoughts: boolean;
  /** gym-sokoban's penalty_for_step, for every action. */
  stepCost: number;
  /** gym-sokoban's reward_finished, when the level is solved. */
  successBonus: number;
  /** 0 to 1: probability that a move goes in another direction. */
  slip: number;
  /** 0 to 1: probability that an inner cell of the shown board is wrong; the board itself does not change. */
  observationNoise: number;
  /** Play this board whatever the seed, instead of generating one; generated ones are never solved at the start. */
  level?: Board;
}

/** RAGEN's SimpleSokoban, with the limits of its 2025 default. */
export const SOKOBAN_DEFAULTS: SokobanOptions = {
  size: [6, 6],
  boxes: 1,
  searchDepth: 300,
  maxActionsPerTurn: 5,
  minActionsPerTurn: 1,
  maxActions: 10,
  maxTurns: 5,
  formatPenalty: -0.1,
  think: false,
  judgeThoughts: false,
  ...GYM_PAY,
  slip: 0,
  observationNoise: 0,
};

export interface SokobanInfo {
  /** The moves of this turn: the actual ones, if they slipped. */
  actions: Action[];
  /** Sum of their rewards; the turn's reward is this plus `formatPenalty`. */
  envReward: number;
  /** 0, or the option of that name. */
  formatPenalty: number;
  /** For a played turn: whether it was well formed, whatever the penalty is. */
  wellFormed?: boolean;
  success: boolean;
  /** For a turn with `judgeThoughts`: thought_reads, thought_agrees, thought_fits and thought_works (`judgeThought`). */
  turnMarks?: Record<string, boolean>;
  boxesOnTarget: number;
  actionsLeft: number;
  turnsLeft: number;
}

interface SokobanSnapshot {
  /** The board in RAGEN's symbols. */
  board: string;
  actionsLeft: number;
  turnsLeft: number;
  ended: boolean;
  /** The episode's seed, if the environment is random: turns without `chance` draw from it. */
  seed?: number;
}

const WHOLE = ["minActionsPerTurn", "maxActionsPerTurn", "maxActions", "maxTurns"] as const;

export class SokobanEnv implements Environment<SokobanInfo, SokobanSnapshot> {
  readonly options: SokobanOptions;
  #current: Board | undefined;
  #actionsLeft = 0;
  #turnsLeft = 0;
  #ended = true;
  #seed = 0;

  constructor(options: Partial<SokobanOptions> = {}) {
    this.options = { ...SOKOBAN_DEFAULTS, ...options };
    for (const key of WHOLE) {
      const value = this.options[key];
      if (!Number.isInteger(value) || value < 1) {
        throw new InputError(`${key} is ${value}; it must be a whole number of at least 1`);
      }
    }
    if (!Number.isFinite(this.options.formatPenalty)) {
      throw new InputError(`formatPenalty is ${this.options.formatPenalty}; it must be a number`);
    }
    for (const key of ["slip", "observationNoise"] as const) {
      const value = this.options[key];
      if (!(value >= 0 && value <= 1))
        throw new InputError(`${key} is ${value}; it must be a number from 0 to 1`);
    }
    if (this.options.level) checkUnsolved("level", this.options.level);
  }

  /** Whether turns need `chance`. */
  get #chancy(): boolean {
    return this.options.slip > 0 || this.options.observationNoise > 0;
  }

  /** The current board. */
  get board(): Board {
    if (!this.#current) throw new Error("the environment has no board: call reset first");
    return this.#current;
  }

  reset(seed: number): ResetResult<SokobanInfo> {
    this.#current = this.options.level ?? generateLevel(seed, this.options).board;
    this.#actionsLeft = this.options.maxActions;
    this.#turnsLeft = this.options.maxTurns;
    this.#ended = false;
    this.#seed = seed;
    return { observation: this.#shown(this.#ownChance()), info: this.#info([], 0, 0) };
  }

  /** Without `chance`, it follows from the episode's seed and the turn. */
  step(text: string, chance = this.#ownChance()): StepResult<SokobanInfo> {
    if (this.#ended) throw new Error("the episode has ended: call reset first");
    const { names } = parseResponse(text, this.options.think, this.options.maxActionsPerTurn);
    const named = names.map(actionNamed);
    const known = named.filter((action) => action !== undefined);
    const turnMarks = this.options.judgeThoughts && thoughtMarks(this.board, text, named);
    const wrong = known.length < this.options.minActionsPerTurn || known.length < names.length;
    const penalty = wrong ? this.options.formatPenalty : 0;

    const { slip } = this.options;
    const wanted = known.slice(0, this.#actionsLeft);
    const moves = slip > 0 ? slipped(wanted, slip, chance) : wanted;
    const played = play(this.board, moves, this.options);
    this.#current = played.board;
    this.#actionsLeft -= played.actions.length;
    this.#turnsLeft -= 1;
    const terminated = isSolved(this.board);
    const truncated = !terminated && (this.#actionsLeft === 0 || this.#turnsLeft === 0);
    this.#ended = terminated || truncated;
    return {
      observation: this.#shown(chance),
      reward: played.reward + penalty,
      terminated,
      truncated,
      info: {
        ...this.#info(played.actions, played.reward, penalty),
        wellFormed: !wrong,
        ...(turnMarks && { turnMarks }),
      },
    };
  }

  snapshot(): SokobanSnapshot {
    const state = {
      board: renderBoard(this.board),
      actionsLeft: this.#actionsLeft,
      turnsLeft: this.#turnsLeft,
      ended: this.#ended,
    };
    return this.#chancy ? { ...state, seed: this.#seed } : state;
  }

  restore({ board, actionsLeft, turnsLeft, ended, seed = 0 }: SokobanSnapshot): void {
    this.#current = parseBoard(board);
    this.#actionsLeft = actionsLeft;
    this.#turnsLeft = turnsLeft;
    this.#ended = ended;
    this.#seed = seed;
  }

  /** What the player sees of the board. */
  #shown(chance: number): string {
    const { observationNoise } = this.options;
    return observationNoise > 0
      ? noisyBoard(this.board, observationNoise, chance)
      : renderBoard(this.board);
  }

  /** For play by hand; also for the start, so that all players see a level alike. */
  #ownChance(): number {
    if (!this.#chancy) return 0;
    const key = { seed: this.#seed, stream: "sokoban-chance", iteration: 0, trajectory: 0 };
    return chanceOf({ ...key, step: this.#turnsLeft });
  }

  #info(actions: Action[], envReward: number, formatPenalty: number): SokobanInfo {
    const { board } = this;
    return {
      actions,
      envReward,
      formatPenalty,
      success: isSolved(board),
      boxesOnTarget: boxesOnTarget(board),
      actionsLeft: this.#actionsLeft,
      turnsLeft: this.#turnsLeft,
    };
  }
}

// Optional randomness in Sokoban: moves that slip, and cells that are shown wrongly. Everything
// follows from one number per turn, so that a turn with the same number has the same result.

/** n numbers in [0, 1) from a turn's `chance`, for one purpose. [n] */
function drawsOf(chance: number, stream: string, n: number): Float64Array {
  return uniforms({ seed: chance, stream, iteration: 0, trajectory: 0, step: 0 }, n);
}

/** The actual moves: each goes in one of the three other directions with probability `slip`, uniformly. */
export function slipped(wanted: readonly Action[], slip: number, chance: number): Action[] {
  const draws = drawsOf(chance, "sokoban-slip", wanted.length); // [wanted]
  return wanted.map((action, i) => {
    const u = draws[i]!;
    if (u >= slip) return action;
    const others = ACTIONS.filter((other) => other !== action);
    return others[Math.floor((u / slip) * others.length)]!;
  });
}

/** What an inner cell without the player may be shown as. */
const SHOWN = ["#", "_", "O", "X", "√"];

/**
 * The board in RAGEN's symbols with each inner cell, except the player's own, replaced by another
 * symbol with this probability. It still parses as a board: the border and the player are shown
 * correctly.
 */
export function noisyBoard(board: Board, noise: number, chance: number): string {
  const { rows, cols, player } = board;
  const draws = drawsOf(chance, "sokoban-observation", rows * cols); // [rows * cols]
  const lines = renderBoard(board)
    .split("\n")
    .map((line) => [...line]);
  for (let cell = 0; cell < rows * cols; cell++) {
    const [r, c] = [Math.floor(cell / cols), cell % cols];
    const inner = r > 0 && c > 0 && r < rows - 1 && c < cols - 1;
    const u = draws[cell]!;
    if (!inner || cell === player || u >= noise) continue;
    const others = SHOWN.filter((symbol) => symbol !== symbolAt(board, cell));
    lines[r]![c] = others[Math.floor((u / noise) * others.length)]!;
  }
  return lines.map((line) => line.join("")).join("\n");
}

/** A turn without a thought fails in all. */
function thoughtMarks(
  board: Board,
  text: string,
  answer: readonly (Action | undefined)[],
): Record<string, boolean> {
  const judged = judgeThought(board, thoughtIn(text) ?? "", answer);
  return Object.fromEntries(Object.entries(judged).map(([name, is]) => [`thought_${name}`, is]));
}
