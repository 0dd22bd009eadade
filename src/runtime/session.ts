/**
 * The worker's side of a run, without the worker: takes messages, drives an experiment, and answers. Tests
 * drive it directly.
 */
import type { Engine } from "../engine/engine.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { validateSpec } from "../spec/experiment.ts";
import { alarmText } from "../train/doctor/watch.ts";
import { Experiment } from "../train/experiment.ts";
import { AskDesk } from "./askDesk.ts";
import { describeError, type TriedBackend } from "./errors.ts";
import { Eta } from "./eta.ts";
import { Policies } from "./policies.ts";
import type { EngineReport, FromWorker, Progress, RunState, ToWorker } from "./protocol.ts";

export interface SessionHost {
  post(message: FromWorker): void;
  openEngine(spec: ExperimentSpec): Promise<{ engine: Engine; report: EngineReport }>;
  loadAsset(path: string): Promise<Uint8Array>;
  /** Milliseconds. */
  now(): number;
  /** Lets waiting messages in; resolves after at least this many milliseconds. */
  rest(milliseconds: number): Promise<void>;
}

interface Run {
  cancelled: boolean;
  done: Promise<void>;
  /** What it runs on, or is to run on. */
  backend: TriedBackend;
  /** Once loaded, until dropped. */
  live: { experiment: Experiment; policies: Policies } | null;
}

/** Thrown through an experiment to stop it where it stands. */
class Cancelled extends Error {}

/** Longest that training keeps the worker deaf to messages, in milliseconds. */
const DEAF = 50;
/** Least milliseconds between progress messages. */
const PROGRESS_EVERY = 250;

export class TrainingSession {
  #host: SessionHost;
  #state: RunState = "idle";
  #pace = 0;
  /** Wanted; the state follows once loading is over. */
  #paused = false;
  /** Iterations that every algorithm has done. */
  #position = 0;
  /** Iterations of all algorithms to do before pausing; null runs on. */
  #stepUntil: number | null = null;
  #wake: (() => void) | null = null;
  #run: Run | null = null;
  #lastRest = 0;
  #lastProgress = -Infinity;
  #eta = new Eta();
  /** The newest progress, told or not. */
  #noted: Progress | null = null;
  #desk: AskDesk;

  constructor(host: SessionHost) {
    this.#host = host;
    this.#desk = new AskDesk(host);
  }

  /** Handles one message; returns when the message has taken effect, not when the run is over. */
  async receive(message: ToWorker): Promise<void> {
    switch (message.type) {
      case "start":
        await this.#cancel();
        this.#start(message.spec, message.paused);
        break;
      case "pause":
        this.#pause();
        break;
      case "resume":
        this.#stepUntil = null;
        this.#resume();
        break;
      case "step":
        this.#stepUntil = this.#position + 1;
        this.#resume();
        break;
      case "stop":
        await this.#cancel();
        this.#set("idle");
        break;
      case "pace":
        this.#pace = message.milliseconds;
        break;
      case "ask":
        this.#desk.take(message.id, message.question, this.#run !== null);
        this.#wake?.();
        break;
      case "withdraw":
        this.#desk.withdraw(message.id);
    }
  }

  #pause(): void {
    this.#paused = true;
    if (this.#state !== "running") return;
    this.#set("paused");
    // What stands on screen now stands there for a while.
    this.#tellProgress();
  }

  #resume(): void {
    this.#paused = false;
    if (this.#state === "paused") this.#set("running");
    this.#wake?.();
  }

  #set(state: RunState): void {
    this.#state = state;
    this.#host.post({ type: "state", state });
  }

  #start(spec: ExperimentSpec, paused: boolean): void {
    const done = Promise.resolve();
    const run: Run = { cancelled: false, done, backend: "auto", live: null };
    this.#run = run;
    this.#position = 0;
    this.#eta = new Eta();
    this.#noted = null;
    this.#lastProgress = -Infinity;
    this.#paused = paused;
    this.#stepUntil = null;
    this.#set("loading");
    run.done = this.#drive(spec, run).catch((error: unknown) => {
      this.#desk.close();
      if (run.cancelled) return;
      this.#run = null;
      this.#host.post({ type: "error", ...describeError(error, run.backend) });
      this.#set("failed");
    });
  }

  async #cancel(): Promise<void> {
    // Again, if another message has started a run meanwhile.
    while (this.#run) {
      const run = this.#run;
      run.cancelled = true;
      this.#desk.close();
      this.#wake?.();
      await run.done;
      if (this.#run === run) this.#run = null;
    }
  }

  async #drive(wanted: unknown, run: Run): Promise<void> {
    const spec = validateSpec(wanted);
    run.backend = askedBackend(spec);
    // At the first start on a device this takes a moment.
    this.#tell("starting and checking the engine");
    const { engine, report } = await this.#host.openEngine(spec);
    run.backend = engine.info.backend;
    try {
      this.#host.post({ type: "engine", report });
      const gate = () => this.#gate(run);
      const experiment = await Experiment.open(spec, {
        engine,
        gate,
        loadAsset: this.#host.loadAsset,
        clock: () => this.#host.now() / 1000,
        progress: (phase, done, total) => this.#noteProgress(phase, done, total),
      });
      try {
        const policies = new Policies(engine);
        run.live = { experiment, policies };
        this.#set(this.#paused ? "paused" : "running");
        await this.#advanceToEnd(experiment, policies, gate);
        await this.#attend(run);
      } finally {
        run.live = null;
        experiment.dispose();
      }
    } finally {
      engine.dispose();
    }
  }

  async #advanceToEnd(
    experiment: Experiment,
    policies: Policies,
    gate: () => Promise<void>,
  ): Promise<void> {
    while (!experiment.finished) {
      await gate();
      const begin = this.#host.now();
      await policies.keep(experiment);
      const events = await experiment.advance();
      this.#host.post({ type: "events", events });
      const { iteration, next } = experiment.position;
      this.#position = Math.max(0, iteration - 1);
      const units = experiment.learners.length;
      this.#note(
        `iteration ${this.#position} done`,
        this.#position * units + next,
        units * experiment.spec.optimisation.iterations,
      );
      if (experiment.alarm) this.#stopAt(experiment);
      const stepped = this.#stepUntil !== null && this.#position >= this.#stepUntil;
      if (stepped && !experiment.finished) {
        this.#stepUntil = null;
        this.#pause();
      }
      const left = this.#pace / experiment.learners.length - (this.#host.now() - begin);
      if (left > 0) await this.#host.rest(left);
    }
    this.#host.post({ type: "fingerprint", fingerprint: experiment.fingerprint });
    this.#set("finished");
  }

  /** Pauses where the doctor stops the run; going on takes its word as read. */
  #stopAt(experiment: Experiment): void {
    const alarm = experiment.alarm!;
    experiment.acknowledge();
    const beforeFall = alarm.beforeFall?.bytes ?? null;
    this.#host.post({ type: "alarm", ...alarmText(alarm), finding: alarm.finding, beforeFall });
    if (!experiment.finished) this.#pause();
  }

  /** Step boundary: lets messages in, waits while paused, stops when cancelled. */
  async #gate(run: Run): Promise<void> {
    if (this.#host.now() - this.#lastRest >= DEAF) {
      await this.#host.rest(0);
      this.#lastRest = this.#host.now();
    }
    const begin = this.#host.now();
    await this.#serve(run);
    while (this.#paused && this.#state !== "loading" && !run.cancelled) {
      if (this.#desk.idle) await this.#sleep();
      await this.#serve(run);
    }
    this.#eta.skip(this.#host.now() - begin);
    if (run.cancelled) throw new Cancelled();
  }

  /** Answers what has been asked about the run meanwhile. */
  async #serve({ live }: Run): Promise<void> {
    if (live) await this.#desk.serve(live.experiment, live.policies);
  }

  async #sleep(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = null;
  }

  /** After the end the models stay for questions, until the run is dropped. */
  async #attend(run: Run): Promise<void> {
    while (!run.cancelled) {
      await this.#serve(run);
      // A question that came with the last answer is waiting already.
      if (this.#desk.idle && !run.cancelled) await this.#sleep();
    }
    this.#desk.close();
  }

  #note(phase: string, done: number, total: number): void {
    const secondsLeft = this.#eta.note(done, total, this.#host.now());
    this.#noted = { phase, done, total, secondsLeft };
  }

  #noteProgress(phase: string, done: number, total: number): void {
    this.#note(phase, done, total);
    if (this.#host.now() - this.#lastProgress >= PROGRESS_EVERY) this.#tellProgress();
  }

  /** A phase that is not counted in iterations. */
  #tell(phase: string): void {
    const progress = { phase, done: 0, total: 0, secondsLeft: null };
    this.#host.post({ type: "progress", progress });
  }

  #tellProgress(): void {
    if (!this.#noted) return;
    this.#lastProgress = this.#host.now();
    this.#host.post({ type: "progress", progress: this.#noted });
  }
}

/** Each engine of ours runs on the backend of its name. */
function askedBackend({ engine: { name, backend } }: ExperimentSpec): TriedBackend {
  return backend === "auto" && name !== "tfjs" ? name : backend;
}
