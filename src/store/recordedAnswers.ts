/**
 * Answers from a recorded run's models: a separate worker, started at the first question, asks the
 * checkpoint nearest to the policy that played. This needs no training.
 */
import type { Client, Connect } from "../runtime/client.ts";
import type { FromWorker, ToWorker } from "../runtime/protocol.ts";
import type { AnswerTo, Question } from "../runtime/questions.ts";
import { chosenFilesOf } from "./chosenModels.ts";
import { Questions, type Asking } from "./asking.ts";
import type { RecordedSource } from "../reading/log/columnar.ts";

/** The checkpoint nearest to a policy, by iterations of training; the earlier one if tied. */
function nearestTo(checkpoints: readonly number[], trained: number): number {
  const distance = (one: number) => Math.abs(one - trained);
  return checkpoints.reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

/** The checkpoint whose models answer for the cursor's iteration: its episodes were played by the policy before its updates. */
export function checkpointFor({ checkpoints }: RecordedSource, iteration: number): number {
  return nearestTo(checkpoints, Math.max(0, iteration - 1));
}

export class RecordedAnswers {
  readonly source: RecordedSource;
  #connect: Connect;
  #client: Client | null = null;
  #questions: Questions;
  /** Checkpoints that were sent to the worker, or are being sent. */
  #sent = new Map<number, Promise<void>>();
  /** The checkpoint for each question that has not been sent yet. */
  #unsent = new Map<number, number>();
  #next = 0;

  /** `source`: with usable settings. */
  constructor(source: RecordedSource, connect: Connect) {
    this.source = source;
    this.#connect = connect;
    this.#questions = new Questions((message) => this.#send(message));
  }

  /** `iteration`: the one whose policy is asked. */
  ask<Q extends Question>(
    question: Q,
    iteration: number,
    onProgress?: (done: number, total: number) => void,
  ): Asking<AnswerTo<Q>> {
    this.#next = checkpointFor(this.source, iteration);
    return this.#questions.ask(question, onProgress);
  }

  /** Ends the worker; pending questions are not answered. */
  drop(why?: string): void {
    this.#client?.close();
    this.#client = null;
    this.#sent.clear();
    this.#unsent.clear();
    this.#questions.dropAll(why);
  }

  #send(message: ToWorker): void {
    if (message.type === "ask") void this.#deliver(message, this.#next);
    else if (message.type === "withdraw" && this.#unsent.delete(message.id)) {
      const withdrawn = "The question was withdrawn.";
      this.#questions.hear({ type: "refused", id: message.id, message: withdrawn });
    } else this.#client?.send(message);
  }

  /** Sends the weights first. */
  async #deliver(message: Extract<ToWorker, { type: "ask" }>, trained: number): Promise<void> {
    const { id } = message;
    this.#unsent.set(id, trained);
    const client = this.#open();
    try {
      await this.#bring(client, trained);
    } catch (error) {
      const why = `The weights of the recorded run could not be read: ${(error as Error).message}.`;
      if (this.#unsent.delete(id)) this.#questions.hear({ type: "refused", id, message: why });
      return;
    }
    if (this.#client === client && this.#unsent.delete(id)) client.send({ ...message, trained });
  }

  #bring(client: Client, trained: number): Promise<void> {
    const known = this.#sent.get(trained);
    if (known) return known;
    const sent = trained === 0 ? Promise.resolve() : this.#fetch(client, trained);
    this.#sent.set(trained, sent);
    // A failed load is retried at the next question.
    sent.catch(() => this.#sent.delete(trained));
    return sent;
  }

  async #fetch(client: Client, trained: number): Promise<void> {
    const weights = await this.source.weights(trained);
    client.send({ type: "recall", trained, weights });
  }

  #open(): Client {
    if (this.#client) return this.#client;
    const client = this.#connect((message) => {
      if (this.#client === client) this.#hear(message);
    });
    this.#client = client;
    const { spec } = this.source;
    const files = chosenFilesOf(spec!);
    // Regardless of the engine that trained it: these models are small, and wasm starts at once and
    // gives the same numbers everywhere. A folder's model may be large.
    const engine = { name: "wasm", backend: "wasm" } as const;
    const asked = files ? spec! : { ...spec!, engine };
    client.send({ type: "attend", spec: asked, ...(files && { files }) });
    return client;
  }

  #hear(message: FromWorker): void {
    if (message.type === "error") this.drop(`${message.message} ${message.action}`);
    else if (message.type === "asked" || message.type === "answer" || message.type === "refused")
      this.#questions.hear(message);
  }
}
