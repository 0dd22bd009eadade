/** A fake of training: speaks the training worker's protocol, and makes numbers up quickly. */
import { encodeEvents } from "../../src/record/eventLines.ts";
import type { RunEvent, UnchainedEvent } from "../../src/record/runEvent.ts";
import type { MachineReport } from "../../src/runtime/machineReport.ts";
import type { FromWorker, RunState, ToWorker } from "../../src/runtime/protocol.ts";
import type { TruthAnswer, TruthQuestion } from "../../src/runtime/questions.ts";
import { examined, measured } from "../fixtures/machineReport.ts";
import { stepsEvents } from "../fixtures/stepsRun.ts";
import { syntheticEvents } from "../fixtures/syntheticEvents.ts";

type Send = (message: FromWorker) => void;

export class FakeTraining {
  readonly #send: Send;
  #events: Iterator<UnchainedEvent> | null = null;
  #state: RunState = "idle";
  #pace = 0;
  #steps = 0;
  #perIteration = 1;
  #sent = 0;
  #total = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: Send) {
    this.#send = send;
    this.#tick();
  }

  receive(data: ToWorker): void {
    if (data.type === "start") this.#start(data);
    else if (data.type === "pause") this.#setState("paused");
    else if (data.type === "resume") this.#setState("running");
    else if (data.type === "step") this.#steps += this.#perIteration;
    else if (data.type === "pace") this.#pace = data.milliseconds;
    else if (data.type === "ask") setTimeout(() => this.#send(answerTo(data)), 30);
    else if (data.type === "ping") this.#send({ type: "pong" });
    else if (["withdraw", "hello", "save", "kept", "forget"].includes(data.type)) return;
    else if (data.type === "examine") setTimeout(() => this.#tellMachine(examined()), 30);
    else if (data.type === "measure") this.#measureMachine(data.seconds);
    else {
      this.#events = null;
      this.#steps = 0;
      this.#setState("idle");
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#events = null;
  }

  #setState(next: RunState): void {
    this.#state = next;
    this.#send({ type: "state", state: next });
  }

  #chain(): string {
    return (this.#sent * 2654435761).toString(16).padStart(64, "a").slice(-64);
  }

  #start({ spec, paused }: Extract<ToWorker, { type: "start" }>): void {
    this.#setState("loading");
    const fallback = "This browser offers no WebGPU, so WebAssembly is used; it is slower.";
    const report = {
      engine: "fake",
      backend: "wasm",
      adapter: "synthetic",
      reproducible: "everywhere",
    };
    this.#send({ type: "engine", report: { ...report, fallback } });
    // This seed means a machine that cannot train.
    if (spec.seed === 666) {
      const message = "The graphics device was lost.";
      this.#send({
        type: "error",
        kind: "environment",
        message,
        action: "Choose another backend and run again.",
      });
      this.#setState("failed");
      return;
    }
    // This seed means a run that reports all that a real one does.
    if (spec.seed === 25) this.#events = stepsEvents((event) => event, spec).values();
    else this.#events = syntheticEvents(spec, spec.seed === 13 ? 3 : undefined);
    this.#perIteration = spec.algorithms.length;
    this.#total = spec.optimisation.iterations * this.#perIteration;
    this.#sent = 0;
    setTimeout(() => this.#setState(paused ? "paused" : "running"), 50);
  }

  #tick(): void {
    this.#timer = setTimeout(() => this.#tick(), Math.max(15, this.#pace / this.#perIteration));
    const goesOn = this.#state === "running" || (this.#state === "paused" && this.#steps > 0);
    if (this.#events && goesOn) this.#sayNext(this.#events);
  }

  #sayNext(events: Iterator<UnchainedEvent>): void {
    const next = events.next();
    if (next.done) {
      this.#events = null;
      this.#send({ type: "fingerprint", fingerprint: this.#chain() });
      this.#setState("finished");
      return;
    }
    this.#sent++;
    const event = { ...next.value, chain: this.#chain() } as RunEvent;
    if (event.type === "iteration" && this.#state === "paused") this.#steps--;
    this.#send({ type: "events", events: [event], lines: encodeEvents([event]) });
    if (event.type !== "iteration") return;
    const [done, total] = [event.iteration * this.#perIteration, this.#total];
    const phase = `${event.algorithm}, iteration ${event.iteration}: rollout`;
    this.#send({
      type: "progress",
      progress: { phase, done, total, secondsLeft: (total - done) / 10 },
    });
  }

  #tellMachine(report: MachineReport): void {
    this.#send({ type: "machine", report });
  }

  /** One time means a worker that fails; otherwise it measures until the page says `MEASURED`. */
  #measureMachine(seconds: number): void {
    if (seconds === 13) {
      const message = "The graphics device was lost.";
      this.#send({ type: "error", kind: "environment", message, action: "Reload the page." });
      return;
    }
    this.#tellMachine({ ...examined(), state: "measuring", doing: "Measuring nano on wasm" });
    const channel = new BroadcastChannel(MEASURED);
    channel.onmessage = () => {
      channel.close();
      this.#tellMachine(measured());
    };
  }
}

/** Name of the channel on which a test ends the made-up measuring. */
export const MEASURED = "turnbook-test-measured";

/** Made up are truths, and values on a board: they fall from its upper right to its lower left. */
function answerTo({ id, question }: Extract<ToWorker, { type: "ask" }>): FromWorker {
  if (question.kind === "truth") return { type: "answer", id, answer: truth(question) };
  if (question.kind !== "values")
    return { type: "refused", id, message: "The made-up worker does not know." };
  const rows = question.episode.turns[question.turn]!.observation.split("\n").filter((line) =>
    line.startsWith("#"),
  );
  const cols = rows[0]!.length;
  const squares = [...rows.join("")].flatMap((cell, i) => ("_OPS".includes(cell) ? [i] : []));
  const value = (square: number) => (square % cols) - Math.floor(square / cols) / 2;
  const values = { "turn-ppo": squares.map(value) };
  const player = [...rows.join("")].findIndex((cell) => "PS".includes(cell));
  const told = { kind: "values" as const, trained: question.turn + 1, rows: rows.length, cols };
  return { type: "answer", id, answer: { ...told, player, squares, values } };
}

/** Some of the intervals hold 0. */
function truth({ episode, branches, iteration }: TruthQuestion): TruthAnswer {
  const around = (mean: number) => ({ mean, low: mean - 0.3, high: mean + 0.3 });
  const wave = (h: number) => Math.sin(2.3 * h + 7.1 * episode.trajectory + 1.5);
  return {
    ...{ kind: "truth", trained: iteration - 1, branches, gamma: 0.99, steps: "turn" },
    value: episode.turns.map((_, h) => around(1 - h / 2)),
    advantage: episode.turns.map((_, h) => around(wave(h))),
    solved: episode.turns.map((_, h) => [0.5 - h / 20, 0.45 - h / 20]),
  };
}
