/** Everything the ribbon draws of the episode at the cursor. */
import { signedScale, type SignedScale } from "../../charts/signedScale.ts";
import { largestSize } from "../../numeric/lists.ts";
import type { Discount } from "../../method/credit/discount.ts";
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { truthOfEpisode } from "../../store/forks.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import { movedBy, payOfTurns } from "../../reading/paidTruth.ts";
import {
  otherPolicy,
  type EpisodeTruth,
  type Truths,
  type TurnTruth,
} from "../../reading/truths.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { isDual } from "../../reading/dual.ts";
import {
  criticFor,
  isOtherDiscount,
  isUntrained,
  turnValue,
  type Critic,
} from "../../reading/critics.ts";
import { ribbonOf, type Ribbon } from "./ribbon.ts";
import { endValue, tdErrors } from "../../reading/tdErrors.ts";
import { isForeign, mayLackValues, runConfig } from "../../reading/runConfig.ts";

/** Number of clipped turns, among those with clip data. */
export interface ClipCount {
  cut: number;
  known: number;
  turns: number;
}

/** Data that is the same for any cursor position in the iteration. */
interface OfIteration {
  critic: Critic | null;
  clippedAll: ClipCount;
  /** Colours, the same for all recorded episodes of the iteration, and the largest value of each unit. */
  sizes: { reward: number; advantage: number };
  advantageTone: SignedScale;
  deltaTone: SignedScale;
  /** Whether any recorded turn of the iteration has a TD error. */
  hasErrors: boolean;
  /** Whether the critic's values are all 0. */
  untrained: boolean;
}

export interface RibbonView extends Ribbon, OfIteration {
  algorithm: string;
  episode: EpisodeRecord;
  /** The turn at the cursor. */
  turn: number;
  /** The true values, if an oracle has estimated them: under the discount of the current method. */
  truth: readonly TurnTruth[] | null;
  /** The policy it belongs to, if another one played the episode: see `otherPolicy`. */
  truthBy: number | null;
  /** Whether the known truth leaves out process rewards that training gave. */
  unpaidTruth: boolean;
  /** That discount, if the critic's V has another one. */
  otherTruth: Discount | null;
  clippedHere: ClipCount;
  /** Whether each turn was clipped by dual clip. */
  dual: readonly boolean[];
  /** Whether it is from a file without its settings. */
  foreign: boolean;
  /** Whether its file lacks values that training may have had. */
  lacking: boolean;
  /** Whether training bootstrapped truncated episodes. */
  bootstrapped: boolean;
  /** That value; null if not recorded, or if there is none. */
  end: number | null;
}

/** Null if there is no episode. */
export function ribbonView(view: RunView, at: ResolvedChoice, truths: Truths): RibbonView | null {
  const { algorithm, episodes, turn } = at;
  const episode = episodes[at.episode];
  if (!episode) return null;
  const spec = view.log.start?.spec;
  const shared = remembered(spec, algorithm, episodes);
  const { critic } = shared;
  const truth = truthOfEpisode(truths, at, episode);
  const config = runConfig(spec, algorithm);
  return {
    ...shared,
    ...ribbonOf(episode, critic, config?.gamma ?? 1),
    algorithm,
    episode,
    turn,
    ...truthBeside(critic, truth, episode, spec),
    truthBy: otherPolicy(truth, at.iteration),
    clippedHere: clipCount(episode.turns),
    dual: episode.turns.map((one) => isDual(one, config)),
    foreign: isForeign(view, algorithm),
    lacking: mayLackValues(view, algorithm),
    end: critic && endValue(episode, critic),
    bootstrapped: episode.truncated && spec?.optimisation.bootstrapOnTruncation === true,
  };
}

/** Its values under training's rewards, which the critic and the TD errors refer to. */
function truthBeside(
  critic: Critic | null,
  truth: EpisodeTruth | null,
  episode: EpisodeRecord,
  spec: ExperimentSpec | undefined,
) {
  const { turns = null, found = null } = truth ?? {};
  const discount = found ?? critic;
  const pay = discount && payOfTurns(episode, discount, spec);
  return {
    truth: turns && (discount ? pay && movedBy(turns, pay) : turns),
    unpaidTruth: turns !== null && discount !== null && pay === null,
    otherTruth: found && isOtherDiscount(critic, found) ? found : null,
  };
}

interface RunFacts {
  spec: ExperimentSpec | undefined;
  algorithm: string;
  shared: OfIteration;
}

const known = new WeakMap<readonly EpisodeRecord[], RunFacts>();

/** Goes through all turns of the iteration once, not again with each move of the cursor. */
function remembered(...of: Parameters<typeof ofIteration>): OfIteration {
  const [spec, algorithm, episodes] = of;
  const before = known.get(episodes);
  if (before && before.spec === spec && before.algorithm === algorithm) return before.shared;
  const shared = ofIteration(...of);
  known.set(episodes, { spec, algorithm, shared });
  return shared;
}

function ofIteration(
  spec: ExperimentSpec | undefined,
  algorithm: string,
  episodes: readonly EpisodeRecord[],
): OfIteration {
  const critic = criticFor(spec, algorithm, episodes);
  const turns = episodes.flatMap((one) => one.turns);
  const deltas = episodes.flatMap((one) => tdErrors(one, critic)).filter(isNumber);
  const advantages = turns.map(({ advantage }) => finite(advantage)).filter(isNumber);
  const paid = [...episodes, ...turns].map(({ reward }) => reward);
  const values = turns.map((one) => finite(critic && turnValue(one, critic))).filter(isNumber);
  const reward = largestSize([...paid, ...values]);
  return {
    critic,
    clippedAll: clipCount(turns),
    sizes: { reward, advantage: largestSize(advantages) },
    advantageTone: signedScale(advantages),
    deltaTone: signedScale(deltas, reward),
    hasErrors: deltas.length > 0,
    untrained: isUntrained(turns, critic),
  };
}

function clipCount(turns: readonly TurnRecord[]): ClipCount {
  const known = turns.filter(({ clipped }) => clipped !== null);
  const cut = known.filter(({ clipped }) => clipped);
  return { cut: cut.length, known: known.length, turns: turns.length };
}

function isNumber(x: number | null): x is number {
  return x !== null;
}

/** Maximum turns drawn at once. */
const WINDOW = 50;

/** The turns drawn with the cursor at `turn`: the whole episode up to 50, else its part of 50. */
export function windowOf(turn: number, count: number): { from: number; to: number } {
  const from = Math.floor(turn / WINDOW) * WINDOW;
  return { from, to: Math.min(from + WINDOW, count) };
}
