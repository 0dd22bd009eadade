/**
 * A game as a chat for real Qwen models, in the layout of RAGEN's `ragen/llm_agent/ctx_manager.py`:
 * rules first, then per turn the reward, the state, what is left and the required format, in our
 * own words. Generation is primed with the opening tag of the response.
 */
import { InputError } from "../numeric/inputError.ts";
import type { ChatTemplate, Message } from "./chatTemplate.ts";
import {
  isCutOff,
  tokenTextOf,
  withoutStop,
  type PlainAdapter,
  type PromptAdapter,
} from "./promptAdapter.ts";
import type { TextTokenizer } from "./tokenizer.ts";
import { TURN_END, TURN_ENDS } from "./turnEnds.ts";
import type { Context } from "./tokenRow.ts";

export interface RagenChatOptions {
  tokenizer: TextTokenizer;
  template: ChatTemplate;
  context: Context;
  /** Ask for a thought before the answer; generation is then primed with its opening tag. */
  think: boolean;
  /** Sentence on how long a response may be. Absent: none. */
  lengthAdvice?: string;
  /**
   * In turn context: whether each query repeats the earlier turns without their thoughts, as Qwen3's
   * template shows them to the model. Every turn is a row with its whole prompt then, so that a turn
   * costs what the episode so far does. Absent: a query is the current state alone.
   */
  withHistory?: boolean;
  /** Writes the user's messages. Absent: the usual ones. */
  message?: ChatMessage;
}

/** The text of a user's message, from the usual one and what the turn's query is made from. */
export type ChatMessage = (moment: {
  usual: string;
  observation: string;
  view: object;
  /** From 0. */
  turn: number;
}) => string;

/** What a chat needs to know of a turn, for any game. */
interface Rewarded {
  envReward: number;
  formatPenalty: number;
}

interface RagenGame<View> {
  rules: string;
  /** Lines that show the state, and a sentence on what is left. */
  state(observation: string, view: View): { rows: string[]; left: string };
  /** What the answer should contain, in a word or two. */
  answers: string;
  /** Separator between the actions of one answer. */
  separator: string;
}

/** Placeholder for the response while the template renders what follows it. */
const RESPONSE = "\u0001response\u0001";
const SYSTEM: Message = { role: "system", content: "You are a helpful assistant." };

/** Responses are sent to the environment with their tags. */
export function ragenChat<View extends Rewarded & object>(
  options: RagenChatOptions,
  game: RagenGame<View>,
): PlainAdapter<View> {
  const { tokenizer, context, think } = options;
  tokenizer.id(TURN_END); // throws without it: no message of a chat would end
  const stopIds = TURN_ENDS.filter(tokenizer.has).map(tokenizer.id);
  const prime = think ? "<think>" : "<answer>";
  const spoken = (ids: readonly number[]) => prime + tokenizer.decode(withoutStop(ids, stopIds));
  const query: PromptAdapter<View>["query"] = (observation, view, turn, previous, before) => {
    const state = stateText(game, observation, view, turn, options);
    const repeats = context === "turn" && options.withHistory === true;
    const first = turn === 0 || (context === "turn" && !repeats);
    const said = (usual: string) => options.message?.({ usual, observation, view, turn }) ?? usual;
    if (first)
      return tokenizer.encode(openingText(said(`${game.rules}\n${state}`), options) + prime);
    const text = followingText(said(rewardedText(state, view)), previous, options) + prime;
    if (!repeats) return tokenizer.encode(text);
    if (!previous || !before) throw new Error(`turn ${turn} has a history that it was not given`);
    const history = tokenizer.decode(before).slice(0, -prime.length);
    return tokenizer.encode(history + withoutThought(tokenizer.decode(previous)) + text);
  };
  return {
    query,
    answer: spoken,
    display: spoken,
    tokenText: tokenTextOf(tokenizer),
    respond: (actions, _view, thought = "") => {
      const answer = `${actions.join(game.separator)}</answer>${TURN_END}`;
      return tokenizer.encode(think ? `${thought}</think><answer>${answer}` : answer);
    },
    stopIds,
  };
}

/** System message, rules and the first state, up to the assistant's header. */
function openingText(content: string, options: RagenChatOptions): string {
  return render([SYSTEM, { role: "user", content }], options);
}

function rewardedText(state: string, { envReward, formatPenalty }: Rewarded): string {
  return `Reward:\n${rounded(envReward + formatPenalty)}\n${state}`;
}

/** From the end of the last response to the assistant's next header. */
function followingText(
  content: string,
  previous: readonly number[] | undefined,
  options: RagenChatOptions,
): string {
  const messages: Message[] = [
    SYSTEM,
    { role: "user", content: "start" },
    { role: "assistant", content: RESPONSE },
    { role: "user", content },
  ];
  const text = render(messages, options).split(RESPONSE)[1];
  if (!text?.startsWith(TURN_END)) {
    throw new InputError(`chat_template does not end an assistant's message with ${TURN_END}`);
  }
  const stop = options.tokenizer.id(TURN_END);
  // The sampled stop token is already in the row; a truncated response, or one that ended
  // otherwise, is closed here.
  return isCutOff(previous, [stop]) ? text : text.slice(TURN_END.length);
}

function render(messages: Message[], { template, think }: RagenChatOptions): string {
  const thinking = think ? {} : { enableThinking: false };
  return template(messages, { addGenerationPrompt: true, ...thinking });
}

/** A response without its thought, as Qwen3's template shows earlier ones; whole if the thought never closes. */
function withoutThought(response: string): string {
  const end = response.indexOf(THOUGHT_END);
  return end < 0
    ? `<think>${response}`
    : response.slice(end + THOUGHT_END.length).replace(/^\n+/, "");
}

const THOUGHT_END = "</think>";

function stateText<View>(
  { state, answers }: RagenGame<View>,
  observation: string,
  view: View,
  turn: number,
  { think, lengthAdvice }: RagenChatOptions,
): string {
  const answer = `<answer> ${answers} </answer>`;
  const format = think ? `<think> your thoughts </think> ${answer}` : answer;
  const { rows, left } = state(observation, view);
  const advice = lengthAdvice === undefined ? "" : ` ${lengthAdvice}`;
  const request = `${left} Reply only in this form: ${format}${advice}`;
  return [`\nTurn ${turn + 1}:`, "State:", ...rows, request].join("\n");
}

/** Rewards are sums of tenths; hides rounding errors of binary fractions. */
function rounded(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
