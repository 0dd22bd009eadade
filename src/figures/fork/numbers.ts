/** The data of a fork's result: three samples of returns, and the algorithms' advantages of the recorded turn. */
import { pictureOf } from "../../env/descriptors.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { type ForkAnswer, type ForkQuestion, type Spread } from "../../runtime/questions.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { Fork } from "../../store/forkTypes.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { finite } from "../../numeric/finite.ts";
import {
  groupingOf,
  isPlainReward,
  loneReason,
  type Grouping,
} from "../../reading/credit/alone.ts";
import type { Episodes } from "../../reading/credit/batch.ts";
import { normalisedOver, nothingToNormalise } from "../../reading/credit/normalised.ts";
import { creditOf, type RowRequest } from "../../reading/credit/rowCredit.ts";
import { rowRequest, howOf, ownRow, rowNames, type Row } from "../../reading/credit/rows.ts";
import { words } from "./words.ts";

const KINDS = ["policy", "recorded", "forked"] as const;
type SampleKind = (typeof KINDS)[number];

export interface Sample extends Spread {
  kind: SampleKind;
}

export function samplesOf(answer: ForkAnswer): Sample[] {
  return KINDS.map((kind) => ({ kind, ...answer[kind] }));
}

export interface Said {
  name: string;
  title: string;
  /** Of the recorded turn, as it enters the loss; null if it cannot be computed. */
  advantage: number | null;
  /** Why not, or that there was no group to compare with. */
  reason: string | null;
  /** What it was normalised over, if that needs a note. */
  over: string | null;
}

/** What to compute for a fork, each algorithm with the run's settings. */
export interface CreditsWanted {
  fork: Fork;
  rows: readonly Row[];
  asked: readonly RowRequest[];
  /** Method that was trained on the episodes; null if a fork is among them. */
  played: string | null;
  /** Episodes of the iteration, recorded or not; null if the log does not have it. */
  count: number | null;
  grouping: Grouping;
  /** All recorded ones of the iteration; empty if they are no longer in memory. */
  episodes: Episodes;
  /** Index of the forked one among them; -1 if it is no longer in memory. */
  episode: number;
}

export function creditsWanted(log: RunLog, fork: Fork): CreditsWanted {
  const { algorithm, iteration, episode } = fork.question;
  const recorded = log.episodes(algorithm, iteration);
  const place = recorded.findIndex((one) => one.trajectory === episode.trajectory);
  const rows = rowNames(log, []).map((name) => ownRow(log, name, iteration));
  const played = isFork(episode) ? null : algorithm;
  const asked = place < 0 ? [] : rowRequest(rows, played);
  // A fork may be forked again.
  const episodes = place >= 0 && isFork(episode) ? recorded.with(place, episode) : recorded;
  const run = { count: log.episodesPerIteration, grouping: groupingOf(log, algorithm) };
  return { fork, rows, asked, played, episodes, episode: place, ...run };
}

/** Each algorithm's advantage of the turn, computed over all recorded episodes of the iteration. */
export function creditsAt(wanted: CreditsWanted): Said[] {
  return wanted.rows.map((row) => saidBy(row, wanted));
}

function saidBy(
  row: Row,
  { fork, played, episodes, episode, count, grouping }: CreditsWanted,
): Said {
  const { name, title, config, problem } = row;
  const none = { name, title, advantage: null, over: null };
  if (episode < 0) return { ...none, reason: words.forgotten };
  const tried = config && creditOf(config, episodes, howOf(row, played));
  if (!config || !tried?.ok) return { ...none, reason: tried?.reason ?? problem };
  const { batch, credit } = tried.ok;
  const nothing = nothingToNormalise(config, tried.ok, count);
  if (nothing !== null) return { ...none, reason: nothing };
  const advantage = credit.turnAdvantage[batch.turnStart[episode]! + fork.question.turn];
  if (!Number.isFinite(advantage)) return { ...none, reason: null };
  const isAlone = isPlainReward(config, batch.task, episode);
  return {
    ...none,
    advantage: advantage!,
    reason: isAlone ? loneReason(title, grouping) : null,
    over: normalisedOver(config, tried.ok, count),
  };
}

/** The advantage that training used for the turn; null if not recorded, like a fork's. */
export function trainedAt({ fork, played, episode }: CreditsWanted): number | null {
  const turn = fork.question.episode.turns[fork.question.turn];
  return played === null || episode < 0 ? null : finite(turn?.advantage);
}

type ChangeKind = "response" | "board" | "both" | "none";

export function changeOf({ response, board }: ForkQuestion): ChangeKind {
  if (response !== null && board !== null) return "both";
  return response !== null ? "response" : board !== null ? "board" : "none";
}

/** Whether training added process rewards to the environment's, which a fork lacks. */
export function lacksProcess({ episode }: Pick<ForkQuestion, "episode">): boolean {
  return episode.turns.some(({ processReward }) => processReward !== undefined);
}

/** The recorded response in a form for editing: on a page the action itself, whatever the model's words for it. */
export function recordedResponse({ turns }: EpisodeRecord, turn: number): string {
  const { text, actions, observation } = turns[turn]!;
  return pictureOf(observation) ? text.trim() : (actions?.[0] ?? text.trim());
}
