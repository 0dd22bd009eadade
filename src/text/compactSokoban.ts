/**
 * The compact Sokoban format of the from-scratch models. Query: a token per cell, row by row, then
 * turns left, actions left and the state-end. Response: actions between separators, closed by the
 * turn's end. The board is the whole state, so a query says everything and turn context loses
 * nothing.
 */
import {
  numberTokens,
  SEPARATOR,
  sokobanTokenizer,
  STATE_END,
  TURN_END,
} from "./domainVocabulary.ts";
import { isCutOff, tokenTextOf, withoutStop, type PlainAdapter } from "./promptAdapter.ts";
import type { Context } from "./tokenRow.ts";

export interface CompactOptions {
  context: Context;
  /** Whether the environment wants a think block; an empty one is put before the answer then. */
  think?: boolean;
}

export function compactSokoban({ context, think = false }: CompactOptions): PlainAdapter {
  const tokenizer = sokobanTokenizer();
  const stopIds = [tokenizer.id(TURN_END)];
  const spoken = (ids: readonly number[]) => tokenizer.decode(withoutStop(ids, stopIds));
  // Generation is primed by the state-end, as RAGEN primes it with the opening tag, which parsing
  // puts back.
  const prime = think ? "<think></think><answer>" : "<answer>";
  return {
    query: (observation, { turnsLeft, actionsLeft }, turn, previous) => {
      const close = context === "full" && turn > 0 && isCutOff(previous, stopIds) ? TURN_END : "";
      const left = numberTokens("t", turnsLeft) + numberTokens("a", actionsLeft);
      return tokenizer.encode(`${close}${observation.replaceAll("\n", "")}${left}${STATE_END}`);
    },
    answer: (ids) => `${prime}${spoken(ids)}</answer>`,
    display: (ids) => spoken(ids).replaceAll(SEPARATOR, ` ${SEPARATOR} `),
    tokenText: tokenTextOf(tokenizer),
    respond: (actions) => tokenizer.encode(actions.join(SEPARATOR) + TURN_END),
    stopIds,
  };
}
