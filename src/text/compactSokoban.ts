/**
 * The compact Sokoban format of the from-scratch models. Query: a token per cell, row by row, then
 * turns left, actions left and the state-end. Response: actions between separators, closed by the
 * turn's end. The board is the whole state, so a query says everything and turn context loses
 * nothing. With a think block the query ends in its opening tag, and the response begins with the
 * moves that the policy has in mind.
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

const THINK = "<think>";
const THINK_END = "</think>";
/** Moves of the plan that a thought names. */
export const THOUGHT_MOVES = 6;

export interface CompactOptions {
  context: Context;
  /** Whether a response must begin with a think block. Absent: not. */
  think?: boolean;
}

export interface SokobanAdapter extends PlainAdapter {
  /** The response of an expert who means to play all of `plan`, and plays its first `now` moves now. */
  planned(plan: readonly string[], now: number): number[];
}

export function compactSokoban({ context, think = false }: CompactOptions): SokobanAdapter {
  const tokenizer = sokobanTokenizer();
  const stopIds = [tokenizer.id(TURN_END)];
  const endOfThought = tokenizer.id(THINK_END);
  const spoken = (ids: readonly number[]) => tokenizer.decode(withoutStop(ids, stopIds));
  const spaced = (ids: readonly number[]) => ids.map((id) => tokenizer.decode([id])).join(" ");
  const planned = (plan: readonly string[], now: number) => {
    const thought = think ? plan.slice(0, THOUGHT_MOVES).join("") + THINK_END : "";
    return tokenizer.encode(thought + plan.slice(0, now).join(SEPARATOR) + TURN_END);
  };
  return {
    query: (observation, { turnsLeft, actionsLeft }, turn, previous) => {
      const close = context === "full" && turn > 0 && isCutOff(previous, stopIds) ? TURN_END : "";
      const left = numberTokens("t", turnsLeft) + numberTokens("a", actionsLeft);
      const prime = STATE_END + (think ? THINK : "");
      return tokenizer.encode(`${close}${observation.replaceAll("\n", "")}${left}${prime}`);
    },
    // Generation is primed by the query's end, as RAGEN primes it with the opening tag, which parsing
    // puts back.
    answer: (ids) => {
      if (!think) return `<answer>${spoken(ids)}</answer>`;
      const end = ids.indexOf(endOfThought);
      if (end < 0) return THINK + spoken(ids);
      const thought = spaced(ids.slice(0, end));
      return `${THINK}${thought}${THINK_END}<answer>${spoken(ids.slice(end + 1))}</answer>`;
    },
    display: (ids) => {
      if (think) return `${THINK} ${spaced(withoutStop(ids, stopIds))}`.trim();
      return spoken(ids).replaceAll(SEPARATOR, ` ${SEPARATOR} `);
    },
    tokenText: tokenTextOf(tokenizer),
    respond: (actions) => planned(actions, actions.length),
    planned,
    stopIds,
  };
}
