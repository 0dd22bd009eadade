/** Stands in for the training worker: speaks the same protocol, makes its numbers up, and quickly. */
import { encodeEvents } from "../../src/record/eventLines.ts";
import type { RunEvent, UnchainedEvent } from "../../src/record/runEvent.ts";
import type { MachineReport } from "../../src/runtime/machineReport.ts";
import type { FromWorker, RunState, ToWorker } from "../../src/runtime/protocol.ts";
import type { TruthAnswer, TruthQuestion } from "../../src/runtime/questions.ts";
import { examined, measured } from "../fixtures/machineReport.ts";
import { stepsEvents } from "../fixtures/stepsRun.ts";
import { syntheticEvents } from "../fixtures/syntheticEvents.ts";

const send = (message: FromWorker) => postMessage(message);

let events: Iterator<UnchainedEvent> | null = null;
let state: RunState = "idle";
let pace = 0;
let steps = 0;
let perIteration = 1;
let sent = 0;
let total = 0;

function setState(next: RunState): void {
  state = next;
  send({ type: "state", state });
}

function chain(): string {
  return (sent * 2654435761).toString(16).padStart(64, "a").slice(-64);
}

function start({ spec, paused }: Extract<ToWorker, { type: "start" }>): void {
  setState("loading");
  const fallback = "This browser offers no WebGPU, so WebAssembly is used; it is slower.";
  const report = {
    engine: "fake",
    backend: "wasm",
    adapter: "synthetic",
    reproducible: "everywhere",
  };
  send({ type: "engine", report: { ...report, fallback } });
  // A seed that stands for a machine that cannot train.
  if (spec.seed === 666) {
    const message = "The graphics device was lost.";
    send({
      type: "error",
      kind: "environment",
      message,
      action: "Choose another backend and run again.",
    });
    setState("failed");
    return;
  }
  // A seed that stands for a run that says all that a real one does.
  if (spec.seed === 25) events = stepsEvents((event) => event, spec).values();
  else events = syntheticEvents(spec, spec.seed === 13 ? 3 : undefined);
  perIteration = spec.algorithms.length;
  total = spec.optimisation.iterations * perIteration;
  sent = 0;
  setTimeout(() => setState(paused ? "paused" : "running"), 50);
}

function tick(): void {
  setTimeout(tick, Math.max(15, pace / perIteration));
  if (!events || (state !== "running" && !(state === "paused" && steps > 0))) return;
  const next = events.next();
  if (next.done) {
    events = null;
    send({ type: "fingerprint", fingerprint: chain() });
    setState("finished");
    return;
  }
  sent++;
  const event = { ...next.value, chain: chain() } as RunEvent;
  if (event.type === "iteration" && state === "paused") steps--;
  send({ type: "events", events: [event], lines: encodeEvents([event]) });
  if (event.type !== "iteration") return;
  const done = event.iteration * perIteration;
  const phase = `${event.algorithm}, iteration ${event.iteration}: rollout`;
  send({ type: "progress", progress: { phase, done, total, secondsLeft: (total - done) / 10 } });
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "start") start(data);
  else if (data.type === "pause") setState("paused");
  else if (data.type === "resume") setState("running");
  else if (data.type === "step") steps += perIteration;
  else if (data.type === "pace") pace = data.milliseconds;
  else if (data.type === "ask") setTimeout(() => answer(data), 30);
  else if (data.type === "ping") send({ type: "pong" });
  else if (["withdraw", "hello", "save"].includes(data.type)) return;
  else if (data.type === "examine") setTimeout(() => tellMachine(examined()), 30);
  else if (data.type === "measure") measureMachine(data.seconds);
  else {
    events = null;
    steps = 0;
    setState("idle");
  }
});

/** Made up are truths, and values on a board: they fall from its upper right to its lower left. */
function answer({ id, question }: Extract<ToWorker, { type: "ask" }>): void {
  if (question.kind === "truth") {
    send({ type: "answer", id, answer: truth(question) });
    return;
  }
  if (question.kind !== "values") {
    send({ type: "refused", id, message: "The made-up worker does not know." });
    return;
  }
  const rows = question.episode.turns[question.turn]!.observation.split("\n").filter((line) =>
    line.startsWith("#"),
  );
  const cols = rows[0]!.length;
  const squares = [...rows.join("")].flatMap((cell, i) => ("_OPS".includes(cell) ? [i] : []));
  const value = (square: number) => (square % cols) - Math.floor(square / cols) / 2;
  const values = { "turn-ppo": squares.map(value) };
  const player = [...rows.join("")].findIndex((cell) => "PS".includes(cell));
  const told = { kind: "values" as const, trained: question.turn + 1, rows: rows.length, cols };
  send({ type: "answer", id, answer: { ...told, player, squares, values } });
}

/** Some of the intervals hold 0. */
function truth({ episode, branches, iteration }: TruthQuestion): TruthAnswer {
  const around = (mean: number) => ({ mean, low: mean - 0.3, high: mean + 0.3 });
  const wave = (h: number) => Math.sin(2.3 * h + 7.1 * episode.trajectory + 1.5);
  return {
    ...{ kind: "truth", trained: iteration - 1, branches, gamma: 0.99, steps: "turn" },
    value: episode.turns.map((_, h) => around(1 - h / 2)),
    advantage: episode.turns.map((_, h) => around(wave(h))),
  };
}

const tellMachine = (report: MachineReport) => send({ type: "machine", report });

/** A time that stands for a worker that fails. */
function measureMachine(seconds: number): void {
  if (seconds === 13) {
    const message = "The graphics device was lost.";
    send({ type: "error", kind: "environment", message, action: "Reload the page." });
    return;
  }
  tellMachine({ ...examined(), state: "measuring", doing: "Measuring nano on wasm" });
  setTimeout(() => tellMachine(measured()), 200);
}

tick();
