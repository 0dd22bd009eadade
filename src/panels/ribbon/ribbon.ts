/** An episode as the numbers of its ribbon: a critic's value of each turn, and its TD error. */
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { turnValue, type Critic } from "../../reading/critics.ts";
import { returnsThatCame } from "../../reading/returns.ts";
import { indexOfLargest, tdErrors } from "../../reading/tdErrors.ts";

/** Numbers that are missing or not finite are null. */
export interface RibbonTurn {
  reward: number | null;
  value: number | null;
  delta: number | null;
  advantage: number | null;
  /** The critic's target, or the discounted rewards from here on. */
  return: number | null;
  ratio: number | null;
  /** Null if unknown. */
  clipped: boolean | null;
}

export interface Ribbon {
  critic: Critic | null;
  turns: RibbonTurn[];
  /** Whether `return` is the target of the method's critic. */
  hasTargets: boolean;
  /** Turn of the largest |TD error|; null if there is none. */
  peak: number | null;
}

/** gamma discounts the returns of methods without a critic. */
export function ribbonOf(episode: EpisodeRecord, critic: Critic | null, gamma: number): Ribbon {
  const deltas = tdErrors(episode, critic);
  const hasTargets = episode.turns.some((turn) => finite(turn.return) !== null);
  const toGo = returnsThatCame(episode, { steps: "turn", gamma });
  const turns = episode.turns.map((turn, h) => ({
    reward: finite(turn.reward),
    value: critic && turnValue(turn, critic),
    delta: deltas[h]!,
    advantage: finite(turn.advantage),
    return: finite(hasTargets ? turn.return : toGo[h]),
    ratio: finite(turn.ratio),
    clipped: turn.clipped,
  }));
  return { critic, turns, hasTargets, peak: indexOfLargest(deltas) };
}
