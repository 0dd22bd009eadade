/**
 * The maximum that can be earned in Sokoban from a state, by exact search over boards, actions left
 * and turns left: the discounted return of the best possible player within the limits. A turn is
 * one to the allowed number of actions, or a malformed response, which does nothing and costs the
 * format penalty, as a turn with too few actions does.
 */
import { boxesOnTarget, isSolved, ACTIONS, type Board } from "../../env/sokoban/board.ts";
import { move, rewardOf, rewardUnits } from "../../env/sokoban/dynamics.ts";
import type { SokobanEnv, SokobanOptions } from "../../env/sokoban/sokobanEnv.ts";
import { textOfCodes } from "../../numeric/lists.ts";
import { InputError } from "../../numeric/inputError.ts";

/** Maximum number of situations searched: about a second. */
const MOST_SITUATIONS = 500_000;

type Rules = Pick<
  SokobanOptions,
  | "minActionsPerTurn"
  | "maxActionsPerTurn"
  | "maxActions"
  | "maxTurns"
  | "formatPenalty"
  | "stepCost"
  | "successBonus"
  | "slip"
> & { gamma: number };

/** The result of an action on a board. */
interface MoveOutcome {
  /** Index of the resulting board. */
  next: number;
  reward: number;
  solved: boolean;
}

/** One sentence if exact search cannot be used; else null. */
export function whyNotExact({ slip }: Pick<SokobanOptions, "slip">): string | null {
  if (slip === 0) return null;
  return `environment.slip is ${slip}; exact search needs 0, because it follows one outcome of each move: use branched rollouts`;
}

class TooMany extends Error {}

/** Keeps its results as long as the walls and targets stay the same: all states of one level cost little more than one. */
export class SokobanOptimum {
  readonly #rules: Rules;
  #fixed = new Uint8Array();
  /** Index of each board seen, by player and boxes. */
  #numbers = new Map<string, number>();
  #boards: Board[] = [];
  /** Result of each action on each board. [boards][4] */
  #outcomes: (MoveOutcome[] | undefined)[] = [];
  /** Best return by situation. */
  #known = new Map<number, number>();

  /** @throws InputError if moves can slip: what the best player would earn is then an expectation over randomness. */
  constructor(rules: Rules) {
    const refused = whyNotExact(rules);
    if (refused !== null) throw new InputError(refused);
    this.#rules = rules;
  }

  /** V* of the environment's state; 0 after the end, NaN if there are too many situations to search. */
  value(environment: SokobanEnv): number {
    const { actionsLeft, turnsLeft, ended } = environment.snapshot();
    if (ended) return 0;
    const { board } = environment;
    const same = board.fixed.every((kind, cell) => kind === this.#fixed[cell]);
    if (!same || this.#known.size > MOST_SITUATIONS / 2) this.#forget(board);
    try {
      return this.#best(this.#numberOf(board), actionsLeft, turnsLeft, 0);
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      this.#forget(board);
      return NaN;
    }
  }

  #forget({ fixed }: Board): void {
    this.#fixed = fixed.slice();
    this.#numbers = new Map();
    this.#boards = [];
    this.#outcomes = [];
    this.#known = new Map();
  }

  #numberOf(board: Board): number {
    const key = textOfCodes([board.player, ...board.boxes]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#boards.push(board) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  #outcomesOf(number: number): MoveOutcome[] {
    return (this.#outcomes[number] ??= ACTIONS.map((action) => {
      const board = this.#boards[number]!;
      const next = move(board, action);
      const solved = isSolved(next);
      const units = rewardUnits(boxesOnTarget(board), boxesOnTarget(next), solved, this.#rules);
      return { next: this.#numberOf(next), reward: rewardOf(units), solved };
    }));
  }

  /** `done` actions of the current turn are taken; `turnsLeft` includes it. */
  #best(board: number, actionsLeft: number, turnsLeft: number, done: number): number {
    const { maxActionsPerTurn: m, maxActions, maxTurns } = this.#rules;
    const place = (board * (maxActions + 1) + actionsLeft) * (maxTurns + 1) + turnsLeft;
    const situation = place * (m + 1) + done;
    const known = this.#known.get(situation);
    if (known !== undefined) return known;
    let best = this.#endTurn(board, actionsLeft, turnsLeft, done);
    for (const { next, reward, solved } of done < m ? this.#outcomesOf(board) : []) {
      const over = solved || actionsLeft === 1;
      const later = over ? 0 : this.#best(next, actionsLeft - 1, turnsLeft, done + 1);
      best = Math.max(best, reward + later);
    }
    if (this.#known.size >= MOST_SITUATIONS) throw new TooMany();
    this.#known.set(situation, best);
    return best;
  }

  #endTurn(board: number, actionsLeft: number, turnsLeft: number, done: number): number {
    const { gamma, formatPenalty, minActionsPerTurn } = this.#rules;
    const cost = done < minActionsPerTurn ? formatPenalty : 0;
    if (turnsLeft === 1) return cost;
    return cost + gamma * this.#best(board, actionsLeft, turnsLeft - 1, 0);
  }
}
