/** How each method cuts an episode, and the credit of each piece. */
import { spreadInWords, spreadWords } from "../../figures/spread.ts";
import type { Opening } from "../../reading/opening.ts";
import { OPENING_METHODS } from "../../reading/openingMethods.ts";
import { cutsWords } from "./words.ts";

type Method = (typeof OPENING_METHODS)[number];

export interface Cut {
  method: Method;
  /** Credits of the pieces, turn by turn; a single piece is the whole episode. */
  turns: readonly (readonly number[])[];
  /** One sentence. */
  says: string;
}

/** Without tokens in the file, a token method shows each turn's mean. */
export function cutsOf(opening: Opening): Cut[] {
  return OPENING_METHODS.map((method) => {
    const turns = piecesOf(opening, method);
    return { method, turns, says: sentence(opening, method, turns) };
  });
}

function piecesOf({ credits, tokenCredits }: Opening, method: Method): readonly number[][] {
  const own = credits[method] ?? [];
  const isOne = method === "grpo" && spreadInWords(own) === spreadWords.same;
  if (isOne) return [own.slice(0, 1)];
  return tokenCredits?.[method] ?? own.map((value) => [value]);
}

function sentence(opening: Opening, method: Method, turns: Cut["turns"]): string {
  if (method === "grpo") return cutsWords.grpo(opening.group - 1);
  if (method === "turn-ppo") return cutsWords.byTurn;
  const isCut = opening.tokenCredits?.[method] !== undefined;
  return isCut ? cutsWords.token(turns.flat().length) : cutsWords.tokenMeans;
}
