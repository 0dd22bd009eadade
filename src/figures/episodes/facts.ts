/** The table's data of an episode, so that thousands can be compared without keeping their texts in memory. */
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { outcomeOf, type Outcome } from "../../reading/groups.ts";
import { criticFor, type Critic } from "../../reading/critics.ts";
import { indexOfLargest, tdErrors } from "../../reading/tdErrors.ts";
import { finite } from "../../numeric/finite.ts";
import type { Hit } from "./find.ts";

/** A number of one turn. */
export interface Peak {
  turn: number;
  value: number;
}

/** Null if unknown, or if there is none. */
export interface EpisodeFacts {
  iteration: number;
  /** Index among the iteration's recorded episodes, or among a fork's. */
  episode: number;
  task: string;
  seed: number | null;
  outcome: Outcome;
  /** As arrows; null if they are not steps on a board. */
  moves: string | null;
  reward: number | null;
  turns: number;
  /** The TD error furthest from 0. */
  error: Peak | null;
  /** Number of clipped turns. */
  clipped: number | null;
  firstClipped: number | null;
  /** Mean negative log-prob per token of the least likely response. */
  surprise: Peak | null;
  /** The advantage furthest from 0. */
  advantage: Peak | null;
  /** The first position of the search text. */
  hit: Hit | null;
}

interface FactSource {
  spec: ExperimentSpec | undefined;
  algorithm: string;
  iteration: number;
}

type FindHit = (episode: EpisodeRecord) => Hit | null;

/** The episodes of an iteration, one after another: facts where `find` finds something, or without it; else null. */
export function* scanFacts(
  episodes: readonly EpisodeRecord[],
  { spec, algorithm, iteration }: FactSource,
  find: FindHit | null,
): Generator<EpisodeFacts | null, void> {
  const critic = criticFor(spec, algorithm, episodes);
  for (const [episode, record] of episodes.entries()) {
    const hit = find && find(record);
    yield find && !hit ? null : { iteration, episode, ...numbersOf(record, critic), hit };
  }
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

/** Unknown if any turn's clip is unknown, and for an episode without turns. */
function clippedOf(turns: readonly { clipped: boolean | null }[]) {
  const cut = turns.filter(({ clipped }) => clipped).length;
  const isKnown = turns.length > 0 && turns.every(({ clipped }) => clipped !== null);
  const first = turns.findIndex(({ clipped }) => clipped);
  return {
    clipped: cut > 0 || isKnown ? cut : null,
    firstClipped: first < 0 ? null : first,
  };
}

/** How unlikely the response was under the policy that wrote it: mean -log p over its tokens; null if one is unknown. */
export function surpriseOf({ tokens }: Pick<TurnRecord, "tokens">): number | null {
  const sum = tokens.reduce((all, { oldLogprob }) => all + (finite(oldLogprob) ?? NaN), 0);
  return tokens.length === 0 ? null : finite(-sum / tokens.length);
}

// An episode's moves at a glance, if all of them are steps on a board.

const ARROWS: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
};

/** A turn without a valid action. */
const NONE = "·";

/** Longer sequences are not readable at a glance. */
const MOST = 24;

/**
 * An arrow for each action, turn after turn; null if one is not a step, or a file does not have it.
 */
export function movesAtAGlance(turns: readonly Pick<TurnRecord, "actions">[]): string | null {
  if (turns.length === 0) return null;
  const parts: string[] = [];
  for (const { actions } of turns) {
    if (actions === null) return null;
    if (actions.length === 0) parts.push(NONE);
    for (const action of actions) {
      const arrow = ARROWS[action.toLowerCase()];
      if (arrow === undefined) return null;
      parts.push(arrow);
    }
  }
  return parts.length > MOST ? `${parts.slice(0, MOST).join("")}…` : parts.join("");
}
