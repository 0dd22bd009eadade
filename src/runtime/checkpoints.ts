/**
 * When a checkpoint is made: after every iteration, or less often so that saving takes under a
 * tenth of the time if iterations are short or the model is large. It is stored where it outlives
 * the page, and sent to the page, which continues from the newest if this worker is lost.
 */
import { parameterShapes } from "../engine/parameters.ts";
import type { SentCheckpoint } from "../record/sentCheckpoint.ts";
import type { Experiment } from "../train/experiment.ts";
import { networksOf } from "../train/learner.ts";
import type { AnyLearner } from "../train/preference/learner.ts";
import { LARGEST_CHECKPOINT } from "./limits.ts";
import type { FromWorker } from "./protocol.ts";

interface CheckpointHost {
  post(message: FromWorker, transfer?: Transferable[]): void;
  /** Milliseconds. */
  now(): number;
  /**
   * Stores it where it outlives the page. @returns whether that worked. Absent: nothing is stored.
   */
  keep?(checkpoint: SentCheckpoint): Promise<boolean>;
}

/** Saving may take at most 1/RARITY of the time. */
const RARITY = 10;
/** A weight and two moments, 4 bytes each. */
const BYTES = 12;

export class Checkpoints {
  #host: CheckpointHost;
  #cost = 0;
  #isFirst = true;
  #last = -Infinity;
  #asked = false;
  /** Events at the newest checkpoint. */
  #saved = -1;
  #tooLarge: boolean | null = null;

  constructor(host: CheckpointHost) {
    this.#host = host;
  }

  /** The page wants a checkpoint now; the next `serve` or `offer` sends it. */
  ask(): void {
    this.#asked = true;
  }

  /** Between two units of work: sends the checkpoint that was asked for. */
  async serve(experiment: Experiment): Promise<void> {
    if (this.isDue(experiment)) await this.#send(experiment);
  }

  /** Whether a checkpoint was asked for and can be sent now. */
  isDue(experiment: Experiment): boolean {
    return this.#asked && isWhole(experiment);
  }

  /** After a unit of work: makes a checkpoint if it is time. */
  async offer(experiment: Experiment): Promise<void> {
    if (!isWhole(experiment)) return;
    const due = this.#host.now() - this.#last >= RARITY * this.#cost;
    if (due || this.#asked || experiment.finished) await this.#send(experiment);
  }

  /** Before an idle period: saves the work since the newest checkpoint, however short it was. */
  async settle(experiment: Experiment): Promise<void> {
    if (isWhole(experiment) && experiment.position.events !== this.#saved)
      await this.#send(experiment);
  }

  async #send(experiment: Experiment): Promise<void> {
    this.#asked = false;
    const { iteration, events } = experiment.position;
    this.#saved = events;
    if (!this.#fits(experiment)) return;
    const begin = this.#host.now();
    const checkpoint = { bytes: await experiment.save(), iteration: iteration - 1, events };
    const inFile = (await this.#host.keep?.(checkpoint)) ?? false;
    this.#last = this.#host.now();
    // The first save is slow, as is everything on its first run, so it does not count.
    this.#cost = this.#isFirst ? 0 : this.#last - begin;
    this.#isFirst = false;
    const sent = { ...checkpoint, ...(inFile && { inFile }) };
    this.#host.post({ type: "checkpoint", checkpoint: sent }, [sent.bytes.buffer]);
  }

  /** Reports once if no checkpoint fits. */
  #fits({ learners }: Experiment): boolean {
    if (this.#tooLarge !== null) return !this.#tooLarge;
    const bytes = BYTES * learners.reduce((sum, learner) => sum + parametersOf(learner), 0);
    this.#tooLarge = bytes > LARGEST_CHECKPOINT;
    if (this.#tooLarge) this.#host.post({ type: "noCheckpoint", bytes, most: LARGEST_CHECKPOINT });
    return !this.#tooLarge;
  }
}

function isWhole({ position: { iteration, next } }: Experiment): boolean {
  return iteration > 0 && next === 0;
}

function parametersOf(learner: AnyLearner): number {
  const saved = networksOf(learner).filter(([, { sharesWeights }]) => !sharesWeights);
  const shapes = saved.flatMap(([, { config, valueHead }]) => [
    ...parameterShapes(config, valueHead).values(),
  ]);
  return shapes.reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);
}
