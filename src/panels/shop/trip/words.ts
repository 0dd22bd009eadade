/** UI texts of the shop's trip. */
import { guessWords } from "../../../figures/truthWords.ts";

/** Options whose values say by themselves what they are. */
const PLAIN = ["color", "shape", "pattern", "finish", "material", "size"];

/** Of options that are named by a verb. */
const NOUNS: Readonly<Record<string, string>> = { sleeps: "capacity" };

export const words = {
  title: "Which click earned the reward?",
  tab: "Credit",
  table: "What each click did, what it is credited, and what it earned",
  asked: "The model was asked for",
  article: (noun: string) => (noun.endsWith("s") ? "" : /^[aeiou]/.test(noun) ? "an " : "a "),
  option: (name: string, value: string) => (PLAIN.includes(name) ? value : `${name} ${value}`),
  and: "and",
  below: "below",
  dollars: (limit: number) => `${limit.toLocaleString("en")} dollars`,
  attempts: (count: number, method: string, iteration: number) =>
    `${method}, iteration ${iteration}: ${count} attempts at this goal, their rewards`,
  rule: "It opens with the attempt that got the right product and whose best click the most methods miss.",
  attempt: (n: number, reward: string) => `Attempt ${n}, reward ${reward}`,
  pages: "Pages",
  pagesHint: "what the model saw, what it wrote",
  clicked: "clicked",
  turn: (n: number) => `Turn ${n}`,
  end: "End",
  wrote: (text: string) => `The model wrote: ${text}`,
  full: "Open this page at full size",
  play: "Play",
  pause: "Pause",
  did: {
    search: "searches",
    product: (n: number) => `opens product ${n}`,
    option: (name: string) => `picks the ${NOUNS[name] ?? name}`,
    reads: (name: string) => `reads the ${name}`,
    back: "goes back",
    next: "more results",
    again: "starts over",
    buy: "buys it",
    noButton: "no such button",
    noAction: "not an action",
  },
  /** After the number of the turn. */
  doing: {
    search: "the search",
    product: (n: number) => `opening product ${n}`,
    option: (value: string) => `picking ${value}`,
    reads: (name: string) => `reading the ${name}`,
    back: "going back",
    next: "asking for more results",
    again: "starting over",
    buy: "the purchase",
    nothing: "a click on nothing",
  },
  buy: "Buy now",
  bought: "Bought",
  gotRight: (noun: string) => `Right ${noun}`,
  gotWrong: "Not as asked",
  none: "Nothing bought",
  reward: (text: string) => `reward ${text}`,
  methods: {
    grpo: "one for all",
    "token-ppo": "token by token",
    "turn-ppo": "turn by turn",
  } as Record<string, string>,
  /** Of a method that the run did not train; another one's critic may be there. */
  noCredit: "no critic of its own here",
  truth: "True credit",
  branches: (count: number) => `${count} continuations`,
  oneScale: "Methods: one scale",
  /** Of the true credits, which are in rewards; the methods share one. */
  ownScale: (spread: string) => `${spread}; own scale`,
  unknown: "not known here",
  hidden: "hidden until you guess",
  share: "Right one from here",
  ask: "Your turn: which click earned the reward?",
  askHow: "Choose a page",
  press: "or press",
  to: "to",
  ...guessWords,
  yes: (n: number, doing: string) => `Yes: turn ${n}, ${doing}.`,
  no: (n: number, best: number, doing: string) => `Not turn ${n}: turn ${best}, ${doing}.`,
  firstOf: (titles: readonly string[], all: number) => {
    if (titles.length === 0) return "No method puts it first.";
    if (titles.length === all) return "Every method puts it first.";
    return titles.length === 1
      ? `Only ${titles[0]} puts it first.`
      : `${titles.join(" and ")} put it first.`;
  },
  lens: "Open in the lens",
  opening: "Opening the recorded trip …",
  missing: "The recorded run is missing. Shop yourself, or watch an episode.",
  notShop: "This run is not of the shop. Shop yourself, or watch an episode.",
} as const;
