/** A recorded trip in a few words: the goal, what each click did, how it ended, and what a guess showed. */
import { shownResults } from "../../../env/webshop/state.ts";
import type { Goal } from "../../../env/webshop/product.ts";
import type { Shop } from "../../../env/webshop/pageNodes.ts";
import { parseAction } from "../../../env/webshop/parseAction.ts";
import { signOf } from "../../../figures/credits/truth.ts";
import { bestTurn } from "../../../figures/spread.ts";
import { whyTurn } from "../../../figures/truthWords.ts";
import type { Frame } from "../../../reading/shop/replay.ts";
import { SEARCH_BAR } from "../../../reading/shop/trip.ts";
import { isElsewhere, type TripCredit } from "../../../reading/shop/tripCredit.ts";
import { titleOf } from "../../../reading/titles.ts";
import type { EpisodeTruth } from "../../../reading/truths.ts";
import { shopWords } from "../../shared/shop/words.ts";
import { words } from "./words.ts";

/** Of a goal: what was asked for, part by part, without the instruction's phrases. */
export function goalParts({ attributes, query, options, priceUpper }: Goal) {
  const noun = [attributes.join(", "), query].filter(Boolean).join(" ");
  const wanted = Array.isArray(options)
    ? options
    : Object.entries(options).map(([name, value]) => words.option(name, value));
  // WebShop's "any price".
  const limit = priceUpper < 1e6 ? words.dollars(priceUpper) : null;
  return { article: words.article(noun), noun, wanted, limit };
}

export interface Deed {
  /** In three words at most. */
  did: string;
  /** The same as a noun. */
  doing: string;
}

/** What a turn's text did on its page. */
export function deedOf({ stand: { page }, text, valid, element }: Frame): Deed {
  const { did, doing } = words;
  if (!valid || element === null) {
    const isAction = text !== null && parseAction(text) !== null;
    return { did: isAction ? did.noButton : did.noAction, doing: doing.nothing };
  }
  if (element === SEARCH_BAR) return { did: did.search, doing: doing.search };
  const [role, first = "", second = ""] = element.split(":");
  if (role === "option") return { did: did.option(first), doing: doing.option(second) };
  if (role === "product" && page.kind === "results") {
    const n = shownResults(page).indexOf(first) + 1;
    return { did: did.product(n), doing: doing.product(n) };
  }
  return (
    BUTTONS[first] ?? {
      did: did.reads(first.toLowerCase()),
      doing: doing.reads(first.toLowerCase()),
    }
  );
}

const BUTTONS: Readonly<Record<string, Deed>> = {
  [shopWords.buyNow]: { did: words.did.buy, doing: words.doing.buy },
  [shopWords.previous]: { did: words.did.back, doing: words.doing.back },
  [shopWords.next]: { did: words.did.next, doing: words.doing.next },
  [shopWords.backToSearch]: { did: words.did.again, doing: words.doing.again },
};

/** The last page: what was bought, with which options, and whether it is right. */
export function endOf({ stand: { page } }: Frame, { goal }: Shop) {
  if (page.kind !== "done") return { bought: null, says: words.none, isRight: false, reward: 0 };
  const { reward } = page.reward;
  const bought = Object.values(page.options).join(", ");
  const isRight = reward === 1;
  return { bought, says: isRight ? words.gotRight(goal.query) : words.gotWrong, isRight, reward };
}

/** Shares of continuations that end with the full reward, before each turn and after the last; null where unknown. */
export function sharesOf({ turns }: EpisodeTruth): (number | null)[] {
  return [...turns.map(({ solved }) => solved?.[0] ?? null), turns.at(-1)?.solved?.[1] ?? null];
}

export const bestOf = ({ turns }: EpisodeTruth) =>
  bestTurn(turns.map(({ advantage }) => advantage));

/** The answer to a guess: verdict, and why. @param deeds of each turn */
export function answerOf(
  { credits, other }: TripCredit,
  truth: EpisodeTruth,
  deeds: readonly Deed[],
  guess: number,
): { verdict: string; why: string } {
  const best = bestOf(truth);
  const { doing } = deeds[best]!;
  const verdict =
    guess === best ? words.yes(best + 1, doing) : words.no(guess + 1, best + 1, doing);
  const first = credits.filter(({ values }) => !isElsewhere(values, best));
  const doubt = signOf(truth.turns[best]!.advantageInterval) === 0 ? [words.unsure(best + 1)] : [];
  const found = words.firstOf(
    first.map(({ name }) => titleOf(name)),
    credits.length,
  );
  return {
    verdict,
    why: [whyTurn(truth.turns, best, { guess, other }), found, ...doubt].join(" "),
  };
}
