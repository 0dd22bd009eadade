/** Numbers of the token at the place. */
import { exp } from "../../numeric/deterministic.ts";
import { ratioLevelOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import type { Binding } from "../../method/formula/vocabulary.ts";
import { hasTwoLevels } from "../../spec/algorithms.ts";
import { objectiveAt } from "./clipBranches.ts";
import {
  known,
  ofReward,
  recorded,
  tokenCell,
  turnCell,
  type Find,
  type Finders,
} from "./known.ts";
import type { BatchPlace } from "./place.ts";
import { words } from "./words.ts";

const from = words.from;

/** A column over tokens, whose origin is its own cell. */
function own(
  binding: Binding,
  text: string,
  column: (place: BatchPlace) => ArrayLike<number> | null | undefined,
): Find {
  return (place) => known(column(place)?.[place.n], text, tokenCell(binding, place, place.t));
}

/** The same of the next token of the episode; `after` if there is none. */
function next(
  binding: Binding,
  column: (place: BatchPlace) => ArrayLike<number> | null | undefined,
  after: (place: BatchPlace) => number,
): Find {
  return (place) => {
    const { all, b, n, t, h, tokens } = place;
    const values = column(place);
    if (n + 1 === all.tokensOf[b + 1]) return known(values && after(place), from.end);
    const cell =
      t + 1 < tokens
        ? tokenCell(binding, place, t + 1)
        : tokenCell(binding, { ...place, h: h + 1 }, 0);
    return known(values?.[n + 1], from.nextToken, cell);
  };
}

const zero = () => 0;
const endsTurn = ({ t, tokens }: BatchPlace) => t + 1 === tokens;

/** With two levels of steps, tokens look no further than their turn. */
function nextAdvantage(
  binding: Binding,
  column: (place: BatchPlace) => ArrayLike<number> | null,
): Find {
  const usual = next(binding, column, zero);
  return (place) =>
    hasTwoLevels(place.all.config) && endsTurn(place) ? known(0, from.turnEnd) : usual(place);
}

const tokenReturn = ({ all }: BatchPlace) => all.trace["token.return"] ?? null;
const rawAdvantage = ({ all }: BatchPlace) =>
  all.trace["token.rawAdvantage"] ?? all.raw.tokenAdvantage;

/** A token's own, except for rows whose token ratio is of clipped log-ratios. */
function tokenRatio({ all, n }: BatchPlace): number {
  return ratioLevelOf(all.config) === "token" ? all.unitRatio[n]! : exp(all.logRatio[n]!);
}

function surrogate(place: BatchPlace): number {
  const { credit, unitRatio } = place.all;
  return objectiveAt(place, unitRatio[place.n]!, credit.tokenAdvantage[place.n]!);
}

export const tokenNumbers: Finders = {
  "token.reward": ofReward((text) => own("token.reward", text, ({ all }) => all.tokenReward)),
  "token.return": own("token.return", from.computed, tokenReturn),
  "token.nextReturn": next("token.return", tokenReturn, zero),
  "token.value": own("token.value", from.critic, ({ all }) => all.tokenValue),
  "token.nextValue": next(
    "token.value",
    ({ all }) => all.tokenValue,
    ({ all, b }) => all.bootstrap[b]!,
  ),
  "token.newValue": () => known(null, from.notRecorded),
  "token.delta": own("token.delta", from.computed, ({ all }) => all.trace["token.delta"]),
  "token.rawAdvantage": own("token.rawAdvantage", from.computed, rawAdvantage),
  "token.nextRawAdvantage": nextAdvantage("token.rawAdvantage", rawAdvantage),
  "token.advantage": own("token.advantage", from.computed, ({ all }) => all.credit.tokenAdvantage),
  "token.nextAdvantage": nextAdvantage("token.advantage", ({ all }) => all.credit.tokenAdvantage),
  "token.target": own("token.target", from.computed, ({ all }) => all.credit.tokenReturn),
  "token.logprob": own("token.logprob", from.logprob, ({ all }) => all.batch.logprob),
  "token.oldLogprob": own("token.oldLogprob", from.oldLogprob, ({ all }) => all.batch.oldLogprob),
  "token.refLogprob": ({ all, n }) => recorded(all.batch.refLogprob?.[n], from.reference),
  "token.rolloutLogprob": ({ all, n }) =>
    recorded(all.batch.rolloutLogprob?.[n], from.rolloutLogprob),
  "token.samplerWeight": ({ all, n }) => known(all.samplerWeight?.[n], from.computed),
  "token.sumPiSquared": ({ all, n }) => recorded(all.batch.sumPiSquared?.[n], from.sumPiSquared),
  "token.energy": own("token.energy", from.computed, ({ all }) => all.trace["token.energy"]),
  "token.logRatio": own("token.logRatio", from.computed, ({ all }) => all.logRatio),
  "token.clippedLogRatio": (place) =>
    known(
      place.all.heldLogRatio?.[place.n],
      from.computed,
      tokenCell("token.logRatio", place, place.t),
    ),
  "token.ratio": (place) =>
    known(tokenRatio(place), from.computed, tokenCell("token.logRatio", place, place.t)),
  "token.surrogate": (place) =>
    known(surrogate(place), from.computed, [
      tokenCell("token.logRatio", place, place.t),
      turnCell("turn.advantage", place, place.h),
    ]),
  "token.weight": ({ all, n }) => known(all.weight[n], from.aggregation),
};
