/** Numbers of the turn at the place, and of its episode. */
import type { TraceName } from "../../method/credit/trace.ts";
import { ratioLevelOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import type { Binding } from "../../method/formula/vocabulary.ts";
import { hasTwoLevels } from "../../spec/algorithms.ts";
import { objectiveAt, episodeMean } from "./clipBranches.ts";
import {
  episodeCell,
  known,
  ofReward,
  recorded,
  tokenCell,
  turnCell,
  type Find,
  type Finders,
} from "./known.ts";
import { tracedAt, type BatchPlace } from "./place.ts";
import { words } from "./words.ts";

const from = words.from;
type BatchColumn = (place: BatchPlace) => ArrayLike<number> | null | undefined;

/** A column over turns, whose origin is its own cell. */
function own(binding: Binding, text: string, column: BatchColumn): Find {
  return (place) => known(column(place)?.[place.k], text, turnCell(binding, place, place.h));
}

/** The same of the next turn; `after` for the last one. */
function next(binding: Binding, column: BatchColumn, after: (place: BatchPlace) => number): Find {
  return (place) => {
    const { h, k, turns } = place;
    const values = column(place);
    if (h + 1 === turns) return known(values && after(place), from.end);
    return known(values?.[k + 1], from.nextTurn, turnCell(binding, place, h + 1));
  };
}

const zero = () => 0;
/** A column of the estimator's intermediates. */
const traced =
  (name: TraceName): BatchColumn =>
  ({ all }) =>
    all.trace[name];
const turnReturn = traced("turn.return");
const value = traced("turn.value");
const raw: BatchColumn = ({ all }) => all.raw.turnAdvantage;
const advantage: BatchColumn = ({ all }) => all.credit.turnAdvantage;

/** For GAE at two levels; elsewhere GAE over turns is the advantage itself. */
const high = traced("turn.highAdvantage");

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const allTurns = (binding: Binding, place: BatchPlace) =>
  range(place.turns).map((h) => turnCell(binding, place, h));
const allTokens = (binding: Binding, place: BatchPlace) =>
  range(place.tokens).map((t) => tokenCell(binding, place, t));

/** A number of the turn's gain; the last turn answers and has none. */
function ofGain(name: "turn.gainScore" | "turn.gainReturn"): Find {
  return (place) =>
    place.h + 1 === place.turns
      ? known(null, from.notUsed)
      : known(tracedAt(name, place), from.computed);
}

/** The target is at the turn's last token if its value is read from tokens. */
function target({ all, k }: BatchPlace): number | null {
  const { turnReturn: ofTurns, tokenReturn } = all.credit;
  if (hasTwoLevels(all.config)) return all.trace["turn.target"]?.[k] ?? null;
  return ofTurns ? ofTurns[k]! : (tokenReturn?.[all.batch.tokenStart[k + 1]! - 1] ?? null);
}

/** The ratio of the row's own level; for a turn also if the row has another. */
function turnRatio({ all, k, n }: BatchPlace): number {
  return ratioLevelOf(all.config) === "turn" ? all.unitRatio[n]! : all.objective.turnRatio[k]!;
}

function turnSurrogate(place: BatchPlace): number {
  return objectiveAt(place, turnRatio(place), place.all.credit.turnAdvantage[place.k]!);
}

function episodeSurrogate(place: BatchPlace): number {
  const A = episodeMean(place.all.credit.tokenAdvantage, place);
  return objectiveAt(place, place.all.unitRatio[place.n]!, A);
}

export const turnNumbers: Finders = {
  "turn.reward": ofReward((text) => own("turn.reward", text, ({ all }) => all.turnReward)),
  "turn.return": own("turn.return", from.computed, turnReturn),
  "turn.nextReturn": next("turn.return", turnReturn, zero),
  "turn.value": (place) => {
    const text = place.all.config.critic === "none" ? from.computed : from.critic;
    return own("turn.value", text, value)(place);
  },
  "turn.nextValue": next("turn.value", value, ({ all, b }) => all.bootstrap[b]!),
  "turn.gain": ({ all, k }) => recorded(all.batch.turnGain?.[k], from.gain),
  "turn.gainScore": ofGain("turn.gainScore"),
  "turn.gainReturn": ofGain("turn.gainReturn"),
  "turn.clipScale": ({ all, k }) => known(all.credit.epsScale?.[k], from.computed),
  "turn.newValue": () => known(null, from.notRecorded),
  "turn.delta": own("turn.delta", from.computed, traced("turn.delta")),
  "turn.rawAdvantage": own("turn.rawAdvantage", from.computed, raw),
  "turn.nextRawAdvantage": next("turn.rawAdvantage", raw, zero),
  "turn.advantage": own("turn.advantage", from.computed, advantage),
  "turn.nextAdvantage": next("turn.advantage", advantage, zero),
  "turn.highAdvantage": own("turn.highAdvantage", from.computed, high),
  "turn.nextHighAdvantage": next("turn.highAdvantage", high, zero),
  "turn.target": (place) =>
    known(target(place), from.computed, turnCell("turn.value", place, place.h)),
  "turn.nextTarget": (place) =>
    place.h + 1 === place.turns
      ? known(place.all.bootstrap[place.b], from.end)
      : known(target({ ...place, k: place.k + 1 }), from.nextTurn),
  "turn.ratio": (place) => known(turnRatio(place), from.pooled, allTokens("token.logRatio", place)),
  "turn.surrogate": (place) =>
    known(turnSurrogate(place), from.computed, [
      turnCell("turn.ratio", place, place.h),
      turnCell("turn.advantage", place, place.h),
    ]),
  "turn.tokens": ({ tokens }) => known(tokens, from.counted),
  "turn.rewardScore": (place) =>
    known(
      tracedAt("turn.rewardScore", place),
      from.computed,
      turnCell("turn.reward", place, place.h),
    ),
  "trajectory.score": (place) =>
    known(place.all.score[place.b], from.rewards, allTurns("turn.reward", place)),
  "trajectory.rawAdvantage": (place) =>
    known(episodeMean(place.all.raw.tokenAdvantage, place), from.computed, episodeCell(place.b)),
  "trajectory.advantage": (place) =>
    known(
      episodeMean(place.all.credit.tokenAdvantage, place),
      from.computed,
      allTurns("turn.advantage", place),
    ),
  "trajectory.ratio": ({ all, n }) =>
    known(ratioLevelOf(all.config) === "trajectory" ? all.unitRatio[n] : null, from.pooled),
  "trajectory.surrogate": (place) => known(episodeSurrogate(place), from.computed),
  "trajectory.tokens": ({ all, b }) => known(all.tokensOf[b + 1]! - all.tokensOf[b]!, from.counted),
  "trajectory.turns": ({ turns }) => known(turns, from.counted),
  "trajectory.greedyScore": ({ all, b }) => recorded(all.batch.greedyScore?.[b], from.greedy),
  "trajectory.samplerWeight": ({ all, n }) => known(all.samplerWeight?.[n], from.computed),
  "trajectory.taskScore": (place) =>
    known(tracedAt("trajectory.taskScore", place), from.computed, allTurns("turn.reward", place)),
  "trajectory.ownScore": (place) =>
    known(tracedAt("trajectory.ownScore", place), from.computed, allTurns("turn.reward", place)),
  "trajectory.outcome": (place) =>
    known(
      tracedAt("trajectory.outcome", place),
      from.lastReward,
      turnCell("turn.reward", place, place.turns - 1),
    ),
};
