/**
 * Watches a run in progress: the doctor's findings, and the checkpoints held in case of a collapse.
 */
import type { Finding, RunEvent } from "../../record/runEvent.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { Doctor, type DoctorState } from "./doctor.ts";

/** A checkpoint after this many whole iterations. */
interface WatchedCheckpoint {
  iteration: number;
  bytes: Uint8Array;
}

/** A finding that should stop the run, and the newest checkpoint held from before its first bad iteration. */
export interface Alarm {
  finding: Finding;
  /** null if none was held from before. */
  beforeFall: WatchedCheckpoint | null;
}

/**
 * Number of checkpoints held. Detectors need up to five measurements, so at the default interval of
 * five iterations this covers the time before the first of them. Each holds weights and moments, 12
 * bytes per parameter and network.
 */
const HELD = 4;

export class Watch {
  #doctor: Doctor;
  #pause: boolean;
  #keepEvery: number;
  #kept: WatchedCheckpoint[] = [];
  #alarm: Alarm | null = null;

  constructor({ pause, keepEvery }: ExperimentSpec["doctor"], state?: DoctorState) {
    this.#doctor = new Doctor(state);
    this.#pause = pause;
    this.#keepEvery = pause ? keepEvery : 0;
  }

  get state(): DoctorState {
    return this.#doctor.state;
  }

  get alarm(): Alarm | null {
    return this.#alarm;
  }

  /** The run continues despite the alarm. */
  acknowledge(): void {
    this.#alarm = null;
  }

  /** The findings of these events; the first one raises the alarm if the run may be stopped. */
  observe(events: readonly RunEvent[]): Finding[] {
    const findings = events.flatMap((event) => this.#doctor.observe(event));
    const [first] = findings;
    if (first && this.#pause && !this.#alarm)
      this.#alarm = { finding: first, beforeFall: this.#before(first.firstBad) };
    return findings;
  }

  /** Whether a checkpoint is wanted after this many whole iterations. */
  keepDue(iteration: number): boolean {
    return this.#keepEvery > 0 && !this.#alarm && iteration % this.#keepEvery === 0;
  }

  keep(kept: WatchedCheckpoint): void {
    this.#kept = [...this.#kept, kept].slice(-HELD);
  }

  #before(firstBad: number): WatchedCheckpoint | null {
    return this.#kept.findLast(({ iteration }) => iteration < firstBad) ?? null;
  }
}

/** The alarm in two sentences: what was found, and what to do. */
export function alarmText({ finding, beforeFall }: Alarm): { message: string; action: string } {
  const { title, algorithm, iteration, firstBad, says, remedies } = finding;
  const held = beforeFall
    ? ` The checkpoint after iteration ${beforeFall.iteration} is kept.`
    : " No checkpoint from before was held.";
  return {
    message: `${title} in ${algorithm}, seen at iteration ${iteration}, since iteration ${firstBad}. ${says}`,
    action: `${remedies[0]!}${held}`,
  };
}
