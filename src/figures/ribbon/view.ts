/** The numbers of the episode at the cursor. Those that are missing or not finite are null. */
import type { Discount } from "../../method/credit/discount.ts";
import { finite } from "../../numeric/finite.ts";
import { largestSize } from "../../numeric/lists.ts";
import {
  criticFor,
  isOtherDiscount,
  isUntrained,
  turnValue,
  type Critic,
} from "../../reading/critics.ts";
import { isDual } from "../../reading/dual.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import { movedBy, payOfTurns } from "../../reading/paidTruth.ts";
import { returnsThatCame } from "../../reading/returns.ts";
import { isForeign, mayLackValues, runConfig } from "../../reading/runConfig.ts";
import { endValue, indexOfLargest, tdErrors } from "../../reading/tdErrors.ts";
import {
  otherPolicy,
  type EpisodeTruth,
  type Truths,
  type TurnTruth,
} from "../../reading/truths.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { truthOfEpisode } from "../../store/forks.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";

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

/** Number of clipped turns, among those with clip data. */
export interface ClipCount {
  cut: number;
  known: number;
  turns: number;
}

/** A critic's view of an episode: gamma discounts the returns of methods without a critic. */
export function ribbonOf(episode: EpisodeRecord, critic: Critic | null, gamma: number) {
  const deltas = tdErrors(episode, critic);
  const hasTargets = episode.turns.some((turn) => finite(turn.return) !== null);
  const toGo = returnsThatCame(episode, { steps: "turn", gamma });
  const turns = episode.turns.map((turn, h): RibbonTurn => ({
    reward: finite(turn.reward),
    value: critic && turnValue(turn, critic),
    delta: deltas[h]!,
    advantage: finite(turn.advantage),
    return: finite(hasTargets ? turn.return : toGo[h]),
    ratio: finite(turn.ratio),
    clipped: turn.clipped,
  }));
  return {
    critic,
    turns,
    /** Whether `return` is the target of the method's critic. */
    hasTargets,
    /** Turn of the largest |TD error|; null if there is none. */
    peak: indexOfLargest(deltas),
  };
}

export type RibbonView = ReturnType<typeof ribbonView>;

export function ribbonView(view: RunView, at: ResolvedChoice, truths: Truths) {
  const { algorithm, episodes, turn } = at;
  const episode = episodes[at.episode]!;
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
    /** The turn at the cursor. */
    turn,
    ...truthBeside(critic, truth, episode, spec),
    /** The policy that the truth belongs to, if another one played the episode: see `otherPolicy`. */
    truthBy: otherPolicy(truth, at.iteration),
    clippedHere: clipCount(episode.turns),
    /** Whether each turn was clipped by dual clip. */
    dual: episode.turns.map((one) => isDual(one, config)),
    /** Whether it is from a file without its settings. */
    foreign: isForeign(view, algorithm),
    /** Whether its file lacks values that training may have had. */
    lacking: mayLackValues(view, algorithm),
    /** Whether training bootstrapped truncated episodes. */
    bootstrapped: episode.truncated && spec?.optimisation.bootstrapOnTruncation === true,
    /** That value; null if not recorded, or if there is none. */
    end: critic && endValue(episode, critic),
  };
}

/** The truth's values under training's rewards, which the critic and the TD errors refer to. */
function truthBeside(
  critic: Critic | null,
  truth: EpisodeTruth | null,
  episode: EpisodeRecord,
  spec: ExperimentSpec | undefined,
) {
  const { turns = null, found = null } = truth ?? {};
  const discount: Discount | null = found ?? critic;
  const pay = discount && payOfTurns(episode, discount, spec);
  const paid: readonly TurnTruth[] | null =
    turns && (discount ? pay && movedBy(turns, pay) : turns);
  return {
    truth: paid,
    /** Whether the known truth leaves out process rewards that training gave. */
    unpaidTruth: turns !== null && discount !== null && pay === null,
    /** The truth's discount, if the critic's V has another one. */
    otherTruth: found && isOtherDiscount(critic, found) ? found : null,
  };
}

type OfIteration = ReturnType<typeof ofIteration>;

const known = new WeakMap<
  readonly EpisodeRecord[],
  { spec: ExperimentSpec | undefined; shared: OfIteration }
>();

/** Goes through all turns of the iteration once, not again with each move of the cursor. */
function remembered(...of: Parameters<typeof ofIteration>): OfIteration {
  const [spec, , episodes] = of;
  const before = known.get(episodes);
  if (before && before.spec === spec) return before.shared;
  const shared = ofIteration(...of);
  known.set(episodes, { spec, shared });
  return shared;
}

function ofIteration(
  spec: ExperimentSpec | undefined,
  algorithm: string,
  episodes: readonly EpisodeRecord[],
) {
  const critic = criticFor(spec, algorithm, episodes);
  const turns = episodes.flatMap((one) => one.turns);
  const advantages = turns.map(({ advantage }) => finite(advantage)).filter(isNumber);
  const paid = [...episodes, ...turns].map(({ reward }) => reward);
  const values = turns.map((one) => finite(critic && turnValue(one, critic))).filter(isNumber);
  return {
    critic,
    clippedAll: clipCount(turns),
    /** The largest number of each unit. */
    sizes: { reward: largestSize([...paid, ...values]), advantage: largestSize(advantages) },
    /** Of all recorded episodes, so that their colours are on one scale. */
    advantages,
    deltas: episodes.flatMap((one) => tdErrors(one, critic)).filter(isNumber),
    /** Whether the critic's values are all 0. */
    untrained: isUntrained(turns, critic),
  };
}

function clipCount(turns: readonly TurnRecord[]): ClipCount {
  const known = turns.filter(({ clipped }) => clipped !== null);
  const cut = known.filter(({ clipped }) => clipped);
  return { cut: cut.length, known: known.length, turns: turns.length };
}

const isNumber = (x: number | null): x is number => x !== null;
