/**
 * Sokoban for real Qwen models: a chat in the layout of RAGEN's `ragen/llm_agent/ctx_manager.py`
 * (rules first, then per turn the reward, the state, the actions left and the format wanted), in
 * words of our own. The grid has a space between cells, so that each cell is one token of Qwen's
 * vocabulary.
 */
import { InputError } from "../spec/inputError.ts";
import type { ChatTemplate, Message } from "./chatTemplate.ts";
import {
  isCutOff,
  tokenTextOf,
  withoutStop,
  type PromptAdapter,
  type TurnView,
} from "./promptAdapter.ts";
import type { TextTokenizer } from "./tokenizer.ts";
import type { Context } from "./tokenRow.ts";

export interface RagenGridOptions {
  tokenizer: TextTokenizer;
  template: ChatTemplate;
  context: Context;
  /** Ask for a thought before the answer; generation is then primed with its opening tag. */
  think: boolean;
  maxActions: number;
  maxActionsPerTurn: number;
}

const TURN_END = "<|im_end|>";
const OTHER_END = "<|endoftext|>";
/** Stands for the response while the template renders what follows it. */
const RESPONSE = "\u0001response\u0001";

export function ragenGrid(options: RagenGridOptions): PromptAdapter {
  const { tokenizer, context, think } = options;
  const stopIds = [TURN_END, OTHER_END].filter(tokenizer.has).map(tokenizer.id);
  const prime = think ? "<think>" : "<answer>";
  const spoken = (ids: readonly number[]) => prime + tokenizer.decode(withoutStop(ids, stopIds));
  const query: PromptAdapter["query"] = (observation, view, turn, previous) => {
    const state = stateText(observation, view, turn, options);
    const first = turn === 0 || context === "turn";
    const text = first
      ? openingText(state, options)
      : followingText(state, view, previous, options);
    return tokenizer.encode(text + prime);
  };
  return {
    query,
    answer: spoken,
    display: spoken,
    tokenText: tokenTextOf(tokenizer),
    respond: (actions) => {
      const answer = `${actions.join(" || ")}</answer>${TURN_END}`;
      return tokenizer.encode(think ? `</think><answer>${answer}` : answer);
    },
    stopIds,
  };
}

/** System message, rules and the first state, up to the assistant's header. */
function openingText(state: string, options: RagenGridOptions): string {
  const user = { role: "user", content: `${rules(options)}\n${state}` } as const;
  return render([SYSTEM, user], options);
}

/** From the end of the last response to the assistant's next header. */
function followingText(
  state: string,
  { envReward, formatPenalty }: TurnView,
  previous: readonly number[] | undefined,
  options: RagenGridOptions,
): string {
  const messages: Message[] = [
    SYSTEM,
    { role: "user", content: "start" },
    { role: "assistant", content: RESPONSE },
    { role: "user", content: `Reward:\n${rounded(envReward + formatPenalty)}\n${state}` },
  ];
  const text = render(messages, options).split(RESPONSE)[1];
  if (!text?.startsWith(TURN_END)) {
    throw new InputError(`chat_template does not end an assistant's message with ${TURN_END}`);
  }
  const stop = options.tokenizer.id(TURN_END);
  // The sampled stop token is in the row already; a response cut off, or ended otherwise, is closed
  // here.
  return isCutOff(previous, [stop]) ? text : text.slice(TURN_END.length);
}

function render(messages: Message[], { template, think }: RagenGridOptions): string {
  const thinking = think ? {} : { enableThinking: false };
  return template(messages, { addGenerationPrompt: true, ...thinking });
}

const SYSTEM: Message = { role: "system", content: "You are a helpful assistant." };

function rules({ maxActions, maxActionsPerTurn }: RagenGridOptions): string {
  return [
    "You play Sokoban. Push every box onto a target to win.",
    "You can push a box but not pull it, and only one box at a time; walls and boxes behind it stop it.",
    "Each action costs a little, a box on a target pays, and solving the level pays most.",
    "Symbols: # wall, _ floor, O target, X box, √ box on target, P you, S you on a target.",
    "Actions: Up, Down, Left, Right.",
    `You have ${maxActions} actions in total and may give up to ${maxActionsPerTurn} at once, separated by ||.`,
    "Example: <answer>Right || Right || Up</answer>",
  ].join("\n");
}

function stateText(
  observation: string,
  view: TurnView,
  turn: number,
  { think }: RagenGridOptions,
): string {
  const grid = observation.split("\n").map((row) => [...row].join(" "));
  const format = think
    ? "<think> your thoughts </think> <answer> your actions </answer>"
    : "<answer> your actions </answer>";
  return [
    `\nTurn ${turn + 1}:`,
    "State:",
    ...grid,
    `You have ${view.actionsLeft} actions and ${view.turnsLeft} turns left. Reply only in this form: ${format}`,
  ].join("\n");
}

/** Rewards are sums of tenths; binary fractions must not show. */
function rounded(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
