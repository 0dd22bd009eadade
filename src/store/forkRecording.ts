/**
 * A fork as a file: a recording of our own with the run's settings and one iteration, in which an
 * episode of the fork replaces the one that it branched from. It was not trained on, so there are
 * no metrics, no optimiser steps and no hash chain.
 */
import type { EpisodeRecord, IterationEvent } from "../record/runEvent.ts";
import type { ForkedEpisode } from "../record/forkedEpisode.ts";
import type { Fork } from "./forkTypes.ts";
import type { RunLog } from "../reading/log/runLog.ts";

/** The recording's text, JSON lines, with that episode of the fork; it opens like any run file. */
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

/** Used as the file's command, since no command creates one. */
function madeWith({ number, question, answer }: Fork): string {
  const { algorithm, iteration, episode, turn } = question;
  return (
    `Counterfactual fork ${number}: episode ${episode.trajectory + 1} of ${algorithm}, iteration ${iteration}, ` +
    `otherwise from turn ${turn + 1} on. Played by the policy after ${answer.trained} iterations; ` +
    "this episode was not trained on."
  );
}

/** The recorded episodes including the fork's; if they are no longer in memory, that one alone. */
function groupOf(log: RunLog, { question, answer }: Fork, branch: number): EpisodeRecord[] {
  const recorded = log.episodes(question.algorithm, question.iteration);
  const kept = plain(answer.kept[branch]!);
  const isIn = recorded.some(({ trajectory }) => trajectory === kept.trajectory);
  if (!isIn) return [kept];
  return recorded.map((one) => (one.trajectory === kept.trajectory ? kept : one));
}

/** Only the page itself marks an episode as a fork; a file may not. */
function plain(forked: ForkedEpisode): EpisodeRecord {
  const { origin, turn, boards, branch, number, ...episode } = forked;
  void [origin, turn, boards, branch, number];
  return episode;
}
