/** The ribbon in words. */
import type { Discount } from "../../method/credit/discount.ts";
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { titleOf } from "../../reading/titles.ts";
import { ofPolicy, sayDiscount } from "../truthWords.ts";
import type { ClipCount, RibbonView } from "./view.ts";
import { words } from "./words.ts";

/**
 * For example: "The critic changed its mind most at turn 3: δ = −6.20 (it expected +6.10, ...)."
 */
export function describeSurprise({ turns, peak, end, untrained }: RibbonView): string {
  if (untrained) return words.untrained;
  if (peak === null) return "";
  if (turns[peak]!.delta === 0) return words.noSurprise;
  const { delta, value, reward } = turns[peak]!;
  const next = turns[peak + 1];
  const after = end === null ? words.over : formatSigned(end);
  const later = next ? formatSigned(next.value) : after;
  const story = words.story(formatSigned(value), formatSigned(reward), later);
  return words.surprise(peak, formatSigned(delta), story);
}

/** How many turns were clipped, as far as known. */
export function describeClips({ clippedHere, clippedAll }: RibbonView): string {
  const { known, turns } = clippedAll;
  if (known === 0) return words.clipsUnknown;
  const counts = words.clippedTurns(clippedHere.cut, clippedAll.cut);
  return known === turns ? counts : `${counts} ${words.clipsPartly(known, turns)}`;
}

/** Why the episode has no largest TD error to go to; false if it has one. */
export function describeNoError({ peak, turns, untrained }: RibbonView): string | false {
  if (peak === null) return words.noErrors;
  return untrained ? words.untrained : turns[peak]!.delta === 0 && words.noSurprise;
}

/** Why there is no clipped turn to go to. */
export function describeNoClip({ known, turns }: ClipCount): string {
  if (known === 0) return words.clipsUnknown;
  return known === turns ? words.noneClipped : words.noneKnown(known, turns);
}

/** Whose values these are, and notes needed to interpret them. */
export function describeCritic(view: RibbonView): string {
  const { critic, algorithm, bootstrapped, end, episode, lacking, otherTruth, unpaidTruth } = view;
  if (!critic) return lacking ? words.valuesNotInFile : words.noValues;
  const [title, owner] = [titleOf(algorithm), titleOf(critic.name)];
  const { valueAt } = critic;
  const parts = [
    critic.own ? words.whose(words.own(owner), formatGamma(critic.gamma)) : "",
    critic.own
      ? ""
      : `${words.withoutCritic(title, owner)} ${words.gamma(formatGamma(critic.gamma))}`,
    critic.known ? "" : words.unknownGamma,
    critic.steps === "token" ? words.tokenSteps : "",
    valueAt === "state-end" ? "" : words.readAt[valueAt],
    end !== null ? words.bootstrapped(formatSigned(end)) : bootstrapped ? words.cutOff : "",
    episode.turns.some(({ processReward }) => processReward !== undefined)
      ? words.process(view.truth !== null)
      : "",
    unpaidTruth ? words.unpaidTruth : "",
    otherTruth ? words.otherTruth(sayDiscount(otherTruth), sayDiscount(critic)) : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function formatGamma(gamma: number): string {
  return String(Number(gamma.toPrecision(6)));
}

/** Names of the chart's lines; each with its discount if they differ. */
export function lineNames({ critic, otherTruth, truthBy }: RibbonView): {
  value: string;
  truth: string;
} {
  const { marks } = words;
  const discount = ({ gamma, steps }: Discount) =>
    marks.discount(formatGamma(gamma), gamma === 1 ? null : steps);
  const parts = (...all: (string | false | null)[]) => all.filter(Boolean).join(", ");
  return {
    value: critic ? parts(marks.value(titleOf(critic.name)), otherTruth && discount(critic)) : "",
    truth: parts(
      truthBy === null ? marks.truth : `${marks.truth} ${ofPolicy(truthBy)}`,
      otherTruth && discount(otherTruth),
      marks.interval,
    ),
  };
}

/** Text alternative of the picture. */
export function describeChart(view: RibbonView): string {
  const { turns, critic } = view;
  const values = turns.flatMap(({ value }) => (value === null ? [] : [value]));
  const range = (numbers: number[]) =>
    `from ${formatNumber(numbers[0])} at the first turn to ${formatNumber(numbers.at(-1))} at the last`;
  const line = critic && values.length > 0 ? `V goes ${range(values)}.` : "";
  return [`${words.chart}.`, line, describeSurprise(view)].filter((part) => part !== "").join(" ");
}
