/** Questions about a run's models: accepted at any time, answered one by one between two steps of the run. */
import type { Experiment } from "../train/experiment.ts";
import { describeError } from "./errors.ts";
import type { Policies } from "./policies.ts";
import type { FromWorker } from "./protocol.ts";
import type { Answer, Question } from "./questions.ts";
import type { Recall } from "./recall.ts";
import type { Service } from "./services/asked.ts";
import { answerFork } from "./services/fork.ts";
import { answerPlay, answerPrompt } from "./services/play.ts";
import { answerTruth } from "./services/truth.ts";
import { answerValues } from "./services/values.ts";

interface DeskHost {
  post(message: FromWorker): void;
  /** Milliseconds. */
  now(): number;
  /** Lets waiting messages in; resolves after at least this many milliseconds. */
  rest(milliseconds: number): Promise<void>;
}

interface AskedQuestion {
  id: number;
  question: Question;
  /** For a recorded run: iterations after which its policy is asked. */
  trained: number | undefined;
  withdrawn: boolean;
}

/** Thrown through a service to stop it between two steps. */
class Withdrawn extends Error {}

/** Minimum time between two progress messages, in milliseconds. */
const PROGRESS_EVERY = 200;
/** Longest time that answering blocks incoming messages, in milliseconds. */
const LISTEN_EVERY = 50;

export const NOBODY = "There is no live model to ask: press Run, then Pause.";
const DROPPED = "The question was cancelled.";

export class AskDesk {
  #host: DeskHost;
  #waiting: AskedQuestion[] = [];
  #current: AskedQuestion | null = null;
  #lastRest = 0;
  #lastProgress = 0;

  constructor(host: DeskHost) {
    this.#host = host;
  }

  get idle(): boolean {
    return this.#waiting.length === 0;
  }

  /** `live`: whether a run exists or is being loaded. */
  take(id: number, question: Question, live: boolean, trained?: number): void {
    if (live) this.#waiting.push({ id, question, trained, withdrawn: false });
    else this.#refuse(id, NOBODY);
  }

  withdraw(id: number): void {
    if (this.#current?.id === id) this.#current.withdrawn = true;
    const at = this.#waiting.findIndex((ask) => ask.id === id);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    this.#refuse(id, DROPPED);
  }

  /** The run is dropped, for this reason: no more questions will be answered. */
  close(why = NOBODY): void {
    if (this.#current) this.#current.withdrawn = true;
    for (const { id } of this.#waiting.splice(0)) this.#refuse(id, why);
  }

  /**
   * Answers all waiting questions. Never throws: a question that asks too much does not fail the
   * run. `recall`: a recorded run's checkpoints.
   */
  async serve(experiment: Experiment, policies: Policies, recall?: Recall): Promise<void> {
    for (let ask = this.#waiting.shift(); ask; ask = this.#waiting.shift()) {
      this.#current = ask;
      try {
        if (recall && ask.trained !== undefined) await recall.stand(experiment, ask.trained);
        const answer = await answerOf(this.#service(experiment, policies, ask), ask.question);
        this.#host.post({ type: "answer", id: ask.id, answer });
      } catch (error) {
        const why = error instanceof Withdrawn ? DROPPED : describeError(error).message;
        this.#refuse(ask.id, why);
      } finally {
        this.#current = null;
      }
    }
  }

  #service(experiment: Experiment, policies: Policies, ask: AskedQuestion): Service {
    return {
      experiment,
      policies,
      progress: (done, total) => this.#reportProgress(ask.id, done, total),
      gate: async () => {
        if (this.#host.now() - this.#lastRest >= LISTEN_EVERY) {
          await this.#host.rest(0);
          this.#lastRest = this.#host.now();
        }
        if (ask.withdrawn) throw new Withdrawn();
      },
    };
  }

  #reportProgress(id: number, done: number, total: number): void {
    if (this.#host.now() - this.#lastProgress < PROGRESS_EVERY) return;
    this.#lastProgress = this.#host.now();
    this.#host.post({ type: "asked", id, done, total });
  }

  #refuse(id: number, message: string): void {
    this.#host.post({ type: "refused", id, message });
  }
}

async function answerOf(service: Service, question: Question): Promise<Answer> {
  switch (question.kind) {
    case "truth":
      return answerTruth(service, question);
    case "fork":
      return answerFork(service, question);
    case "play":
      return answerPlay(service, question);
    case "prompt":
      return answerPrompt(service, question);
    case "values":
      return answerValues(service, question);
  }
}
