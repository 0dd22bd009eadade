/** Everything the token panel draws of the episode at the cursor. */
import { signedLimit, signedScale, type SignedScale } from "../../charts/signedScale.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { Fork } from "../../store/forkTypes.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { Recent } from "../../reading/recent.ts";
import { runConfig } from "../../reading/runConfig.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { pagesOf, type TokenPage } from "./pages.ts";
import { measured, shownTokens, tokenCritic, withChanges, type ShownToken } from "./tokens.ts";
import type { Measure } from "./words.ts";

/** For an episode, wherever the cursor is in it. */
export interface Conversation {
  algorithm: string;
  episode: EpisodeRecord;
  /** The turn that the reader wrote, in a fork. */
  written: number | null;
  tokens: ShownToken[];
  /** Index of each turn's first token among all. [turns+1] */
  start: number[];
  pages: TokenPage[];
  /** The critic whose token values are known. */
  critic: string | null;
  /** Of the run; undefined if a file has none. */
  spec: ExperimentSpec | undefined;
}

type Spec = ExperimentSpec | undefined;

export function* conversationOf(
  spec: Spec,
  algorithm: string,
  episode: EpisodeRecord,
  fork: Fork | null = null,
): Sliced<Conversation> {
  const critic = tokenCritic(spec, algorithm, episode);
  // No update has used a fork.
  const config = isFork(episode) ? null : runConfig(spec, algorithm);
  const counts = episode.turns.map(({ tokens }) => tokens.length);
  const start = [0];
  counts.forEach((count) => start.push(start.at(-1)! + count));
  return {
    algorithm,
    episode,
    start,
    critic,
    spec,
    written: writtenTurn(fork),
    tokens: yield* withChanges(yield* shownTokens(episode, critic), episode, config),
    pages: pagesOf(counts),
  };
}

/** The most recent conversations: moving the cursor within one recomputes nothing. */
const kept = new Recent((_: EpisodeRecord): Conversation[] => []);

function* remembered(...of: Parameters<typeof conversationOf>): Sliced<Conversation> {
  const [spec, algorithm, episode, fork = null] = of;
  const known = kept.of(episode);
  const isAsked = (one: Conversation) =>
    one.spec === spec && one.algorithm === algorithm && one.written === writtenTurn(fork);
  const found = known.find(isAsked) ?? (yield* conversationOf(...of));
  known.splice(0, known.length, found);
  return found;
}

function writtenTurn(fork: Fork | null): number | null {
  return fork && fork.question.response !== null ? fork.question.turn : null;
}

/** The initial colouring: the advantage, if there is one. */
export function firstMeasure(tokens: readonly ShownToken[]): Measure {
  const hasCredit = tokens.length === 0 || tokens.some(({ advantage }) => advantage !== null);
  return hasCredit ? "advantage" : "logprob";
}

/** How the tokens of an episode are coloured. */
export interface Colouring {
  measure: Measure;
  scale: SignedScale;
  /** Where the full colour begins; 0 if there is nothing to colour. */
  limit: number;
}

export function colouringOf(tokens: readonly ShownToken[], measure: Measure): Colouring {
  const numbers = tokens.flatMap((token) => measured(token, measure) ?? []);
  return { measure, scale: signedScale(numbers), limit: signedLimit(numbers) };
}

const coloured = new WeakMap<Conversation, Colouring>();

function colouringIn(conversation: Conversation, measure: Measure): Colouring {
  const last = coloured.get(conversation);
  if (last?.measure === measure) return last;
  const colouring = colouringOf(conversation.tokens, measure);
  coloured.set(conversation, colouring);
  return colouring;
}

/** The cursor's position in a conversation. */
export interface TokenStanding {
  turn: number;
  /** Null: the turn as a whole. */
  token: number | null;
  /** Index among all tokens of the episode; for a whole turn its first. */
  flat: number;
}

export function standingIn(
  { start }: Conversation,
  { turn, token }: Pick<ResolvedChoice, "turn" | "token">,
): TokenStanding {
  return { turn, token, flat: (start[turn] ?? 0) + (token ?? 0) };
}

/** The panel's request. */
export interface TokensWanted extends Pick<
  ResolvedChoice,
  "algorithm" | "fork" | "turn" | "token"
> {
  spec: Spec;
  /** Undefined if there is none. */
  episode: EpisodeRecord | undefined;
  /** The number to colour by; null until the reader chooses. */
  measure: Measure | null;
}

export interface Shown {
  conversation: Conversation;
  standing: TokenStanding;
  colouring: Colouring;
}

/** `content` null: there is no episode. */
export function* tokensShown(wanted: TokensWanted): Sliced<{ content: Shown | null }> {
  const { spec, algorithm, episode, fork, measure } = wanted;
  if (!episode) return { content: null };
  const conversation = yield* remembered(spec, algorithm, episode, fork);
  yield;
  const colouring = colouringIn(conversation, measure ?? firstMeasure(conversation.tokens));
  return { content: { conversation, colouring, standing: standingIn(conversation, wanted) } };
}

/** The token with the minimum of a number, and its turn; null if no token has it. */
export function leastOf(
  tokens: readonly ShownToken[],
  of: (token: ShownToken) => number | null,
): ShownToken | null {
  let best: ShownToken | null = null;
  for (const token of tokens) {
    const x = of(token);
    if (x !== null && (best === null || x < of(best)!)) best = token;
  }
  return best;
}
