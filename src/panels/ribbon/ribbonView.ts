/** All that the ribbon draws of the episode at the cursor. */
import { signedScale, type SignedScale } from "../../charts/signedScale.ts";
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import { forkNumber } from "../../store/forks.ts";
import type { RunView } from "../../store/runLog.ts";
import { truthKey, type Truths, type TurnTruth } from "../../store/truths.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { criticFor } from "./critics.ts";
import { endValue, ribbonOf, tdErrors, type Ribbon } from "./ribbon.ts";
import { runConfig } from "./runConfig.ts";

/** Turns that a clip cut, among those of which that is told. */
export interface ClipCount {
  cut: number;
  told: number;
  turns: number;
}

export interface RibbonView extends Ribbon {
  algorithm: string;
  episode: EpisodeRecord;
  /** The turn at the cursor. */
  turn: number;
  /** The true values, where an oracle has found them. */
  truth: readonly TurnTruth[] | null;
  /** Of the episode, and of all recorded ones of the iteration. */
  clippedHere: ClipCount;
  clippedAll: ClipCount;
  /** Colours, the same for all recorded episodes of the iteration. */
  advantageTone: SignedScale;
  deltaTone: SignedScale;
  /** Whether any recorded turn of the iteration has a TD error. */
  hasErrors: boolean;
  /** Whether training valued what came after a cut-off. */
  bootstrapped: boolean;
  /** That value; null where it is not recorded, or there is none. */
  end: number | null;
}

/** Null where there is no episode. */
export function ribbonView(view: RunView, at: ResolvedChoice, truths: Truths): RibbonView | null {
  const { algorithm, iteration, episodes, turn } = at;
  const episode = episodes[at.episode];
  if (!episode) return null;
  const spec = view.log.start?.spec;
  const critic = criticFor(spec, algorithm, episodes);
  const turns = episodes.flatMap((one) => one.turns);
  const deltas = episodes.flatMap((one) => tdErrors(one, critic)).filter(isNumber);
  const advantages = turns.map(({ advantage }) => finite(advantage)).filter(isNumber);
  return {
    ...ribbonOf(episode, critic, runConfig(spec, algorithm)?.gamma ?? 1),
    ...{ algorithm, episode, turn },
    truth:
      truths[truthKey(algorithm, iteration, episode.trajectory, forkNumber(episode))]?.turns ??
      null,
    clippedHere: clipCount(episode.turns),
    clippedAll: clipCount(turns),
    advantageTone: signedScale(advantages),
    deltaTone: signedScale(deltas),
    hasErrors: deltas.length > 0,
    end: critic && endValue(episode, critic),
    bootstrapped: episode.truncated && spec?.optimisation.bootstrapOnTruncation === true,
  };
}

function clipCount(turns: readonly TurnRecord[]): ClipCount {
  const told = turns.filter(({ clipped }) => clipped !== null);
  const cut = told.filter(({ clipped }) => clipped);
  return { cut: cut.length, told: told.length, turns: turns.length };
}

function isNumber(x: number | null): x is number {
  return x !== null;
}

/** Turns that are drawn at once. */
export const WINDOW = 50;

/** The turns drawn with the cursor at `turn`: the whole episode up to 50, else its part of 50. */
export function windowOf(turn: number, count: number): { from: number; to: number } {
  const from = Math.floor(turn / WINDOW) * WINDOW;
  return { from, to: Math.min(from + WINDOW, count) };
}
