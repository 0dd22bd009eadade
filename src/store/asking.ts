/** Pending questions to a run's models: each has a promise for its answer. */
import type { FromWorker, ToWorker } from "../runtime/protocol.ts";
import type { Answer, AnswerTo, Question } from "../runtime/questions.ts";

export interface Asking<A> {
  /** Rejects with a `Refused`. */
  answer: Promise<A>;
  withdraw(): void;
}

/** Why there is no answer, in a sentence. */
export class Refused extends Error {
  override name = "Refused";
}

interface WaitingQuestion {
  resolve: (answer: Answer) => void;
  reject: (error: Refused) => void;
  onProgress: ((done: number, total: number) => void) | undefined;
}

type Reply = Extract<FromWorker, { type: "asked" | "answer" | "refused" }>;

const DROPPED = "The run was discarded before the answer arrived.";

export class Questions {
  #send: (message: ToWorker) => void;
  #waiting = new Map<number, WaitingQuestion>();
  #ids = 0;

  constructor(send: (message: ToWorker) => void) {
    this.#send = send;
  }

  ask<Q extends Question>(
    question: Q,
    onProgress?: WaitingQuestion["onProgress"],
  ): Asking<AnswerTo<Q>> {
    const id = ++this.#ids;
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
    });
    this.#send({ type: "ask", id, question });
    const withdraw = () => {
      if (this.#waiting.has(id)) this.#send({ type: "withdraw", id });
    };
    // A worker answers each question with the matching kind.
    return { answer: answer as Promise<AnswerTo<Q>>, withdraw };
  }

  hear(message: Reply): void {
    const one = this.#waiting.get(message.id);
    if (!one) return;
    if (message.type === "asked") return one.onProgress?.(message.done, message.total);
    this.#waiting.delete(message.id);
    if (message.type === "answer") one.resolve(message.answer);
    else one.reject(new Refused(message.message));
  }

  /** Nobody can answer any more. */
  dropAll(why = DROPPED): void {
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of left) reject(new Refused(why));
  }
}
