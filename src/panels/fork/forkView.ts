/** What the panel tells of a fork: three samples of returns, and what the algorithms made of the recorded turn. */
import type { EpisodeRecord } from "../../record/runEvent.ts";
import {
  isFork,
  type Estimate,
  type ForkAnswer,
  type ForkQuestion,
} from "../../runtime/questions.ts";
import type { Fork } from "../../store/forks.ts";
import type { RunLog } from "../../store/runLog.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { isPlainReward } from "../credits/alone.ts";
import { ownRow, rowNames } from "../credits/rows.ts";
import { creditOf } from "../credits/rowCredit.ts";
import { isBoard } from "./boardEdit.ts";
import { difference, meanOf } from "./spread.ts";

export const KINDS = ["policy", "recorded", "forked"] as const;
export type Kind = (typeof KINDS)[number];

export interface Sample {
  kind: Kind;
  returns: readonly number[];
  mean: Estimate;
  /** Mean less that of `policy`; null for itself. */
  advantage: Estimate | null;
}

export function samplesOf(answer: ForkAnswer): Sample[] {
  const base = answer.policy.returns;
  return KINDS.map((kind) => {
    const { returns } = answer[kind];
    const advantage = kind === "policy" ? null : difference(returns, base);
    return { kind, returns, mean: meanOf(returns), advantage };
  });
}

export interface Said {
  name: string;
  title: string;
  /** Of the recorded turn, as the loss takes it; null where it cannot be computed, or would be no credit. */
  advantage: number | null;
  /** Whether the row has no group to compare the episode with: what is left is the plain reward. */
  alone: boolean;
  /** Why not. */
  reason: string | null;
}

/** Each algorithm's advantage of the turn, computed over all recorded episodes of the iteration. */
export function creditsAt(log: RunLog, { question }: Fork): Said[] {
  const recorded = log.episodes(question.algorithm, question.iteration);
  const number = recorded.findIndex((one) => one.trajectory === question.episode.trajectory);
  // A fork may be forked again.
  const episodes = isFork(question.episode) ? recorded.with(number, question.episode) : recorded;
  return rowNames(log, []).map((name) => {
    const { title, config, problem } = ownRow(log, name);
    const tried = config && number >= 0 ? creditOf(config, episodes) : null;
    const none = { name, title, advantage: null, alone: false };
    if (!config || !tried?.ok) return { ...none, reason: tried?.reason ?? problem };
    const { batch, credit } = tried.ok;
    if (isPlainReward(config, batch.task, number)) return { ...none, alone: true, reason: null };
    const advantage = credit.turnAdvantage[batch.turnStart[number]! + question.turn];
    const known = Number.isFinite(advantage);
    return { ...none, advantage: known ? advantage! : null, reason: null };
  });
}

export type ChangeKind = "response" | "board" | "both" | "none";

export function changeOf({ response, board }: ForkQuestion): ChangeKind {
  if (response !== null && board !== null) return "both";
  return response !== null ? "response" : board !== null ? "board" : "none";
}

/** What the reader wants of a turn. */
export interface Draft {
  /** Equal while the cursor stands on the same turn. */
  place: string;
  response: string;
  /** The policy speaks, whatever `response` says. */
  free: boolean;
  board: string;
  branches: number;
}

export function draftOf(
  place: string,
  episode: EpisodeRecord,
  turn: number,
  branches: number,
): Draft {
  const { observation } = episode.turns[turn]!;
  const response = recordedResponse(episode, turn);
  return { place, response, free: false, board: observation, branches };
}

/** What was said, as one would write it: of a page the action itself, whatever the model's words for it. */
export function recordedResponse({ turns }: EpisodeRecord, turn: number): string {
  const { text, actions, observation } = turns[turn]!;
  return isBoard(observation) ? text.trim() : (actions?.[0] ?? text.trim());
}

/** What is asked of the models; a board that was left as it was is no change. */
export function questionOf(
  draft: Draft,
  { algorithm, iteration, turn }: Pick<ResolvedChoice, "algorithm" | "iteration" | "turn">,
  episode: EpisodeRecord,
): ForkQuestion {
  const changed = draft.board !== episode.turns[turn]!.observation;
  return {
    ...{ kind: "fork", algorithm, iteration, episode, turn, branches: draft.branches },
    response: draft.free ? null : draft.response,
    board: changed ? draft.board : null,
  };
}
