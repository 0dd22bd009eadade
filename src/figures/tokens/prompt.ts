/**
 * What the model read before a turn. A log has only the observations: the rest is reconstructed by
 * the adapter that writes the policy's queries.
 */
import { knownDescriptor, hasPages } from "../../env/descriptors.ts";
import { pageNodes } from "../../env/webshop/pageNodes.ts";
import { shownCode } from "../../reading/credit/estimates.ts";
import type { EarlierTurn } from "../../record/definitions.ts";
import { findDefinition } from "../../spec/definitions.ts";
import { messageOf, type Remembered } from "../../text/ownMessage.ts";
import type { ChatMessage } from "../../text/ragenChat.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import {
  saysWhere,
  type EnvironmentSpec,
  type ExperimentSpec,
  type WebShopSpec,
} from "../../spec/experiment.ts";
import { InputError } from "../../numeric/inputError.ts";
import { compactWebshop } from "../../text/compactWebshop.ts";
import { compactWords, type CompactView, type PlanAdapter } from "../../text/compactWords.ts";
import { domainTokenizerFiles, vocabularyOf } from "../../text/domainVocabulary.ts";
import { readTokenizer } from "../../text/tokenizer.ts";
import type { PlainAdapter, PromptAdapter, TurnView } from "../../text/promptAdapter.ts";
import { sokobanPrompts } from "../../text/sokobanPrompts.ts";
import type { ShownPage } from "../../text/webshopView.ts";
import type { PromptPart } from "../../runtime/questions.ts";
import { tryStanding } from "../../reading/shop/standing.ts";
import { words } from "./words.ts";

type TriedPrompt = { parts: PromptPart[]; problem: null } | { parts: null; problem: string };

/** The prompt of a turn, or why it is unknown; spec: the run's, undefined if a file has none. */
export function promptOf(
  spec: ExperimentSpec | undefined,
  episode: EpisodeRecord,
  turn: number,
): TriedPrompt {
  try {
    return { parts: partsOf(spec, episode, turn), problem: null };
  } catch (error) {
    // A file may have anything in place of an observation.
    const reason = error instanceof Error ? error.message : String(error);
    const problem = error instanceof InputError ? reason : words.promptFailed(reason);
    return { parts: null, problem };
  }
}

function partsOf(
  spec: ExperimentSpec | undefined,
  { seed, turns }: EpisodeRecord,
  turn: number,
): PromptPart[] {
  const query = queryOf(spec, { seed, turns });
  const first = spec!.context === "full" ? 0 : turn;
  const seen = turns.slice(first, turn + 1);
  return seen.flatMap(({ tokens }, i): PromptPart[] => {
    const h = first + i;
    const asked: PromptPart = { turn: h, who: "environment", tokens: query(h) };
    if (h === turn) return [asked];
    if (tokens.length === 0) throw new InputError(words.promptWithoutTokens);
    return [asked, { turn: h, who: "model", tokens: tokens.map(({ text }) => text) }];
  });
}

/** Tokens that the environment adds before each turn; null if they are unknown. */
export function askedCounts(
  spec: ExperimentSpec | undefined,
  episode: EpisodeRecord,
): number[] | null {
  try {
    const query = queryOf(spec, episode);
    return episode.turns.map((_, h) => query(h).length);
  } catch {
    // What is unknown about a prompt is said where it is shown.
    return null;
  }
}

function queryOf(
  spec: ExperimentSpec | undefined,
  { seed, turns }: Pick<EpisodeRecord, "seed" | "turns">,
): Query {
  if (!saysWhere(spec)) throw new InputError(words.promptOfOthers);
  if (spec.model?.folder) throw new InputError(words.promptOfFolder);
  const { environment, context } = spec;
  return hasPages(environment)
    ? shopQuery(environment, context, { seed, turns })
    : boardQuery(spec, environment, turns);
}

type Query = (turn: number) => string[];
type EpisodeTurns = readonly TurnRecord[];

function boardQuery(
  spec: ExperimentSpec,
  environment: Exclude<EnvironmentSpec, WebShopSpec>,
  turns: EpisodeTurns,
) {
  const { maxTurns } = environment;
  const message = messageIn(spec);
  const adapter = adapterOf(environment, spec.context, message);
  const earlier = ({ observation, tokens, actions, reward }: TurnRecord): EarlierTurn => ({
    observation,
    response: adapter.answer(tokens.map(({ id }) => id)),
    actions: actions ?? [],
    reward,
  });
  type BoardView = CompactView & Pick<TurnView, "envReward" | "formatPenalty"> & Remembered;
  const view = (turn: number): BoardView => ({
    turnsLeft: maxTurns - turn,
    // A chat shows their sum: the last turn's reward.
    envReward: turns[turn - 1]?.reward ?? 0,
    formatPenalty: 0,
    ...("maxActions" in environment && {
      actionsLeft: environment.maxActions - doneBefore(turns, turn),
    }),
    ...(message && { history: turns.slice(0, turn).map(earlier) }),
  });
  return asking(adapter, turns, view);
}

/** What the run's own prompt writes; undefined without one. Its code answers later: until then it throws. */
function messageIn({ definitions, environment }: ExperimentSpec): ChatMessage | undefined {
  const name = environment.prompt;
  if (name === undefined) return undefined;
  const definition = findDefinition(definitions, { kind: "prompt", name });
  if (!definition) throw new InputError(words.promptOfCode);
  const call = shownCode(definition);
  return messageOf({ name, call: (_, input) => call(input as object) });
}

/** The adapter that writes the run's queries. */
function adapterOf(
  environment: Exclude<EnvironmentSpec, WebShopSpec>,
  context: "full" | "turn",
  message?: ChatMessage,
): PlainAdapter | PlanAdapter {
  if (environment.kind === "sokoban")
    return sokobanPrompts(environment, context, undefined, message);
  const { think = false, kind } = environment;
  const training = knownDescriptor(kind)?.training;
  if (!training) throw new InputError(words.promptOfOthers);
  const { tokenizer, config } = domainTokenizerFiles(vocabularyOf(training.words));
  return compactWords(readTokenizer(tokenizer, config), { context, think }, training.compact);
}

function doneBefore(turns: EpisodeTurns, turn: number): number {
  return turns.slice(0, turn).reduce((sum, { actions }) => {
    if (actions === null) throw new InputError(words.promptWithoutActions);
    return sum + actions.length;
  }, 0);
}

/** Each turn's page is reconstructed, as for watching a turn in the shop. */
function shopQuery(
  environment: WebShopSpec,
  context: "full" | "turn",
  { seed, turns }: Pick<EpisodeRecord, "seed" | "turns">,
): Query {
  const view = (turn: number): ShownPage => {
    const played = { seed, turns: turns.slice(0, turn), seen: turns[turn]!.observation };
    const { standing, problem } = tryStanding(environment, played);
    if (!standing) throw new InputError(problem);
    const { page, shop } = standing;
    return {
      page: page.kind,
      nodes: pageNodes(page, shop),
      instruction: shop.goal.instruction,
      turnsLeft: environment.maxTurns - turn,
      actionList: [],
      envReward: 0,
      formatPenalty: 0,
    };
  };
  return asking(compactWebshop({ context, think: environment.think }), turns, view);
}

function asking<View>(
  adapter: PromptAdapter<View>,
  turns: EpisodeTurns,
  view: (turn: number) => View,
): Query {
  const asked: number[][] = [];
  const idsOf = (turn: number): number[] => {
    const before = turns[turn - 1]?.tokens.map(({ id }) => id);
    const { observation } = turns[turn]!;
    return (asked[turn] ??= adapter.query(
      observation,
      view(turn),
      turn,
      before,
      turn > 0 ? idsOf(turn - 1) : undefined,
    ));
  };
  return (turn) => idsOf(turn).map(adapter.tokenText);
}

/** The number of tokens of each side. */
export function countsOf(parts: readonly PromptPart[]): Record<PromptPart["who"], number> {
  const counts = { environment: 0, model: 0 };
  for (const { who, tokens } of parts) counts[who] += tokens.length;
  return counts;
}

/** Its first tokens, up to this many in total. */
export function firstOf(parts: readonly PromptPart[], most: number): PromptPart[] {
  let left = most;
  return parts.flatMap((part) => {
    const tokens = part.tokens.slice(0, left);
    left -= tokens.length;
    return tokens.length === 0 ? [] : [{ ...part, tokens }];
  });
}
