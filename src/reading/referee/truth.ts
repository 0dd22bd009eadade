/**
 * The truth of a game by dynamic programming, exact up to the rounding of float64: values, advantages and the
 * gradient of the expected return with respect to the policy's logits. Rewards are not discounted.
 */
import { greatest } from "../../numeric/lists.ts";
import type { Game } from "./game.ts";

export interface GameTruth {
  /** Expected return of an episode, and its expected turns. */
  score: number;
  turns: number;
  /** V of each state, and what the best player would earn from it. [S] */
  value: Float64Array;
  best: Float64Array;
  /** Expected visits of an episode. [S] */
  visits: Float64Array;
  /** Q and Q - V of each state with a response. [C] */
  actionValue: Float64Array;
  advantage: Float64Array;
  /** Expected visits of an episode to each. [C] */
  cellVisits: Float64Array;
  /** Mean of the squared advantage over turns: the error of who guesses 0 everywhere. */
  meanSquare: number;
  /** d score / d logit, by the policy gradient theorem: the sum over cells of visits, advantage and score. [P] */
  gradient: Float64Array;
}

export function gameTruth(game: Game): GameTruth {
  const { value, actionValue } = valuesUnder(game, { inTurn: 1, afterTurn: 1 });
  const visits = visitsOf(game); // [S]
  const cellVisits = eachCell(game, (s, response) => visits[s]! * response.chance); // [C]
  const advantage = eachCell(game, (s, _, c) => actionValue[c]! - value[s]!); // [C]
  const turns = visits.reduce((sum, d) => sum + d, 0);
  const gradient = new Float64Array(game.paramChance.length); // [P]
  eachCell(game, (_, { params }, c) => {
    for (const p of params) addScore(game, p, cellVisits[c]! * advantage[c]!, gradient);
    return 0;
  });
  return {
    score: dotOf(game.start, value),
    turns,
    value,
    best: bestOf(game),
    visits,
    actionValue,
    advantage,
    cellVisits,
    meanSquare:
      dotOf(
        cellVisits,
        advantage.map((A) => A * A),
      ) / turns,
    gradient,
  };
}

/** Adds weight times the gradient of one token's log-prob: 1 - pi at its own logit, -pi at its siblings'. into [P] */
export function addScore(
  { nodeStart, paramNode, paramChance }: Game,
  param: number,
  weight: number,
  into: Float64Array,
): void {
  const node = paramNode[param]!;
  for (let p = nodeStart[node]!; p < nodeStart[node + 1]!; p++)
    into[p]! -= weight * paramChance[p]!;
  into[param]! += weight;
}

/** Factors of what comes after a token within its turn, and after a turn's last token. */
export interface StepDiscount {
  inTurn: number;
  afterTurn: number;
}

/** V of each state at its first token, and Q of each cell at its last one. [S], [C] */
export function valuesUnder(game: Game, discount: StepDiscount) {
  const value = new Float64Array(game.states.length); // [S]
  const actionValue = new Float64Array(game.branches.length); // [C]
  for (let s = game.states.length - 1; s >= 0; s--) {
    game.responses[game.seen[s]!]!.forEach(({ chance, params }, a) => {
      const c = game.cellStart[s]! + a;
      for (const { to, reward, chance: likely } of game.branches[c]!)
        actionValue[c]! += likely * (reward + (to < 0 ? 0 : discount.afterTurn * value[to]!));
      value[s]! += chance * power(discount.inTurn, params.length - 1) * actionValue[c]!;
    });
  }
  return { value, actionValue };
}

function visitsOf(game: Game): Float64Array {
  const visits = game.start.slice(); // [S]
  for (let s = 0; s < visits.length; s++)
    game.responses[game.seen[s]!]!.forEach(({ chance }, a) => {
      for (const { to, chance: likely } of game.branches[game.cellStart[s]! + a]!)
        if (to >= 0) visits[to]! += visits[s]! * chance * likely;
    });
  return visits;
}

/** [S] */
function bestOf(game: Game): Float64Array {
  const best = new Float64Array(game.states.length); // [S]
  for (let s = best.length - 1; s >= 0; s--) {
    const cells = game.branches.slice(game.cellStart[s], game.cellStart[s + 1]);
    const expected = cells.map((branches) =>
      branches.reduce(
        (sum, { to, reward, chance }) => sum + chance * (reward + (to < 0 ? 0 : best[to]!)),
        0,
      ),
    );
    best[s] = greatest(expected);
  }
  return best;
}

/** A number for each state with a response. [C] */
function eachCell(
  game: Game,
  of: (state: number, response: Game["responses"][number][number], cell: number) => number,
): Float64Array {
  const out = new Float64Array(game.branches.length); // [C]
  game.states.forEach((_, s) =>
    game.responses[game.seen[s]!]!.forEach((response, a) => {
      const c = game.cellStart[s]! + a;
      out[c] = of(s, response, c);
    }),
  );
  return out;
}

function dotOf(x: Float64Array, y: Float64Array): number {
  return x.reduce((sum, xi, i) => sum + xi * y[i]!, 0);
}

/** By products alone: the same in every browser. */
export function power(x: number, n: number): number {
  return n <= 0 ? 1 : x * power(x, n - 1);
}
