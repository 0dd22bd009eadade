/**
 * The exact optimal player of a lake, including slips: its expected return, and its next response.
 * A response names all its steps at once, without seeing the result of each, so the search is over
 * whole responses, and the outcome of each is a distribution over tiles.
 *
 *   V(tile, actions, turns) = max over responses of  P(goal in this turn) + gamma E[V(tile', actions', turns - 1)]
 */
import { DIRECTIONS, neighbour, type Direction, type LakeMap } from "./lakeMap.ts";

export interface LakeRules {
  /**
   * Probability that a step goes in the intended direction; the rest is split between the two
   * sides.
   */
  successRate: number;
  maxActionsPerTurn: number;
  /** Discount per turn. */
  gamma: number;
}

/** A player's state on a map. */
interface LakeState {
  tile: number;
  actionsLeft: number;
  turnsLeft: number;
}

/** A response and its value. */
interface BestTurn {
  value: number;
  response: readonly Direction[];
}

/** Probabilities of the player being on each non-terminal tile, and of having reached the goal. */
interface LakeOutcome {
  at: Float64Array; // [tiles]
  goal: number;
}

const NOTHING: BestTurn = { value: 0, response: [] };
/** Smaller gains are rounding: then the shorter response is taken, or of two equally long ones the first in order. */
const ROUNDING = 1e-12;

/** The best turn from each state on one map; cached. */
export class LakeOptimum {
  #rules: LakeRules;
  #tiles: string;
  /** The tile that a step in each direction leads to from each tile. [directions][tiles] */
  #to: number[][];
  #known = new Map<string, BestTurn>();

  constructor(map: LakeMap, rules: LakeRules) {
    this.#rules = rules;
    this.#tiles = map.join("");
    const tiles = [...this.#tiles].map((_, tile) => tile);
    this.#to = DIRECTIONS.map((direction) => tiles.map((tile) => neighbour(map, tile, direction)));
  }

  /** The best player's response; empty once the episode is over. */
  best({ tile, actionsLeft, turnsLeft }: LakeState): BestTurn {
    if (actionsLeft === 0 || turnsLeft === 0 || "HG".includes(this.#tiles[tile]!)) return NOTHING;
    // Actions beyond what fits in the remaining turns make no difference: capping them keeps the
    // number of states small.
    const actions = Math.min(actionsLeft, turnsLeft * this.#rules.maxActionsPerTurn);
    const key = `${tile} ${actions} ${turnsLeft}`;
    const known = this.#known.get(key) ?? this.#search({ tile, actionsLeft: actions, turnsLeft });
    this.#known.set(key, known);
    return known;
  }

  /** The value of a response followed by the best player: Q*. Steps beyond the remaining budget are not taken. */
  worth(response: readonly Direction[], standing: LakeState): number {
    const taken = response.slice(0, standing.actionsLeft);
    const outcome = taken.reduce(
      (before, wanted) => this.#stepped(before, wanted),
      this.#start(standing),
    );
    return this.#expected(outcome, taken.length, standing);
  }

  /** Tries every response, each as a shorter one plus a step. */
  #search(standing: LakeState): BestTurn {
    const most = Math.min(this.#rules.maxActionsPerTurn, standing.actionsLeft);
    let best: BestTurn | null = null;
    let open = [{ response: [] as Direction[], outcome: this.#start(standing) }];
    for (let length = 1; length <= most; length++) {
      open = open.flatMap(({ response, outcome }) =>
        DIRECTIONS.map((wanted) => ({
          response: [...response, wanted],
          outcome: this.#stepped(outcome, wanted),
        })),
      );
      for (const { response, outcome } of open) {
        const value = this.#expected(outcome, length, standing);
        if (best === null || value > best.value + ROUNDING) best = { value, response };
      }
    }
    return best ?? NOTHING;
  }

  #start({ tile }: LakeState): LakeOutcome {
    const at = new Float64Array(this.#tiles.length);
    at[tile] = 1;
    return { at, goal: 0 };
  }

  #expected(
    { at, goal }: LakeOutcome,
    taken: number,
    { actionsLeft, turnsLeft }: LakeState,
  ): number {
    const left = { actionsLeft: actionsLeft - taken, turnsLeft: turnsLeft - 1 };
    let later = 0;
    for (let tile = 0; tile < at.length; tile++) {
      const p = at[tile]!;
      if (p !== 0) later += p * this.best({ tile, ...left }).value;
    }
    return goal + this.#rules.gamma * later;
  }

  /** One more step: a player in a terminal tile stays there. */
  #stepped({ at, goal }: LakeOutcome, wanted: Direction): LakeOutcome {
    const next = { at: new Float64Array(at.length), goal };
    for (const [direction, share] of this.#ways(wanted)) {
      const reached = this.#to[direction]!;
      for (let tile = 0; tile < at.length; tile++) {
        const p = at[tile]!;
        if (p === 0) continue;
        const to = reached[tile]!;
        if (this.#tiles[to] === "G") next.goal += p * share;
        else if (this.#tiles[to] !== "H") next.at[to]! += p * share;
      }
    }
    return next;
  }

  /** The directions that a step may take, as indices, with their probabilities. */
  #ways(wanted: Direction): [direction: number, share: number][] {
    const { successRate } = this.#rules;
    const to = DIRECTIONS.indexOf(wanted);
    const side = (1 - successRate) / 2;
    const ways: [number, number][] = [
      [(to + 3) % 4, side],
      [to, successRate],
      [(to + 1) % 4, side],
    ];
    return ways.filter(([, share]) => share > 0);
  }
}
