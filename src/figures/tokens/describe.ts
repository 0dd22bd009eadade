/** The conversation in words. */
import { formatNumber } from "../../numeric/format.ts";
import { titleOf } from "../../reading/titles.ts";
import type { TokenPage } from "./pages.ts";
import type { ShownToken } from "./shownTokens.ts";
import type { Colouring, Conversation } from "./conversation.ts";
import { words, type Measure } from "./words.ts";

/** The number of tokens, the least likely one, and where the model was least certain. */
export function describeTokens({ tokens, episode, written }: Conversation): string {
  const rare = leastOf(tokens, ({ oldLogprob }) => oldLogprob);
  const open = leastOf(tokens, ({ entropy }) => (entropy === null ? null : -entropy));
  const parts = [
    words.summary(tokens.length, episode.turns.length),
    rare ? leastLikely(rare, rare.turn === written) : "",
    open ? words.leastSure(open.text, open.turn, formatNumber(open.entropy)) : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function leastLikely({ text, turn, oldLogprob }: ShownToken, written: boolean): string {
  return words.leastLikely(text, turn, formatNumber(Math.exp(oldLogprob!)), written);
}

/** Such as "GRPO’s advantage" for another method's, else the plain name. */
export function nameOfMeasure(measure: Measure, { other }: Conversation): string {
  const { name } = words.measures[measure];
  return measure === "other" && other ? words.of(titleOf(other.name), name) : name;
}

/** How to read the colours. */
export function describeColours({ measure, limit }: Colouring, conversation: Conversation): string {
  const { critic, algorithm } = conversation;
  const { hint } = words.measures[measure];
  const ofValue = measure === "value" || measure === "valueChange";
  if (measure === "cut") return limit === 0 ? words.legendNoClip : words.legendClip;
  if (ofValue && critic === null) return words.noTokenCritic;
  const other = ofValue && critic !== algorithm ? words.otherCritic(titleOf(critic!)) : "";
  const reason = measure === "other" ? conversation.other?.reason : null;
  if (limit === 0) return reason ?? words.legendNone;
  const legend =
    measure === "ratio"
      ? words.legendRatio(formatNumber(Math.exp(limit)))
      : words.legend(formatNumber(limit));
  const isCredit = measure === "advantage" || measure === "other";
  const shared = isCredit && isShared(conversation, measure) ? words.sharedCredit : "";
  return [`${hint[0]!.toUpperCase()}${hint.slice(1)}.`, shared, other, legend]
    .filter((part) => part !== "")
    .join(" ");
}

/** Whether credit is per turn: all tokens of each have the same, and some turn has several. */
function isShared({ tokens, start }: Conversation, credit: "advantage" | "other"): boolean {
  const same = tokens.every((token) => token[credit] === tokens[start[token.turn]!]![credit]);
  return same && tokens.length > start.length - 1;
}

/** Which part of a long conversation is drawn; "" for a whole one. */
export function describePart(pages: readonly TokenPage[], page: number): string {
  const shown = pages[page];
  if (!shown || pages.length < 2) return "";
  const { fromTurn, toTurn, tokens } = shown;
  if (!tokens) return words.part(page + 1, pages.length, fromTurn + 1, toTurn);
  return words.partOfTurn(page + 1, pages.length, toTurn, tokens.from + 1, tokens.to);
}

/** The token with the minimum of a number; null if no token has it. */
function leastOf(
  tokens: readonly ShownToken[],
  of: (token: ShownToken) => number | null,
): ShownToken | null {
  let best: ShownToken | null = null;
  for (const token of tokens) {
    const x = of(token);
    if (x !== null && (best === null || x < of(best)!)) best = token;
  }
  return best;
}
