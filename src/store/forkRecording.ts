/**
 * A fork as a file: a recording of one's own with the run's settings and one iteration, an episode of the fork in the
 * place of the one that it left. Nothing was trained on it, so that there are no metrics, no optimiser steps and no chain.
 */
import type { EpisodeRecord, IterationEvent } from "../record/runEvent.ts";
import type { ForkedEpisode } from "../record/forkedEpisode.ts";
import type { Fork } from "./forkTypes.ts";
import type { RunLog } from "../reading/log/runLog.ts";

/** The recording's text, JSON lines, with that one of the fork's episodes; opened as any file of a run. */
export function forkRecording(log: RunLog, fork: Fork, branch = 0): string {
  const { algorithm, iteration } = fork.question;
  const event: IterationEvent = {
    type: "iteration",
    algorithm,
    iteration,
    warmup: false,
    metrics: {},
    chain: "",
    time: { at: new Date().toISOString() },
    episodes: groupOf(log, fork, branch),
  };
  const start = log.start ? [{ ...log.start, chain: "" }] : [];
  const lines = [{ command: madeWith(fork) }, ...start, event];
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** Said in the place of a command, since no command makes one. */
function madeWith({ number, question, answer }: Fork): string {
  const { algorithm, iteration, episode, turn } = question;
  return (
    `Counterfactual fork ${number}: episode ${episode.trajectory + 1} of ${algorithm}, iteration ${iteration}, ` +
    `otherwise from turn ${turn + 1} on. Played by the policy after ${answer.trained} iterations; ` +
    "this episode was not trained on."
  );
}

/** The recorded episodes with the fork's among them; where they are no longer held, that one alone. */
function groupOf(log: RunLog, { question, answer }: Fork, branch: number): EpisodeRecord[] {
  const recorded = log.episodes(question.algorithm, question.iteration);
  const kept = plain(answer.kept[branch]!);
  const isIn = recorded.some(({ trajectory }) => trajectory === kept.trajectory);
  if (!isIn) return [kept];
  return recorded.map((one) => (one.trajectory === kept.trajectory ? kept : one));
}

/** What says that it is a fork is the page's own, which a file may not claim. */
function plain(forked: ForkedEpisode): EpisodeRecord {
  const { origin, turn, boards, branch, number, ...episode } = forked;
  void [origin, turn, boards, branch, number];
  return episode;
}
