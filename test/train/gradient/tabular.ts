/**
 * A softmax policy that is a table, in a world of two turns and three states: small enough to sum over everything that
 * can happen, so that the expected return and its gradient are known. A response is two tokens, the second drawn given
 * the first; each token's distribution is a row of the table, named by the token before it.
 */
import type { BackwardRequest, WeightMap } from "../../../src/engine/engine.ts";
import { categorical, uniform } from "../../../src/numeric/rng.ts";
import type { Differentiable } from "../../../src/train/gradient/flat.ts";
import type { Episode, EpisodeTurn } from "../../../src/rollout/rollout.ts";

/** Tokens: states 0 to 2, first tokens 3 and 4, second tokens 5 and 6. */
const CHOICES: Record<number, number[]> = { 0: [3, 4], 1: [3, 4], 2: [3, 4], 3: [5, 6], 4: [5, 6] };
const START = 0;
const TURNS = 2;
export const PARAMETERS = 10;

/** The world: what a response pays, and where it leads; null ends the episode. */
function answer(state: number, [first, second]: number[]): { reward: number; next: number | null } {
  const reward =
    0.3 * state * (first! - 3) + (second === 5 ? 0.2 : -0.5) * (first! - 2) + 0.1 * state;
  const next = first === 3 && second === 6 ? null : first! - 2;
  return { reward, next };
}

/** theta [10]: two logits for each of the five rows. */
export class Table implements Differentiable {
  readonly theta: Float64Array;
  #grad = new Float64Array(PARAMETERS);

  constructor(theta: ArrayLike<number> = [0.3, -0.2, -0.5, 0.4, 0.1, 0.7, 0.2, -0.6, -0.3, 0.5]) {
    this.theta = Float64Array.from(theta);
  }

  /** Chances of the two tokens that may follow `after`. [2] */
  chances(after: number): number[] {
    const weights = [0, 1].map((i) => Math.exp(this.theta[2 * after + i]!));
    const total = weights[0]! + weights[1]!;
    return weights.map((w) => w / total);
  }

  async backward({ rows, dLogprob }: BackwardRequest): Promise<void> {
    rows.ids.forEach((id, at) => {
      const g = dLogprob![at]!;
      if (g === 0) return;
      const before = rows.ids[at - 1]!;
      const chosen = CHOICES[before]!.indexOf(id);
      this.chances(before).forEach((p, i) => {
        this.#grad[2 * before + i]! += g * (Number(i === chosen) - p);
      });
    });
  }

  async readGrads(): Promise<WeightMap> {
    return new Map([["table", { shape: [PARAMETERS], data: Float32Array.from(this.#grad) }]]);
  }

  zeroGrads(): void {
    this.#grad.fill(0);
  }
}

/** A response with its chance. */
function responses(table: Table, state: number) {
  return CHOICES[state]!.flatMap((first, i) =>
    CHOICES[first]!.map((second, j) => ({
      ids: [first, second],
      chance: table.chances(state)[i]! * table.chances(first)[j]!,
    })),
  );
}

export interface Chance {
  episode: Episode;
  chance: number;
}

/** Every episode with its probability. */
export function allEpisodes(table: Table): Chance[] {
  const from = (state: number, turns: EpisodeTurn[], chance: number): Chance[] =>
    responses(table, state).flatMap((response) => {
      const { reward, next } = answer(state, response.ids);
      const played = [...turns, turnOf(state, response.ids, reward)];
      const p = chance * response.chance;
      const over = next === null || played.length === TURNS;
      return over ? [{ episode: episodeOf(played), chance: p }] : from(next, played, p);
    });
  return from(START, [], 1);
}

/** V of a state with some turns left. */
export function exactValue(table: Table, state: number, left = TURNS): number {
  if (left === 0) return 0;
  return responses(table, state).reduce((sum, { ids, chance }) => {
    const { reward, next } = answer(state, ids);
    return sum + chance * (reward + (next === null ? 0 : exactValue(table, next, left - 1)));
  }, 0);
}

/** A = Q - V of each turn of an episode. [turns] */
export function exactAdvantages(table: Table, { turns }: Episode): number[] {
  return turns.map(({ queryIds: [state], responseIds, reward }, h) => {
    const { next } = answer(state!, responseIds);
    const later = next === null ? 0 : exactValue(table, next, TURNS - h - 1);
    return reward + later - exactValue(table, state!, TURNS - h);
  });
}

export const expectedReturn = (table: Table): number => exactValue(table, START);

/** Central differences of the expected return. [10] */
export function finiteDifferences({ theta }: Table, step = 1e-5): Float64Array {
  return theta.map((_, i) => {
    const moved = (by: number) =>
      expectedReturn(new Table(theta.map((x, j) => (j === i ? x + by : x))));
    return (moved(step) - moved(-step)) / (2 * step);
  });
}

/** Draws one episode. */
export function sampleEpisode(table: Table, trajectory: number): Episode {
  const all = allEpisodes(table);
  const u = uniform({ seed: 3, stream: "tabular", iteration: 0, trajectory, step: 0 });
  return all[
    categorical(
      all.map(({ chance }) => chance),
      u,
    )
  ]!.episode;
}

function turnOf(state: number, responseIds: number[], reward: number): EpisodeTurn {
  return {
    ...{ observation: String(state), queryIds: [state], responseIds, reward },
    ...{ sampledLogprob: [], text: "", actions: [], formatPenalty: 0, valid: true, marks: {} },
  };
}

function episodeOf(turns: EpisodeTurn[]): Episode {
  return {
    ...{ trajectory: 0, task: { name: "task", seed: 0 }, turns },
    ...{
      terminated: true,
      truncated: false,
      success: false,
      finalObservation: "",
      finalQueryIds: [],
    },
  };
}

/** The same episode as one of a named task. */
export function ofTask(episode: Episode, name: string): Episode {
  return { ...episode, task: { name, seed: 0 } };
}
