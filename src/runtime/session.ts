/**
 * The worker's side of a run, without the worker: receives messages, drives an experiment, and
 * answers. Tests drive it directly.
 */
import type { Engine } from "../engine/engine.ts";
import { validateSpec } from "../spec/experiment.ts";
import { encodeEvents } from "../record/eventLines.ts";
import { decodeCheckpoint } from "../train/checkpoint.ts";
import { alarmText } from "../train/doctor/watch.ts";
import { Experiment } from "../train/experiment.ts";
import type { ExperimentHost } from "../train/host.ts";
import { checkMemory, memorySentence, type TrainedModel } from "../train/memoryNeeds.ts";
import { AskDesk } from "./askDesk.ts";
import { describeError, isCardGone } from "./errors.ts";
import { Keeping } from "./keeping.ts";
import { Policies } from "./policies.ts";
import { Recall } from "./recall.ts";
import type { RunState, StartMessage, ToWorker } from "./protocol.ts";
import {
  askedBackend,
  Cancelled,
  definitionsOf,
  isLarge,
  newRun,
  openerOf,
  whileLive,
  withEngine,
  type Run,
  type SessionHost,
} from "./run.ts";
import { Signs } from "./signs.ts";

/** Longest time that training blocks incoming messages, in milliseconds. */
const LISTEN_EVERY = 50;

export class TrainingSession {
  #host: SessionHost;
  #state: RunState = "idle";
  #pace = 0;
  /** The requested state; it takes effect once loading is over. */
  #paused = false;
  /** Iterations that every algorithm has completed. */
  #position = 0;
  /** Iterations of all algorithms to do before pausing; null runs on. */
  #stepUntil: number | null = null;
  #wake: (() => void) | null = null;
  #run: Run | null = null;
  #lastRest = 0;
  /** A run that is being ended: messages that arrive meanwhile are for the next run. */
  #ending: Promise<void> | null = null;
  #signs: Signs;
  #desk: AskDesk;
  #recall = new Recall();

  constructor(host: SessionHost) {
    this.#host = host;
    this.#desk = new AskDesk(host);
    this.#signs = new Signs(host);
  }

  /** Handles one message, after those before it; returns when it has taken effect, not when the run has ended. */
  async receive(message: ToWorker): Promise<void> {
    // Answered at once, even during other work.
    if (message.type === "ping") return this.#host.post({ type: "pong" });
    while (this.#ending) await this.#ending;
    await this.#take(message);
  }

  async #take(message: Exclude<ToWorker, { type: "ping" }>): Promise<void> {
    switch (message.type) {
      case "start":
        await this.#cancel();
        this.#begin(message.paused, (run) => this.#drive(message, run));
        break;
      case "attend":
        await this.#cancel();
        this.#recall = new Recall();
        this.#begin(true, (run) => this.#attendTo(message, run));
        break;
      case "recall":
        this.#recall.keep(message.trained, message.weights);
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
      case "save":
        this.#run?.checkpoints.ask();
        this.#wake?.();
        break;
      case "kept":
        this.#run?.keeping?.pageHas(message.events);
        break;
      case "forget":
        if (this.#run) this.#run.keeping = null;
        break;
      case "pace":
        this.#pace = message.milliseconds;
        break;
      case "ask":
        this.#desk.take(message.id, message.question, this.#run !== null, message.trained);
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
    // The current progress stays on screen for a while, so it must be up to date.
    this.#signs.sendNoted();
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

  /** `drive`: the whole run, from starting its engine on. */
  #begin(paused: boolean, drive: (run: Run) => Promise<void>): void {
    const run = newRun(this.#host);
    this.#run = run;
    this.#position = 0;
    this.#signs.restart();
    this.#paused = paused;
    this.#stepUntil = null;
    this.#set("loading");
    run.done = drive(run).catch((error: unknown) => {
      if (run.cancelled) return this.#desk.close();
      this.#run = null;
      const report = describeError(error, run.backend);
      this.#desk.close(`${report.message} ${report.action}`);
      // An engine that does not start once will not start the next time.
      const retry = run.opened && report.retry === true;
      const cardGone = isCardGone(error, run);
      this.#host.post({ type: "error", ...report, retry, ...(cardGone && { cardGone }) });
      this.#set("failed");
    });
  }

  #cancel(): Promise<void> {
    this.#ending = this.#end().finally(() => (this.#ending = null));
    return this.#ending;
  }

  async #end(): Promise<void> {
    if (!this.#run) return;
    this.#run.cancelled = true;
    this.#desk.close();
    this.#wake?.();
    await this.#run.done;
    this.#run = null;
  }

  async #drive(message: StartMessage, run: Run): Promise<void> {
    const spec = validateSpec(message.spec);
    const wanted = message.engine ? { ...spec, engine: message.engine } : spec;
    run.backend = askedBackend(wanted);
    const saved = message.saved && (await decodeCheckpoint(message.saved));
    run.keeping = this.#keepingOf(message, saved?.position.events ?? 0);
    // The first start on a device takes a moment.
    this.#signs.send("starting and checking the engine");
    const alone = isLarge(message.files);
    await withEngine(this.#host, wanted, run, alone, async (engine, report) => {
      const { memory } = this.#host;
      const isWasm = engine.info.engine === "wasm";
      const checkFits = (model?: TrainedModel) => {
        if (!memory) return;
        checkMemory(spec, memory, isWasm, model);
        const needs = memorySentence(spec, memory.threads, isWasm, model);
        if (needs) this.#signs.send(needs);
      };
      checkFits();
      this.#host.post({ type: "engine", report });
      const folder = this.#folderHost(message, run);
      const host = { ...this.#trainingHost(engine, run), ...folder, checkFolder: checkFits };
      const experiment = await Experiment.open(spec, host, saved);
      const live = { experiment, policies: new Policies(engine) };
      await whileLive(run, live, () => this.#train(run, live));
    });
  }

  #keepingOf({ keep }: StartMessage, events: number): Keeping | null {
    const slots = keep === undefined ? undefined : this.#host.openSlots?.(keep, events);
    return slots ? new Keeping(slots, events) : null;
  }

  #trainingHost(engine: Engine, run: Run): ExperimentHost {
    return {
      ...this.#askingHost(engine, run),
      clock: () => this.#host.now() / 1000,
      progress: (phase, done, total) => this.#signs.noteAndSend(phase, done, total),
    };
  }

  #folderHost({ files }: Pick<StartMessage, "files">, run: Run) {
    return openerOf(files, async (done, all) => {
      this.#signs.noteAndSend("checking the folder's files", done, all);
      await this.#gate(run);
    });
  }

  #askingHost(engine: Engine, run: Run): ExperimentHost {
    const { loadAsset } = this.#host;
    return { engine, gate: () => this.#gate(run), loadAsset, ...definitionsOf(this.#host) };
  }

  async #train(run: Run, { experiment, policies }: NonNullable<Run["live"]>): Promise<void> {
    this.#set(this.#paused ? "paused" : "running");
    this.#position = Math.max(0, experiment.position.iteration - 1);
    if (this.#stepUntil !== null) this.#stepUntil = this.#position + 1;
    await this.#advanceToEnd(run, experiment, policies);
    await this.#attend(run);
  }

  /** A recorded run's models: they answer questions and are never trained. */
  async #attendTo(message: Pick<StartMessage, "spec" | "files">, run: Run): Promise<void> {
    const spec = validateSpec(message.spec);
    run.backend = askedBackend(spec);
    await withEngine(this.#host, spec, run, isLarge(message.files), async (engine, report) => {
      this.#host.post({ type: "engine", report });
      const host = { ...this.#askingHost(engine, run), ...this.#folderHost(message, run) };
      const experiment = await Experiment.openToAsk(spec, host);
      const live = { experiment, policies: new Policies(engine), recall: this.#recall };
      await whileLive(run, live, async () => {
        this.#set("paused");
        await this.#attend(run);
      });
    });
  }

  async #advanceToEnd(run: Run, experiment: Experiment, policies: Policies): Promise<void> {
    while (!experiment.finished) {
      await this.#gate(run);
      const begin = this.#host.now();
      await this.#advance(run, experiment, policies);
      const { iteration, next } = experiment.position;
      this.#position = Math.max(0, iteration - 1);
      const units = experiment.learners.length;
      this.#signs.note(
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
      if (left <= 0) continue;
      await run.checkpoints.settle(experiment);
      await this.#host.rest(left);
    }
    this.#host.post({ type: "fingerprint", fingerprint: experiment.fingerprint });
    this.#set("finished");
  }

  /** One unit of work: its events, and a checkpoint if it is due. */
  async #advance(run: Run, experiment: Experiment, policies: Policies): Promise<void> {
    await policies.keep(experiment);
    run.between = false;
    const events = await experiment.advance();
    run.between = true;
    const lines = encodeEvents(events);
    run.keeping?.note(lines, events.length);
    this.#host.post({ type: "events", events, lines }, [lines.buffer]);
    await run.checkpoints.offer(experiment);
  }

  /** Pauses if the doctor stops the run; resuming counts as having read its finding. */
  #stopAt(experiment: Experiment): void {
    const alarm = experiment.alarm!;
    experiment.acknowledge();
    const beforeFall = alarm.beforeFall?.bytes ?? null;
    this.#host.post({ type: "alarm", ...alarmText(alarm), finding: alarm.finding, beforeFall });
    if (!experiment.finished) this.#pause();
  }

  /** Step boundary: handles messages, waits while paused, throws if cancelled. */
  async #gate(run: Run): Promise<void> {
    if (this.#host.now() - this.#lastRest >= LISTEN_EVERY) {
      await this.#host.rest(0);
      this.#lastRest = this.#host.now();
    }
    const begin = this.#host.now();
    this.#signs.beat();
    await this.#serve(run);
    while (this.#paused && this.#state !== "loading" && !run.cancelled) {
      if (run.live && run.between) await run.checkpoints.settle(run.live.experiment);
      // Resume or stop may have arrived during the save: nothing would wake a sleeper for it.
      if (this.#paused && !run.cancelled && !this.#isAsked(run)) await this.#sleep();
      await this.#serve(run);
    }
    this.#signs.skip(this.#host.now() - begin);
    if (run.cancelled) throw new Cancelled();
  }

  /** Answers the questions that arrived about the run. */
  async #serve({ live, checkpoints, between }: Run): Promise<void> {
    if (!live) return;
    if (between) await checkpoints.serve(live.experiment);
    await this.#desk.serve(live.experiment, live.policies, live.recall);
  }

  /** A question that arrived while the last one was served is waiting already: nothing would wake a sleeper for it. */
  #isAsked({ live, checkpoints, between }: Run): boolean {
    if (!this.#desk.idle) return true;
    return live !== null && between && checkpoints.isDue(live.experiment);
  }

  async #sleep(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = null;
  }

  /** After the end the models stay available for questions, until the run is dropped. */
  async #attend(run: Run): Promise<void> {
    while (!run.cancelled) {
      await this.#serve(run);
      if (!this.#isAsked(run) && !run.cancelled) await this.#sleep();
    }
    this.#desk.close();
  }
}
