/**
 * An experiment from its spec to its last event: warm start, then one iteration of each algorithm
 * in turn, and evaluation when due. The caller advances it one unit at a time, so that it can
 * pause, stop and save between units.
 */
import { version as VERSION } from "../../package.json";
import { NotFiniteError } from "../engine/errors.ts";
import type { Engine } from "../engine/engine.ts";
import { trainedConfig, withFirstAdapters } from "../model/initModel.ts";
import { append } from "../numeric/lists.ts";
import type { DefinedCodes } from "../record/definitions.ts";
import type { EventDraft, Metrics, RunEvent } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { specAt } from "../spec/schedule.ts";
import { Chain } from "./chain.ts";
import { computedBy, sameNumbers, type Computed } from "./computed.ts";
import { encodeCheckpoint, restoreLearners, type Checkpoint } from "./checkpoint.ts";
import { Watch, type Alarm } from "./doctor/watch.ts";
import { evaluate, testTasks } from "./evaluate.ts";
import { isWarmup } from "./iterate.ts";
import { type IterationContext } from "./context.ts";
import { disposeLearner } from "./learner.ts";
import { createLearners, iterateLearner } from "./learners.ts";
import { learnsFromPairs, type AnyLearner } from "./preference/learner.ts";
import { prepareModel, prepareToAsk, type Prepared } from "./warmStart.ts";
import type { TaskFamily } from "./world.ts";
import type { ExperimentHost, Position } from "./host.ts";

const BEGINNING: Position = { iteration: 0, next: 0, events: 0, chain: "", crashed: [] };

export class Experiment {
  readonly spec: ExperimentSpec;
  /** The algorithms in the spec's order, then the methods on preference pairs in theirs, then Iterative PPO. */
  readonly learners: AnyLearner[];
  #host: ExperimentHost;
  #family: TaskFamily;
  #prepared: Prepared;
  #chain: Chain;
  #iteration: number;
  #next: number;
  #events: number;
  #watch: Watch | null;
  /** The engine before this one, until the log records the change; null if unchanged. */
  #before: Computed | null;

  private constructor(
    spec: ExperimentSpec,
    host: ExperimentHost,
    prepared: Prepared,
    learners: AnyLearner[],
    at: Position,
  ) {
    this.spec = spec;
    this.learners = learners;
    this.#host = host;
    this.#family = prepared.family;
    this.#prepared = prepared;
    this.#chain = new Chain(at.chain, host.now);
    this.#iteration = at.iteration;
    this.#next = at.next;
    this.#events = at.events;
    this.#before = at.engine && !sameNumbers(at.engine, host.engine.info) ? at.engine : null;
    this.#watch = spec.doctor.on ? new Watch(spec.doctor, at.doctor) : null;
    for (const learner of learners) {
      learner.crashed = at.crashed.includes(learner.algorithm.name);
      if (hasKlCoef(learner))
        learner.klCoef = at.klCoef?.[learner.algorithm.name] ?? learner.klCoef;
    }
  }

  /**
   * Loads what the spec names; ready for the first event, or for the next one after the checkpoint.
   * @throws InputError if a checkpoint folder or the environment does not fit the spec.
   */
  static async open(
    spec: ExperimentSpec,
    host: ExperimentHost,
    saved?: Checkpoint,
  ): Promise<Experiment> {
    const prepared = await prepareModel(spec, host, saved !== undefined);
    const learners = await learnersOf(spec, host, prepared);
    if (saved) await restoreLearners(learners, saved);
    return new Experiment(spec, host, prepared, learners, saved?.position ?? BEGINNING);
  }

  /**
   * Opens a run's models and tasks for questions only: no level is held out, and nothing can be
   * trained.
   * @throws InputError as `open` does.
   */
  static async openToAsk(spec: ExperimentSpec, host: ExperimentHost): Promise<Experiment> {
    const prepared = await prepareToAsk(spec, host);
    const learners = await learnersOf(spec, host, prepared);
    return new Experiment(spec, host, prepared, learners, BEGINNING);
  }

  /** Sets the position after this many iterations, as questions see it; the caller loads the learners' networks. */
  standAfter(iterations: number): void {
    this.#iteration = iterations + 1;
    this.#next = 0;
  }

  /** Everything needed to continue from here. */
  save(): Promise<Uint8Array> {
    return encodeCheckpoint(this.spec, this.position, this.learners);
  }

  /** The tasks of the spec, without its held-out ones. */
  get family(): TaskFamily {
    return this.#family;
  }

  /** The spec's definitions; null if it has none. */
  get definitions(): DefinedCodes | null {
    return this.#prepared.definitions;
  }

  get position(): Position {
    return {
      iteration: this.#iteration,
      next: this.#next,
      events: this.#events,
      chain: this.#chain.last,
      crashed: this.learners
        .filter(({ crashed }) => crashed)
        .map(({ algorithm }) => algorithm.name),
      ...adaptiveKl(this.learners),
      ...(this.#watch && { doctor: this.#watch.state }),
      engine: this.#before ?? computedBy(this.#host.engine.info),
    };
  }

  /** A collapse at which the run should stop, until acknowledged; null without one. */
  get alarm(): Alarm | null {
    return this.#watch?.alarm ?? null;
  }

  /** The run continues despite its alarm. */
  acknowledge(): void {
    this.#watch?.acknowledge();
  }

  /** The last hash: the run's fingerprint once it is finished. */
  get fingerprint(): string {
    return this.#chain.last;
  }

  get finished(): boolean {
    return this.#iteration > this.spec.optimisation.iterations;
  }

  /** Does the next unit of work and returns its events; an empty list once finished. */
  async advance(): Promise<RunEvent[]> {
    if (this.finished) return [];
    const beginning = this.#iteration === 0;
    const events = beginning
      ? await this.#begin()
      : [...this.#changeOfEngine(), ...(await this.#unit(this.learners[this.#next]!))];
    const findings = this.#watch?.observe(events) ?? [];
    append(
      events,
      findings.map((finding) => this.#seal({ type: "finding", ...finding })),
    );
    if (!beginning) this.#next += 1;
    if (this.#next < this.learners.length && !beginning) return events;
    this.#next = 0;
    this.#iteration += 1;
    if (this.finished)
      events.push(this.#seal({ type: "end", iterations: this.spec.optimisation.iterations }));
    else await this.#holdCheckpoint();
    return events;
  }

  /** Between iterations, if the doctor wants a checkpoint held. */
  async #holdCheckpoint(): Promise<void> {
    const iteration = this.#iteration - 1;
    if (this.#watch?.keepDue(iteration)) this.#watch.keep({ iteration, bytes: await this.save() });
  }

  dispose(): void {
    this.learners.forEach(disposeLearner);
  }

  /** Recorded once, before the first numbers of another engine. */
  #changeOfEngine(): RunEvent[] {
    if (!this.#before) return [];
    this.#before = null;
    const { workers: _workers, ...engine } = this.#host.engine.info;
    return [this.#seal({ type: "engine", engine })];
  }

  /** Start event, warm start, and the scores of the shared first policy for every algorithm. */
  async #begin(): Promise<RunEvent[]> {
    const { engine } = this.#host;
    const { parameters, warmStart } = this.#prepared;
    // The number of threads does not change results, so it is left out of the fingerprint.
    const { workers: _workers, ...info } = engine.info;
    const events = [
      this.#seal({
        type: "start",
        format: 1,
        version: VERSION,
        // With the engine that actually runs: "auto" that resolves to wasm is the same experiment
        // as wasm.
        spec: { ...this.spec, engine: { name: info.engine, backend: info.backend } },
        engine: info,
        parameters,
      }),
      this.#seal({ type: "warmStart", ...warmStart }),
    ];
    if (this.spec.evaluation.levels > 0) {
      for (const [name, metrics] of await this.#firstScores())
        events.push(this.#sealEval(name, 0, metrics));
    }
    return events;
  }

  /** Scores of the shared first policy, once for all methods that sample alike: top-k and top-p may differ by method. */
  async #firstScores(): Promise<[name: string, Metrics][]> {
    const known = new Map<string, Metrics>();
    const scores: [string, Metrics][] = [];
    for (const learner of this.learners) {
      const context = this.#context("first evaluation", learner);
      const { topK, topP } = context.spec.sampling;
      const how = `${topK} ${topP}`;
      const metrics = known.get(how) ?? (await evaluate(context, learner.actor, 0));
      known.set(how, metrics);
      scores.push([learner.algorithm.name, metrics]);
    }
    return scores;
  }

  /**
   * One iteration of one learner; a learner whose numbers are no longer finite is skipped from then
   * on.
   */
  async #unit(learner: AnyLearner): Promise<RunEvent[]> {
    if (learner.crashed) return [];
    const events: RunEvent[] = [];
    try {
      await this.#iterate(learner, events);
    } catch (error) {
      if (!(error instanceof NotFiniteError)) throw error;
      events.push(this.#crash(learner, error.message));
    }
    return events;
  }

  /** Appends to `events` as it goes: if the evaluation fails, the iteration's events are still recorded. */
  async #iterate(learner: AnyLearner, events: RunEvent[]): Promise<void> {
    const { name, title } = learner.algorithm;
    const iteration = this.#iteration;
    const context = this.#context(`${title}, iteration ${iteration}`, learner);
    const { engine } = this.#host;
    const dispatched = engine.dispatches?.();
    const result = await iterateLearner(context, learner, iteration);
    const { metrics, episodes, time } = result;
    const warmup = !learnsFromPairs(learner) && isWarmup(context.spec, learner, iteration);
    const event = {
      type: "iteration" as const,
      algorithm: name,
      iteration,
      warmup,
      metrics,
      episodes,
      ...(result.updates && { updates: result.updates }),
      time: {
        ...time,
        bytes: heldBytes(engine),
        ...(dispatched !== undefined && { dispatches: engine.dispatches!() - dispatched }),
      },
    };
    events.push(this.#seal(event));
    if (!this.#evaluationDue(iteration)) return;
    const scores = await evaluate(context, learner.actor, iteration);
    events.push(this.#sealEval(name, iteration, scores));
  }

  #evaluationDue(iteration: number): boolean {
    const { levels, every } = this.spec.evaluation;
    return (
      levels > 0 && (iteration % every === 0 || iteration === this.spec.optimisation.iterations)
    );
  }

  #crash(learner: AnyLearner, cause: string): RunEvent {
    learner.crashed = true;
    return this.#seal({
      type: "crash",
      algorithm: learner.algorithm.name,
      iteration: this.#iteration,
      cause: `${cause[0]!.toUpperCase()}${cause.slice(1)}.`,
      action: "Try a lower learning rate, a smaller clip range or dual clip, then run again.",
    });
  }

  #sealEval(
    algorithm: string,
    iteration: number,
    metrics: Awaited<ReturnType<typeof evaluate>>,
  ): RunEvent {
    return this.#seal({
      type: "eval",
      algorithm,
      iteration,
      // A family with few boards may have fewer than requested.
      levels: testTasks(this.spec, this.#family).length,
      metrics,
    });
  }

  #seal(draft: EventDraft): RunEvent {
    this.#events += 1;
    return this.#chain.seal(draft);
  }

  #context(what: string, { algorithm }: AnyLearner): IterationContext {
    const { gate, progress, clock = () => performance.now() / 1000 } = this.#host;
    const total = this.spec.optimisation.iterations * this.learners.length;
    const done = Math.max(0, this.#iteration - 1) * this.learners.length + this.#next;
    return {
      spec: specAt(this.spec, algorithm.name, this.#iteration),
      family: this.#family,
      definitions: this.#prepared.definitions,
      clock,
      learners: this.learners.flatMap((one) => (learnsFromPairs(one) ? [] : [one])),
      phase: (phase) => progress?.(`${what}: ${phase}`, done, total),
      ...(gate && { gate }),
    };
  }
}

function learnersOf(
  spec: ExperimentSpec,
  { engine }: ExperimentHost,
  { config, weights, base, definitions }: Prepared,
): Promise<AnyLearner[]> {
  const own = trainedConfig(config, spec, base?.halves);
  const first = { weights: withFirstAdapters(weights, own, spec.seed), base };
  return createLearners(engine, spec, own, first, definitions);
}

function hasKlCoef(learner: AnyLearner): learner is Extract<AnyLearner, { klCoef: number }> {
  return "klCoef" in learner;
}

/** The adaptive weights of KL in the reward; empty if there are none. */
function adaptiveKl(learners: readonly AnyLearner[]): Pick<Position, "klCoef"> {
  const adaptive = learners
    .filter(hasKlCoef)
    .filter(({ algorithm }) => "klTarget" in algorithm && algorithm.klTarget !== null);
  if (adaptive.length === 0) return {};
  const entries = adaptive.map(({ algorithm, klCoef }) => [algorithm.name, klCoef] as const);
  return { klCoef: Object.fromEntries(entries) };
}

/** Bytes that the engine holds, including free ones. */
function heldBytes(engine: Engine): number {
  const { bytes, poolBytes } = engine.memory();
  return Math.max(bytes, poolBytes);
}
