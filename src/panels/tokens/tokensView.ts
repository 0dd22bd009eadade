/** All that the token panel draws of the episode at the cursor. */
import { signedLimit, signedScale, type SignedScale } from "../../charts/signedScale.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../runtime/questions.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { Fork } from "../../store/forks.ts";
import type { RunView } from "../../store/runLog.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { runConfig } from "../ribbon/runConfig.ts";
import { pagesOf, type Page } from "./pages.ts";
import { measured, shownTokens, tokenCritic, withChanges, type ShownToken } from "./tokens.ts";
import type { Measure } from "./words.ts";

/** Of an episode, wherever the cursor stands in it. */
export interface Conversation {
  algorithm: string;
  episode: EpisodeRecord;
  /** The turn that the reader wrote, of a fork. */
  written: number | null;
  tokens: ShownToken[];
  /** Place of each turn's first token among all. [turns+1] */
  start: number[];
  pages: Page[];
  /** Whose values of tokens are told. */
  critic: string | null;
  config: AlgorithmConfig | null;
  /** Of the run; undefined where a file has none. */
  spec: ExperimentSpec | undefined;
}

/** Null where there is no episode. */
export function conversationOf(
  { log }: RunView,
  algorithm: string,
  episode: EpisodeRecord | undefined,
  fork: Fork | null = null,
): Conversation | null {
  if (!episode) return null;
  const spec = log.start?.spec;
  const critic = tokenCritic(spec, algorithm, episode);
  const config = runConfig(spec, algorithm);
  const counts = episode.turns.map(({ tokens }) => tokens.length);
  const start = [0];
  counts.forEach((count) => start.push(start.at(-1)! + count));
  return {
    ...{ algorithm, episode, start, critic, written: writtenTurn(fork) },
    tokens: withChanges(shownTokens(episode, critic), episode, isFork(episode) ? null : config),
    pages: pagesOf(counts),
    config,
    spec,
  };
}

function writtenTurn(fork: Fork | null): number | null {
  return fork && fork.question.response !== null ? fork.question.turn : null;
}

/** What is coloured until the reader chooses: the advantage, where there is one. */
export function firstMeasure(tokens: readonly ShownToken[]): Measure {
  const hasCredit = tokens.length === 0 || tokens.some(({ advantage }) => advantage !== null);
  return hasCredit ? "advantage" : "logprob";
}

/** How the tokens of an episode are coloured. */
export interface Colouring {
  measure: Measure;
  scale: SignedScale;
  /** Where the full colour begins; 0 where there is nothing to colour. */
  limit: number;
}

export function colouringOf(tokens: readonly ShownToken[], measure: Measure): Colouring {
  const numbers = tokens.flatMap((token) => measured(token, measure) ?? []);
  return { measure, scale: signedScale(numbers), limit: signedLimit(numbers) };
}

/** Where the cursor stands in a conversation. */
export interface Standing {
  turn: number;
  /** Null: the turn as a whole. */
  token: number | null;
  /** Among all tokens of the episode; of a whole turn its first. */
  flat: number;
}

export function standingIn({ start }: Conversation, { turn, token }: ResolvedChoice): Standing {
  return { turn, token, flat: (start[turn] ?? 0) + (token ?? 0) };
}

/** The token with the least of a number, and the turn it is in; null where no token has it. */
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
