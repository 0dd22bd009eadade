/** An episode token by token, wherever the cursor is in it, and how its tokens are coloured. */
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { Fork } from "../../store/forkTypes.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { signedLimit } from "../../numeric/signedLimit.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { chatOf, type ChatTurn } from "./chat.ts";
import { pagesOf, type TokenPage } from "./pages.ts";
import { measured, shownTokens, tokenCritic, withChanges, type ShownToken } from "./shownTokens.ts";
import type { Measure } from "./words.ts";

export interface Conversation {
  algorithm: string;
  episode: EpisodeRecord;
  /** The turn that the reader wrote, in a fork. */
  written: number | null;
  tokens: ShownToken[];
  chat: ChatTurn[];
  /** Index of each turn's first token among all. [turns+1] */
  start: number[];
  pages: TokenPage[];
  /** The critic whose token values are known. */
  critic: string | null;
  /** The method whose credit the tokens have too, and why there is none, if so. */
  other?: { name: string; reason: string | null };
  /** Of the run; undefined if a file has none. */
  spec: ExperimentSpec | undefined;
}

export function* conversationOf(
  spec: ExperimentSpec | undefined,
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
    chat: chatOf(spec, episode),
    tokens: yield* withChanges(yield* shownTokens(episode, critic), episode, config),
    pages: pagesOf(counts),
  };
}

type EpisodePlace = Pick<ResolvedChoice, "algorithm" | "episodes" | "episode" | "fork">;

/** The episode at the cursor. */
export function conversationAt(
  { log }: Pick<RunView, "log">,
  at: EpisodePlace,
): Sliced<Conversation> {
  return conversationOf(log.start?.spec, at.algorithm, at.episodes[at.episode]!, at.fork);
}

/** Moving the cursor within an episode reads nothing. */
export const conversationNeeds = ({ view: { log }, at }: { view: RunView; at: EpisodePlace }) => [
  ...[log.start?.spec, at.algorithm, at.episodes[at.episode], writtenTurn(at.fork)],
];

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
  /** The numbers of all its tokens. */
  among: number[];
  /** Where the full colour begins; 0 if there is nothing to colour. */
  limit: number;
}

export function colouringOf(tokens: readonly ShownToken[], measure: Measure): Colouring {
  const among = tokens.flatMap((token) => measured(token, measure) ?? []);
  return { measure, among, limit: signedLimit(among) };
}

const coloured = new WeakMap<Conversation, Colouring>();

/** The last one is kept. */
export function colouringIn(conversation: Conversation, measure: Measure): Colouring {
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
