/** The conversation token by token: the environment's text in grey, the model's tokens coloured by a number. */
import { isFork } from "../../record/forkedEpisode.ts";
import { saysWhere } from "../../spec/experiment.ts";
import { formatSigned } from "../../numeric/format.ts";
import { estimatesAnswered } from "../../reading/credit/estimates.ts";
import { titleOf } from "../../reading/titles.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { TurnChoice } from "../../store/turnChoice.ts";
import type { Act } from "../choices.ts";
import { episodeEnd } from "../episodeEnd.ts";
import {
  columnsFrom,
  figurePanel,
  textBlock,
  type Block,
  type FactsBlock,
  type Figure,
  type FigureInput,
} from "../figure.ts";
import { FIRST_FOLDS, isThoughtOpen, withThoughtFold } from "./chat.ts";
import {
  colouringIn,
  conversationAt,
  conversationNeeds,
  firstMeasure,
  standingIn,
  type Colouring,
  type Conversation,
  type TokenStanding,
} from "./conversation.ts";
import { describeColours, describeTokens } from "./describe.ts";
import { optionOf, otherMethod, otherMethods, withOtherCredit } from "./otherCredit.ts";
import { tokens } from "./manifest.ts";
import { pageAt } from "./pages.ts";
import type { ShownToken } from "./shownTokens.ts";
import { words, type Measure } from "./words.ts";

/** What the panel's own part draws. */
export interface ConversationShown {
  conversation: Conversation;
  standing: TokenStanding;
  colouring: Colouring;
  go: (turn: number, token: number | null) => Partial<TurnChoice>;
  folds: { isOpen: (turn: number) => boolean; fold: (turn: number) => Act };
  /** Opens all thoughts, or folds them; null if there are none. */
  all: { isOpen: boolean; by: Act } | null;
  /** How the episode ended. */
  end: { how: string; total: string };
}

export const tokensPanel = figurePanel({
  panel: tokens,
  reads: { needs, work },
  figure: ({ view: { log }, at, held }, conversation: Conversation): Figure => {
    const { spec, tokens } = conversation;
    const measure = measureOf(held["measure"], conversation);
    const { episode } = at;
    const given: ConversationShown = {
      conversation,
      standing: standingIn(conversation, at),
      colouring: colouringIn(conversation, measure),
      go: (turn, token) => ({ episode, turn, token }),
      ...foldsOf(conversation, at.turn, held["folds"] ?? FIRST_FOLDS),
      end: {
        how: episodeEnd(conversation.episode),
        total: words.total(formatSigned(conversation.episode.reward)),
      },
    };
    const part = { kind: "part", id: "conversation", given } as const;
    // A file may name no context, or one that is not known here.
    const contexts: Readonly<Record<string, string>> = words.contexts;
    const context = contexts[spec?.context ?? ""] ?? "";
    const notes = [
      textBlock(
        [words.environmentNote, context, words.whitespace].filter(Boolean).join(" "),
        "prose",
      ),
      ...(saysWhere(spec)
        ? [textBlock("thought" in spec.environment ? words.chatMade : words.promptMade, "prose")]
        : []),
      textBlock(words.keys, "prose"),
    ];
    if (tokens.length === 0)
      return [textBlock(words.noTokens, "prose", "tokens-summary"), part, ...notes];
    return [
      textBlock(describeTokens(conversation), "prose", "tokens-summary"),
      measureChoice(given, log, held["measure"]),
      part,
      numbersOf(given),
      LEGEND,
      ...notes,
      table(given),
    ];
  },
});

type ConversationSeen = FigureInput<typeof tokens.settings>;

/** The other method only if its credit is shown. */
function needs(seen: ConversationSeen): unknown[] {
  const { at, held } = seen;
  const other = otherMethod(held["measure"], at.algorithm);
  return [
    ...conversationNeeds(seen),
    other,
    ...(other ? [at.iteration, at.episodes, estimatesAnswered()] : []),
  ];
}

function* work({ view, at, held }: ConversationSeen): Sliced<Conversation> {
  const conversation = yield* conversationAt(view, at);
  const other = otherMethod(held["measure"], at.algorithm);
  return other ? yield* withOtherCredit(conversation, view.log, at, other) : conversation;
}

/** The chosen one; until another method's credit is computed, the first. */
function measureOf(
  option: string | undefined,
  { tokens, algorithm, other }: Conversation,
): Measure {
  if (option !== undefined && option in words.measures) return option as Measure;
  const isOther = other !== undefined && other.name === otherMethod(option, algorithm);
  return isOther ? "other" : firstMeasure(tokens);
}

function foldsOf({ chat }: Conversation, here: number, folds: string) {
  const isOpenAt = (turn: number) => isThoughtOpen(folds, turn, here);
  const choose = (folds: string): Act => ({ choose: { folds } });
  const thoughts = [...chat.keys()].filter((turn) => chat[turn]!.thought !== null);
  const areOpen = thoughts.every(isOpenAt);
  return {
    folds: {
      isOpen: isOpenAt,
      fold: (turn: number) => choose(withThoughtFold(folds, turn, !isOpenAt(turn))),
    },
    all: thoughts.length === 0 ? null : { isOpen: areOpen, by: choose(areOpen ? "none" : "all") },
  };
}

function measureChoice(
  { conversation, colouring }: ConversationShown,
  log: RunLog,
  option: string | undefined,
): Block {
  const { algorithm } = conversation;
  const { other, ...own } = words.measures;
  const options = [
    ...Object.entries(own).map(([value, { name }]) => {
      return { value, name: words.of(titleOf(algorithm), name) };
    }),
    ...otherMethods(log, algorithm).map((method) => {
      return { value: optionOf(method), name: words.of(titleOf(method), other.name) };
    }),
  ];
  const isOther = otherMethod(option, algorithm) !== null;
  return {
    kind: "choices",
    choices: [
      {
        id: "measure",
        label: words.colour,
        look: "select",
        options,
        value: isOther ? option! : colouring.measure,
        testId: "tokens-measure",
      },
    ],
    signs: ["advantage", "other"].includes(colouring.measure) ? words.signs : undefined,
    note: textBlock(describeColours(colouring, conversation), "prose", "tokens-legend"),
  };
}

const LEGEND: Block = {
  kind: "meanings",
  title: words.meanings,
  items: Object.values(words.rows).filter((row) => "hint" in row),
};

/** All numbers of the token at the cursor. */
function numbersOf({ conversation, standing }: ConversationShown): FactsBlock {
  const { tokens, episode } = conversation;
  const token = standing.token === null ? undefined : tokens[standing.flat];
  const { rows, clip } = words;
  return {
    kind: "facts",
    id: "tokens-numbers",
    title: words.numbers,
    note: token
      ? words.place(token.token, episode.turns[token.turn]!.tokens.length, token.turn)
      : words.choose,
    rows: token
      ? [
          { id: "text", ...rows.text, value: token.text },
          { id: "id", ...rows.id, value: String(token.id) },
          { id: "oldLogprob", ...rows.oldLogprob, value: token.oldLogprob, unit: "signed" },
          { id: "probability", ...rows.probability, value: exp(token.oldLogprob), unit: "number" },
          { id: "logprob", ...rows.logprob, value: token.logprob, unit: "signed" },
          { id: "ratio", ...rows.ratio, value: exp(token.logRatio), unit: "number" },
          { id: "clip", ...rows.clip, value: clip[isFork(episode) ? "fork" : token.clip] },
          { id: "entropy", ...rows.entropy, value: token.entropy, unit: "number" },
          { id: "advantage", ...rows.advantage, value: token.advantage, unit: "signed" },
          { id: "value", ...rows.value, value: token.value, unit: "signed" },
        ]
      : [],
  };
}

const exp = (x: number | null) => (x === null ? null : Math.exp(x));

const UNITS = ["count", "count", "text", "signed", "number", "number", "signed", "signed"] as const;

/** The tokens drawn. */
function table({ conversation, standing }: ConversationShown): Block {
  const { tokens, start, pages } = conversation;
  const rowOf = ({ turn, token, text, ...of }: ShownToken) => [
    ...[turn + 1, token + 1, text, of.oldLogprob, exp(of.logRatio)],
    ...[of.entropy, of.advantage, of.value],
  ];
  return {
    kind: "numbers",
    id: "tokens-table",
    title: words.table,
    columns: columnsFrom(words.columns, UNITS),
    rows: () => {
      const page = pages[pageAt(pages, standing.turn, standing.token ?? 0)]!;
      const first = start[page.fromTurn]!;
      const { from, to } = page.tokens ?? { from: 0, to: start[page.toTurn]! - first };
      return tokens.slice(first + from, first + to).map(rowOf);
    },
  };
}
