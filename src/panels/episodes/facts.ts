/** What the table says of an episode, so that thousands can be compared without holding what was said in them. */
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { outcomeOf, type Outcome } from "../../reading/groups.ts";
import { criticFor, type Critic } from "../../reading/critics.ts";
import { indexOfLargest, tdErrors } from "../../reading/tdErrors.ts";
import { finite } from "../../numeric/finite.ts";
import type { Hit } from "./find.ts";
import { movesAtAGlance } from "./moves.ts";

/** A number of one turn. */
export interface Peak {
  turn: number;
  value: number;
}

/** Null is not known, or that there is none. */
export interface EpisodeFacts {
  iteration: number;
  /** Place among the iteration's recorded episodes, or among a fork's. */
  episode: number;
  task: string;
  seed: number | null;
  outcome: Outcome;
  /** As arrows; null where they are no steps on a board. */
  moves: string | null;
  reward: number | null;
  turns: number;
  /** The TD error furthest from 0. */
  error: Peak | null;
  /** How many turns a clip cut. */
  clipped: number | null;
  firstClipped: number | null;
  /** Mean negative log-prob per token of the least likely response. */
  surprise: Peak | null;
  /** The advantage furthest from 0. */
  advantage: Peak | null;
  /** Where the text that is looked for first stands. */
  hit: Hit | null;
}

interface FactSource {
  spec: ExperimentSpec | undefined;
  algorithm: string;
  iteration: number;
}

type FindHit = (episode: EpisodeRecord) => Hit | null;

/** Of the episodes of an iteration those in which `find` finds something; without it all. */
export function factsOf(
  episodes: readonly EpisodeRecord[],
  { spec, algorithm, iteration }: FactSource,
  find: FindHit | null,
): EpisodeFacts[] {
  const critic = criticFor(spec, algorithm, episodes);
  return episodes.flatMap((record, episode) => {
    const hit = find && find(record);
    return find && !hit ? [] : [{ iteration, episode, ...numbersOf(record, critic), hit }];
  });
}

function numbersOf(record: EpisodeRecord, critic: Critic | null) {
  const { task, seed, reward, turns } = record;
  return {
    task,
    seed: finite(seed),
    reward: finite(reward),
    turns: turns.length,
    outcome: outcomeOf(record),
    moves: movesAtAGlance(turns),
    error: peakOf(tdErrors(record, critic)),
    ...clippedOf(turns),
    surprise: peakOf(turns.map(surpriseOf)),
    advantage: peakOf(turns.map(({ advantage }) => finite(advantage))),
  };
}

function peakOf(numbers: readonly (number | null)[]): Peak | null {
  const turn = indexOfLargest(numbers);
  return turn === null ? null : { turn, value: numbers[turn]! };
}

/** None is not known where a turn's clip is not; nor of an episode without turns. */
function clippedOf(turns: readonly { clipped: boolean | null }[]) {
  const cut = turns.filter(({ clipped }) => clipped).length;
  const isKnown = turns.length > 0 && turns.every(({ clipped }) => clipped !== null);
  const first = turns.findIndex(({ clipped }) => clipped);
  return {
    clipped: cut > 0 || isKnown ? cut : null,
    firstClipped: first < 0 ? null : first,
  };
}

/** How unlikely the response was to who wrote it: mean -log p over its tokens; null where one is not known. */
export function surpriseOf({ tokens }: Pick<TurnRecord, "tokens">): number | null {
  const sum = tokens.reduce((all, { oldLogprob }) => all + (finite(oldLogprob) ?? NaN), 0);
  return tokens.length === 0 ? null : finite(-sum / tokens.length);
}
