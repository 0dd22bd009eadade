/**
 * WebShop for real Qwen models, in RAGEN's layout: the page as WebShop's text mode shows it, and
 * the list of possible actions. RAGEN repeats nine hints on every turn, about 190 tokens; here the
 * rules state those that are rules once.
 */
import type { PromptAdapter } from "./promptAdapter.ts";
import { ragenChat, type RagenChatOptions } from "./ragenChat.ts";
import type { ShownPage } from "./webshopView.ts";

interface WebShopTextOptions extends RagenChatOptions {
  maxTurns: number;
}

export function webshopText(options: WebShopTextOptions): PromptAdapter<ShownPage> {
  const chat = ragenChat<ShownPage>(options, {
    rules: rules(options),
    state: (observation, { actionList, turnsLeft }) => ({
      rows: [observation, `You must choose from these actions: ${actionList.join(", ")}.`],
      left: `You have ${turnsLeft} turns left.`,
    }),
    answers: "your action",
    separator: "",
  });
  return { ...chat, answer: (ids) => actionOf(chat.answer(ids), options.think) };
}

const ANSWER = /^<answer>(.*?)<\/answer>/s;
const THINK_ANSWER = /^<think>.*?<\/think>\s*<answer>(.*?)<\/answer>/s;

/** The text in the answer's tags; a response of another form stays whole, and is not an action. */
function actionOf(response: string, think: boolean): string {
  const match = (think ? THINK_ANSWER : ANSWER).exec(response);
  return match ? match[1]!.trim() : response;
}

function rules({ maxTurns }: WebShopTextOptions): string {
  return [
    "You shop on a web site. Find and buy a product that fits the instruction.",
    "The product, its attributes, the options chosen and its price all count; not all need be right.",
    `One action a turn, and at most ${maxTurns} turns. Buying ends the trip; nothing bought earns nothing.`,
    "Choose each option that the instruction names before you click buy now.",
    "Actions: search[words] and click[what the page lists].",
    "Example: <answer>search[red cotton shirt]</answer>",
  ].join("\n");
}
