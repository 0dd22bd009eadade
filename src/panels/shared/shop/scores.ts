/** How close a purchase came to each wanted thing: the fuzzy scores behind a reward's matches. */
import { normalizeColor } from "../../../env/webshop/colors.ts";
import type { Goal, Options, Product } from "../../../env/webshop/product.ts";
import { wantedOptions, type Reward } from "../../../env/webshop/reward.ts";
import { tokenSetRatio } from "../../../env/webshop/tokenSetRatio.ts";

/** The best of several texts. */
interface Closest {
  /** null if there was no text to compare. */
  text: string | null;
  /** 0 to 100. */
  score: number;
}

function closest(texts: readonly string[], scoreOf: (text: string) => number): Closest {
  return texts.reduce<Closest>(
    (best, text) => {
      const score = scoreOf(text);
      return best.text === null || score > best.score ? { text, score } : best;
    },
    { text: null, score: 0 },
  );
}

/** The most similar of the product's attributes. */
export function closestAttribute(wanted: string, { attributes }: Product): Closest {
  return closest(attributes, (own) => tokenSetRatio(own, wanted));
}

export interface OptionScore extends Closest {
  wanted: string;
  satisfied: boolean;
  /** What the chosen text counts as, if a colour's name in it replaces it. */
  reduced: string | null;
}

/**
 * For each option of the goal the chosen value that satisfied it, which is the first that is
 * similar enough, or else the closest one.
 */
export function optionScores(reward: Reward, goal: Goal, chosen: Options): OptionScore[] {
  return wantedOptions(goal.options).map(({ shown, compared }, i) => {
    const scoreOf = (value: string) => tokenSetRatio(normalizeColor(value), compared);
    const match = reward.matches.options[i]!.chosen;
    const best = closest(match === null ? Object.values(chosen) : [match], scoreOf);
    const counted = best.text === null ? null : normalizeColor(best.text);
    const reduced = counted === best.text ? null : counted;
    return { wanted: shown, satisfied: match !== null, ...best, reduced };
  });
}
