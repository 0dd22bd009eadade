/** What answers questions about the models of the run shown: the live run's worker, or one that opens a recording's checkpoints. */
import type { Connect } from "../runtime/client.ts";
import type { FromWorker, ToWorker } from "../runtime/protocol.ts";
import type { AnswerTo, Question } from "../runtime/questions.ts";
import { recordedSource } from "../reading/log/columnar.ts";
import { folderName } from "../spec/folder.ts";
import { answererOf } from "./answerer.ts";
import { Questions, Refused, type Asking } from "./asking.ts";
import { mayRun } from "./codeConsent.ts";
import { wantedFolder } from "./chosenModels.ts";
import type { ExperimentStore } from "./experimentState.ts";
import { RecordedAnswers } from "./recordedAnswers.ts";
import { sessionWords as words } from "./sessionWords.ts";
import { resolveChoice } from "./turnChoice.ts";

export class ModelAnswers {
  #store: ExperimentStore;
  #connect: Connect;
  #questions: Questions;
  /** Answers for the recorded run shown, once it has been asked. */
  #recorded: RecordedAnswers | null = null;

  /** @param send to the live run's worker. */
  constructor(store: ExperimentStore, connect: Connect, send: (message: ToWorker) => void) {
    this.#store = store;
    this.#connect = connect;
    this.#questions = new Questions(send);
  }

  ask<Q extends Question>(
    question: Q,
    onProgress?: (done: number, total: number) => void,
  ): Asking<AnswerTo<Q>> {
    const { view, choice } = this.#store.getState();
    const source =
      answererOf(this.#store.getState()) === "recorded" ? recordedSource(view.log) : null;
    if (!source) return this.#questions.ask(question, onProgress);
    if (!mayRun(source.spec?.definitions)) return refusing(words.codeWaits);
    const folder = wantedFolder(source.spec);
    if (folder) return refusing(words.folderWaits(folderName(folder), folder.hash));
    if (this.#recorded?.source !== source) {
      this.#recorded?.drop();
      this.#recorded = new RecordedAnswers(source, this.#connect);
    }
    const asked = "iteration" in question ? question.iteration : null;
    const iteration = asked ?? resolveChoice(view.log, choice).iteration;
    return this.#recorded.ask(question, iteration, onProgress);
  }

  hear(message: Extract<FromWorker, { type: "asked" | "answer" | "refused" }>): void {
    this.#questions.hear(message);
  }

  /** The live run's worker is gone: pending questions are rejected with `why`. */
  dropAll(why?: string): void {
    this.#questions.dropAll(why);
  }

  dropRecorded(): void {
    this.#recorded?.drop();
    this.#recorded = null;
  }
}

/** A question that is refused without being sent. */
function refusing(why: string): Asking<never> {
  return { answer: Promise.reject(new Refused(why)), withdraw: () => {} };
}
