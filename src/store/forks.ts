/** What-if episodes that branched from a recorded one at some turn. Stored outside the log, discarded with the run. */
import type { EpisodeRecord } from "../record/runEvent.ts";
import { isFork } from "../record/forkedEpisode.ts";
import type { ExperimentStore } from "./experimentState.ts";
import type { ExperimentState } from "./experimentState.ts";
import type { Fork, ForksSlice } from "./forkTypes.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { truthAt, truthKey, type EpisodeTruth, type Truths } from "../reading/truths.ts";
import { resolveChoice, type ResolvedChoice } from "./turnChoice.ts";

export const NO_FORKS: ForksSlice = { forks: [], forksMade: 0 };

/** Maximum number of forks; the oldest is dropped first. */
const MOST = 50;
/** Maximum episodes that they hold together; beyond it older forks keep only their first. */
export const MOST_EPISODES = 512;

export function addFork(store: ExperimentStore, { question, answer }: Omit<Fork, "number">): Fork {
  const number = store.getState().forksMade + 1;
  const kept = answer.kept.map((one) => ({ ...one, number }));
  const numbered = { number, question, answer: { ...answer, kept } };
  store.setState((state) => ({
    ...keep(state, bounded([...state.forks, numbered].slice(-MOST), state.choice.fork)),
    forksMade: number,
  }));
  return numbered;
}

/** With at most the allowed number of episodes, the newest first; the fork at the cursor stays whole. */
function bounded(forks: readonly Fork[], atCursor: Fork | null | undefined): Fork[] {
  let room = MOST_EPISODES;
  const newestFirst = forks.toReversed().map((fork) => {
    room -= fork.answer.kept.length;
    return room >= 0 || fork === atCursor ? fork : firstAlone(fork);
  });
  return newestFirst.reverse();
}

function firstAlone(fork: Fork): Fork {
  const { kept } = fork.answer;
  if (kept.length <= 1) return fork;
  const answer = { ...fork.answer, kept: kept.slice(0, 1) };
  return { ...fork, answer, released: kept.length - 1 };
}

export function dropFork(store: ExperimentStore, number: number): void {
  store.setState((state) =>
    keep(
      state,
      state.forks.filter((fork) => fork.number !== number),
    ),
  );
}

/** Results about a fork's episode are dropped with it. */
function keep({ forks, truths }: ExperimentState, kept: readonly Fork[]) {
  const there = new Set(kept.flatMap(truthKeysOf));
  const gone = new Set(forks.flatMap(truthKeysOf).filter((key) => !there.has(key)));
  const left = Object.entries(truths).filter(([key]) => !gone.has(key));
  return { forks: kept, ...(gone.size > 0 && { truths: Object.fromEntries(left) as Truths }) };
}

function truthKeysOf({ question, answer }: Fork): string[] {
  const { algorithm, iteration, episode } = question;
  return answer.kept.map((one) => truthKey(algorithm, iteration, episode.trajectory, forkKey(one)));
}

/** Whether the episodes around a fork's are still in memory. */
export function isHeld(log: RunLog, { question }: Fork): boolean {
  return log.hasEpisodes(question.algorithm, question.iteration);
}

/** The true values of an episode, recorded or of a stored fork; null if unknown. */
export function truthOfEpisode(
  truths: Truths,
  { algorithm, iteration }: { algorithm: string; iteration: number },
  episode: EpisodeRecord,
): EpisodeTruth | null {
  const { trajectory, turns } = episode;
  const fork = forkKey(episode);
  return truthAt(truths, { algorithm, iteration, trajectory, turns: turns.length, fork });
}

/** Identifies the fork and the episode within it; undefined for a recorded one. */
export function forkKey(episode: EpisodeRecord): string | undefined {
  if (!isFork(episode) || episode.number === undefined) return undefined;
  return `${episode.number}.${episode.branch}`;
}

/**
 * Moves the cursor to the turn where a fork branched off, with the fork's first episode in place of
 * the recorded one. Returns whether that was possible, as `isHeld` says in advance.
 */
export function showFork(store: ExperimentStore, fork: Fork): boolean {
  const { algorithm, iteration, episode, turn } = fork.question;
  const recorded = store.getState().view.log.episodes(algorithm, iteration);
  const place = recorded.findIndex(({ trajectory }) => trajectory === episode.trajectory);
  if (place < 0) return false;
  const choice = { algorithm, iteration, episode: place, turn, token: null, fork, branch: 0 };
  store.setState({ choice });
  return true;
}

/** From the fork at the cursor back to the recording, or to the newest fork of the episode there. */
export function switchFork({ view: { log }, choice, forks }: ExperimentState) {
  const at = resolveChoice(log, choice);
  const newest = forks.findLast((fork) => isOf(fork, at));
  if (at.fork === null && !newest) return {};
  const { iteration, episode, turn } = at;
  const fork = at.fork ? null : newest!;
  return { choice: { ...choice, iteration, episode, turn, fork, branch: 0 } };
}

/** Whether a fork branched from the episode at the cursor. */
function isOf({ question }: Fork, { algorithm, iteration, episodes, episode }: ResolvedChoice) {
  return (
    question.algorithm === algorithm &&
    question.iteration === iteration &&
    question.episode.trajectory === episodes[episode]?.trajectory
  );
}

/** A fork is left when the cursor goes elsewhere, and when the fork is dropped. */
export function leaveFork(store: ExperimentStore): void {
  const { choice, forks, view } = store.getState();
  if (!choice.fork) return;
  const isKept = forks.includes(choice.fork);
  if (!isKept || resolveChoice(view.log, choice).fork === null)
    store.setState({ choice: { ...choice, fork: null } });
}
