/** What a critic expected of recorded turns, beside what became of them. */
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { RunLog } from "../../store/runLog.ts";
import { truthKey, type Truths, type TurnTruth } from "../../store/truths.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { criticFor, turnValue, type Critic } from "../ribbon/critics.ts";
import { finite } from "../ribbon/runConfig.ts";

export interface Pair {
  iteration: number;
  /** Place of the episode among the iteration's recorded ones. */
  episode: number;
  /** From 0. */
  turn: number;
  /** V(s_h). */
  value: number;
  /** What the critic was trained towards; null where that is not recorded. */
  target: number | null;
  /** The discounted rewards that came from the turn on. */
  came: number | null;
  /** Whether the episode was cut off: what would have come later is missing in `came`. */
  cutOff: boolean;
  truth: TurnTruth | null;
}

export interface Valued {
  /** Null where no critic has valued a turn. */
  critic: Critic | null;
  /** Iterations that the pairs are from, ascending. */
  iterations: number[];
  pairs: Pair[];
  /** Turns of the iterations that have no finite value. */
  without: number;
}

/** Turns of the last `span` iterations up to the cursor's whose episodes are recorded. */
export function valued(log: RunLog, at: ResolvedChoice, span: number, truths: Truths): Valued {
  const { algorithm } = at;
  const critic = criticFor(log.start?.spec, algorithm, at.episodes);
  const iterations = at.iterations.filter((n) => n <= at.iteration).slice(-span);
  if (!critic) return { critic, iterations, pairs: [], without: 0 };
  let turns = 0;
  const pairs = iterations.flatMap((iteration) =>
    log.episodes(algorithm, iteration).flatMap((episode, place) => {
      turns += episode.turns.length;
      const truth = truths[truthKey(algorithm, iteration, episode.trajectory)]?.turns ?? [];
      return pairsOf(episode, critic, truth).map((pair) => ({
        ...pair,
        iteration,
        episode: place,
      }));
    }),
  );
  return { critic, iterations, pairs, without: turns - pairs.length };
}

type OfEpisode = Omit<Pair, "iteration" | "episode">;

function pairsOf(episode: EpisodeRecord, critic: Critic, truth: readonly TurnTruth[]): OfEpisode[] {
  const came = returnsThatCame(episode, critic);
  // A truth with another number of turns is about another episode.
  const known = truth.length === episode.turns.length;
  return episode.turns.flatMap((turn, h) => {
    const value = turnValue(turn, critic);
    if (value === null) return [];
    // Another critic's targets are not recorded.
    const target = critic.own ? finite(turn.return) : null;
    const pair = { turn: h, value, target, came: finite(came[h]), cutOff: episode.truncated };
    return [{ ...pair, truth: known ? truth[h]! : null }];
  });
}

/** Discounted as the critic discounts: per turn, or per token with a turn's reward at its last one. */
export function returnsThatCame({ turns }: EpisodeRecord, { steps, gamma }: Critic): number[] {
  const returns: number[] = [];
  let later = 0;
  for (const turn of turns.toReversed()) {
    const n = steps === "token" ? Math.max(1, turn.tokens.length) : 1;
    returns.push((later = gamma ** (n - 1) * paid(turn) + gamma ** n * later));
  }
  return returns.reverse();
}

/** What training paid for a turn: its reward, and what process rewards added. */
function paid(turn: TurnRecord): number {
  return turn.reward + (finite(turn.processReward) ?? 0);
}
