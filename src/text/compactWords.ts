/**
 * The compact format of models trained from scratch, for any environment. Query: the observation's
 * words, then turns left, actions left if they are counted, and the state-end. Response: actions
 * between separators, closed by the turn's end. With a think block the query ends in its opening
 * tag, and the response begins with the actions that the policy plans.
 */
import { numberTokens, SEPARATOR_TOKEN, STATE_END } from "./domainVocabulary.ts";
import {
  isCutOff,
  tokenTextOf,
  withoutStop,
  type PlainAdapter,
  type TurnView,
} from "./promptAdapter.ts";
import type { TextTokenizer } from "./tokenizer.ts";
import type { Context } from "./tokenRow.ts";
import { TURN_END } from "./turnEnds.ts";

const THINK = "<think>";
const THINK_END = "</think>";
/** Actions of the plan that a thought names. */
const THOUGHT_MOVES = 6;

export interface CompactOptions {
  context: Context;
  /** Whether a response must begin with a think block. Absent: no. */
  think?: boolean;
}

/** What such a query contains besides the observation. */
export type CompactView = Pick<TurnView, "turnsLeft"> & { actionsLeft?: number };

export interface PlanAdapter extends PlainAdapter<CompactView> {
  /** The response of an expert who plans all of `plan`, and plays its first `now` actions now. */
  planned(plan: readonly string[], now: number): number[];
}

/** tokenizer: of the domain's words; compact: an observation in them, without spaces. */
export function compactWords(
  tokenizer: TextTokenizer,
  { context, think = false }: CompactOptions,
  compact: (observation: string) => string,
): PlanAdapter {
  const stopIds = [tokenizer.id(TURN_END)];
  const endOfThought = tokenizer.id(THINK_END);
  const spoken = (ids: readonly number[]) => tokenizer.decode(withoutStop(ids, stopIds));
  const spaced = (ids: readonly number[]) => ids.map((id) => tokenizer.decode([id])).join(" ");
  const planned = (plan: readonly string[], now: number) => {
    const thought = think ? plan.slice(0, THOUGHT_MOVES).join("") + THINK_END : "";
    return tokenizer.encode(thought + plan.slice(0, now).join(SEPARATOR_TOKEN) + TURN_END);
  };
  return {
    query: (observation, { turnsLeft, actionsLeft }, turn, previous) => {
      const close = context === "full" && turn > 0 && isCutOff(previous, stopIds) ? TURN_END : "";
      const actions = actionsLeft === undefined ? "" : numberTokens("a", actionsLeft);
      const left = numberTokens("t", turnsLeft) + actions;
      const prime = STATE_END + (think ? THINK : "");
      return tokenizer.encode(`${close}${compact(observation)}${left}${prime}`);
    },
    // The query's end primes generation, as RAGEN primes it with the opening tag, which parsing
    // adds back.
    answer: (ids) => {
      if (!think) return `<answer>${spoken(ids)}</answer>`;
      const end = ids.indexOf(endOfThought);
      if (end < 0) return THINK + spoken(ids);
      const thought = spaced(ids.slice(0, end));
      return `${THINK}${thought}${THINK_END}<answer>${spoken(ids.slice(end + 1))}</answer>`;
    },
    display: (ids) => {
      if (think) return `${THINK} ${spaced(withoutStop(ids, stopIds))}`.trim();
      return spoken(ids).replaceAll(SEPARATOR_TOKEN, ` ${SEPARATOR_TOKEN} `);
    },
    tokenText: tokenTextOf(tokenizer),
    respond: (actions) => planned(actions, actions.length),
    planned,
    stopIds,
  };
}
