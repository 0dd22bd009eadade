/** Numbers by token as a file's columns have them, made the tokens of a turn. */
import { exp } from "../../numeric/deterministic.ts";
import { minus } from "../../numeric/finite.ts";
import { bareTurn, type ForeignToken, type ForeignTurn } from "./foreign.ts";
import { flagOf, meanOf, numberOf, sumKnown } from "./values.ts";

/** Aligned lists, one entry for each token; absent where the file has none. */
export interface TokenColumns {
  ids?: ArrayLike<unknown> | null;
  rolloutLogprob?: ArrayLike<unknown> | null;
  oldLogprob?: ArrayLike<unknown> | null;
  newLogprob?: ArrayLike<unknown> | null;
  refLogprob?: ArrayLike<unknown> | null;
  entropy?: ArrayLike<unknown> | null;
  value?: ArrayLike<unknown> | null;
  advantage?: ArrayLike<unknown> | null;
  return?: ArrayLike<unknown> | null;
  clipped?: ArrayLike<unknown> | null;
}

/** The text of a token of which only the number is known. */
export function numberText(id: number | null): string {
  return `#${id ?? "?"}`;
}

/** Tokens `from` to `to` (exclusive). @param textOf null: only the number is known */
export function tokensIn(
  columns: TokenColumns,
  from: number,
  to: number,
  textOf: (id: number) => string | null = () => null,
): ForeignToken[] {
  const at = (list: ArrayLike<unknown> | null | undefined, t: number) => numberOf(list?.[t]);
  return Array.from({ length: to - from }, (_, i) => {
    const t = from + i;
    const id = at(columns.ids, t);
    const [rollout, ref] = [at(columns.rolloutLogprob, t), at(columns.refLogprob, t)];
    const [clipped, target] = [flagOf(columns.clipped?.[t]), at(columns.return, t)];
    return {
      id: id ?? -1,
      text: (id === null ? null : textOf(id)) ?? numberText(id),
      ...(rollout !== null && { rolloutLogprob: rollout }),
      oldLogprob: at(columns.oldLogprob, t),
      logprob: at(columns.newLogprob, t),
      ...(ref !== null && { refLogprob: ref }),
      entropy: at(columns.entropy, t),
      advantage: at(columns.advantage, t),
      value: at(columns.value, t),
      ...(target !== null && { return: target }),
      ...(clipped !== null && { clipped }),
    };
  });
}

/**
 * A turn with tokens, and what follows from theirs: V of the turn is that of its first token, its
 * advantage their mean, its ratio the product of theirs.
 */
export function tokenTurn(observation: string, text: string, tokens: ForeignToken[]): ForeignTurn {
  const [first] = tokens;
  const ratio = sumKnown(tokens.map(({ logprob, oldLogprob }) => minus(logprob, oldLogprob)));
  const clips = tokens.map(({ clipped }) => clipped);
  const values = tokens.map(({ value }) => value ?? NaN);
  const valued = values.some((value) => !Number.isNaN(value));
  return {
    ...bareTurn(observation, text),
    value: first?.value ?? null,
    advantage: meanOf(tokens.map(({ advantage }) => advantage)),
    return: first?.return ?? null,
    ratio: ratio === null ? null : exp(ratio),
    clipped: clips.length === 0 || clips.includes(undefined) ? null : clips.includes(true),
    tokens,
    ...(valued && { critics: { "token-ppo": values, "turn-ppo": [values[0]!] } }),
  };
}

export interface TokenSpan {
  from: number;
  /** Index after its last token. */
  to: number;
}

/** Runs of trained tokens: the model's turns. */
export function trainedSpans(mask: ArrayLike<unknown>, length = mask.length): TokenSpan[] {
  const spans: TokenSpan[] = [];
  for (let t = 0; t < length; t++) {
    if (flagOf(mask[t]) !== true) continue;
    const last = spans.at(-1);
    if (last?.to === t) last.to = t + 1;
    else spans.push({ from: t, to: t + 1 });
  }
  return spans;
}
