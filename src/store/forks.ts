/** What would have happened: episodes that left a recorded one at some turn. Kept beside the log, gone with the run. */
import type { EpisodeRecord } from "../record/runEvent.ts";
import { isFork, type ForkAnswer, type ForkQuestion } from "../runtime/questions.ts";
import type { ExperimentState, ExperimentStore } from "./experimentStore.ts";
import { resolveChoice, type ResolvedChoice } from "./turnChoice.ts";

export interface Fork {
  /** From 1, in the order in which they were made. */
  number: number;
  question: ForkQuestion;
  /** Its kept episode has the fork's number. */
  answer: ForkAnswer;
}

export interface ForksSlice {
  forks: readonly Fork[];
}

export const NO_FORKS: readonly Fork[] = [];

/** Forks that are kept; the oldest goes first. */
const MOST = 50;

export function addFork(store: ExperimentStore, { question, answer }: Omit<Fork, "number">): Fork {
  const { forks } = store.getState();
  const number = (forks.at(-1)?.number ?? 0) + 1;
  const numbered = { number, question, answer: { ...answer, kept: { ...answer.kept, number } } };
  store.setState({ forks: [...forks, numbered].slice(-MOST) });
  return numbered;
}

export function dropFork(store: ExperimentStore, number: number): void {
  store.setState(({ forks }) => ({ forks: forks.filter((fork) => fork.number !== number) }));
}

/** Of a kept fork's episode; undefined for a recorded one. */
export function forkNumber(episode: EpisodeRecord): number | undefined {
  return isFork(episode) ? episode.number : undefined;
}

/** The cursor at the turn where a fork left the record, with the fork's episode in the recorded one's place. */
export function showFork(store: ExperimentStore, fork: Fork): void {
  const { algorithm, iteration, episode, turn } = fork.question;
  store.setState(({ view: { log } }) => {
    const recorded = log.episodes(algorithm, iteration);
    const place = recorded.findIndex(({ trajectory }) => trajectory === episode.trajectory);
    if (place < 0) return {};
    return { choice: { algorithm, iteration, episode: place, turn, token: null, fork } };
  });
}

/** From the fork at the cursor back to what was recorded, or to the newest fork of the episode there. */
export function switchFork({ view: { log }, choice, forks }: ExperimentState) {
  const at = resolveChoice(log, choice);
  const newest = forks.findLast((fork) => isOf(fork, at));
  if (at.fork === null && !newest) return {};
  const { iteration, episode, turn } = at;
  return { choice: { ...choice, iteration, episode, turn, fork: at.fork ? null : newest! } };
}

/** Whether a fork left the episode at the cursor. */
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
