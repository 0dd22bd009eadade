/**
 * Restores the policy of an iteration: a run keeps few checkpoints, but training on from one (or
 * from the start) gives the same numbers, and every event on the way is checked against the hash
 * chain of the run's log.
 */
import type { EpisodeRecord, RunEvent } from "../../record/runEvent.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { validateSpec } from "../../spec/experiment.ts";
import { InputError } from "../../numeric/inputError.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { Experiment } from "../experiment.ts";
import { type ExperimentHost } from "../host.ts";

/** The spec in a log's first event, with the engine that ran. @throws InputError if the log does not start with one. */
export function specOfLog([first]: readonly RunEvent[]) {
  if (first?.type !== "start")
    throw new InputError("the log does not begin with the event that holds its spec");
  return validateSpec(first.spec);
}

/**
 * The experiment before any update of an iteration (from 1). `saved` is a checkpoint between two
 * iterations, at or before it.
 * @throws InputError if a number differs from the log.
 */
export async function experimentBefore(
  iteration: number,
  log: readonly RunEvent[],
  host: ExperimentHost,
  saved?: Checkpoint,
): Promise<Experiment> {
  if (saved && log[saved.position.events - 1]?.chain !== saved.position.chain)
    throw new InputError("a checkpoint in the folder belongs to another run than its log");
  const experiment = await Experiment.open(saved?.spec ?? specOfLog(log), host, saved);
  try {
    while (experiment.position.iteration < iteration) {
      const { events: before } = experiment.position;
      (await experiment.advance()).forEach((event, i) => checkSame(event, log[before + i]));
    }
    return experiment;
  } catch (error) {
    experiment.dispose();
    throw error;
  }
}

function checkSame(event: RunEvent, logged: RunEvent | undefined): void {
  if (event.chain === logged?.chain) return;
  const what = [
    event.type,
    "algorithm" in event ? event.algorithm : "",
    "iteration" in event ? `iteration ${event.iteration}` : "",
  ];
  throw new InputError(
    `trained again, the run differs from its log at the event ${what.filter(Boolean).join(", ")}: its engine, processor family or version of Turnbook is another; train it again here with --keep-every`,
  );
}

/** @throws InputError unless the log recorded the first of these episodes. */
export function checkEpisodes(episodes: Episode[], recorded: EpisodeRecord[]): void {
  recorded.forEach(({ turns }, b) => {
    const logged = turns.map(({ tokens }) => tokens.map(({ id }) => id));
    const played = episodes[b]?.turns.map(({ responseIds }) => responseIds);
    if (JSON.stringify(played) === JSON.stringify(logged)) return;
    throw new InputError(
      `played again, episode ${b + 1} differs from the log: its engine, processor family or version of Turnbook is another`,
    );
  });
}
