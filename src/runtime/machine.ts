/**
 * The worker's side of the "This machine" page: starts every engine, checks its numbers, measures
 * its speed, and reports progress after each step.
 */
import { adapterWords, isSoftware } from "../engine/adapterWords.ts";
import type { Engine } from "../engine/engine.ts";
import { refusalOf } from "../engine/selfCheck.ts";
import { learnerNames } from "../spec/preference.ts";
import { toSpec, classPresetNames, presetSpec } from "../spec/presets.ts";
import type { ModelPresetName } from "../spec/models.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { taskFamilyOf } from "../train/warmStart.ts";
import { benchmark } from "./benchmark.ts";
import { causeOf, ENGINES, openEngine, type Candidate, type Open } from "./engineChoice.ts";
import {
  engineTitle,
  iterationSeconds,
  trainRate,
  type EngineFacts,
  type ExpectedTime,
  type GpuFacts,
  type HostFacts,
  type MachineReport,
  type Timing,
} from "./machineReport.ts";
import { isReferee, type Trusted } from "./trust.ts";

export interface MachineHost {
  post(report: MachineReport): void;
  open: Open;
  trusted: Trusted;
  hostFacts(): HostFacts;
  gpuFacts(): Promise<GpuFacts>;
  /** Milliseconds. */
  now(): number;
  rest(): Promise<void>;
}

const SOFTWARE = "its adapter is software: compiling takes longer than measuring";
const REFEREE = "it is the reference for correctness, not for speed";

/** Without `talker`: it takes longer than a reader waits. */
const MODELS: ModelPresetName[] = ["nano", "micro", "talker-nano"];
/** Biases and norms are a negligible share. */
const measuredAs = (model: ModelPresetName) => (model === "nano-qwen2" ? "nano" : model);

export class Machine {
  readonly #host: MachineHost;
  readonly #engines = new Map<EngineFacts, Engine>();
  #report: MachineReport;

  constructor(host: MachineHost) {
    this.#host = host;
    this.#report = {
      state: "examining",
      doing: null,
      host: host.hostFacts(),
      gpu: null,
      choice: null,
      engines: ENGINES.map(unknown),
      timings: [],
      unmeasured: [],
      expectations: [],
    };
  }

  /** Starts and checks every engine; `again` repeats checks that are remembered. */
  async examine(again: boolean): Promise<void> {
    this.#update({ state: "examining", gpu: await this.#host.gpuFacts() });
    // Engines without graphics first: compiling for a software adapter takes long.
    const order = [...this.#report.engines].sort((a, b) => gpuLast(a) - gpuLast(b));
    for (const facts of order) {
      this.#note(facts, { state: "checking" }, `Checking ${engineTitle(facts)}`);
      this.#note(facts, await this.#examineOne(facts, again));
    }
    this.#update({ state: "examined", doing: null, choice: await this.#choose() });
  }

  async #examineOne(facts: EngineFacts, again: boolean): Promise<Partial<EngineFacts>> {
    try {
      const engine = this.#engines.get(facts) ?? (await this.#host.open(facts.backend, facts.name));
      this.#engines.set(facts, engine);
      const adapter = adapterWords(engine.info);
      return { adapter, ...(await this.#check(engine, again)) };
    } catch (error) {
      // The check may have broken it: the next examination starts it again.
      this.#engines.get(facts)?.dispose();
      this.#engines.delete(facts);
      return { state: "absent", why: causeOf(error), check: null, checkedAt: null };
    }
  }

  async #check(engine: Engine, again: boolean): Promise<Partial<EngineFacts>> {
    if (isReferee(engine.info)) return { state: "referee" };
    const { trusted } = this.#host;
    const kept = again ? undefined : await trusted.kept(engine.info);
    const check = kept?.check ?? (await trusted.check(engine));
    if (typeof check === "string") return { state: "unchecked", why: check };
    const refusal = refusalOf(check);
    const why = refusal && causeOf(refusal);
    return { state: refusal ? "refused" : "ready", why, check, checkedAt: kept?.at ?? null };
  }

  /** What "automatic" picks: the real selection code runs with the engines already open. */
  async #choose(): Promise<MachineReport["choice"]> {
    const open: Open = async (backend, name) => {
      const facts = this.#report.engines.find((f) => f.backend === backend && f.name === name)!;
      const engine = this.#engines.get(facts);
      if (!engine) throw new Error(facts.why ?? "it did not start");
      return { ...engine, dispose: () => undefined };
    };
    const auto = toSpec({ engine: { name: "auto", backend: "auto" } });
    const chosen = await openEngine(auto, this.#host.trusted.trust, open).catch(() => null);
    if (!chosen) return null;
    const { info } = chosen.engine;
    return { name: info.engine, backend: info.backend, fallback: chosen.report.fallback };
  }

  /** Measures the usable engines, the chosen one first, in about this many seconds in total. */
  async measure(seconds: number): Promise<void> {
    if (this.#report.state === "examining") await this.examine(false);
    this.#update({ state: "measuring", timings: [], unmeasured: [], expectations: [] });
    const { engines } = this.#report;
    const chosen = engines.filter((facts) => this.#isChosen(facts));
    const others = engines.filter((facts) => this.#isMeasured(facts));
    const pairs = [...chosen, ...others].flatMap((facts) =>
      MODELS.map((model) => ({ facts, model })),
    );
    const end = this.#host.now() + 1000 * seconds;
    for (const [i, { facts, model }] of pairs.entries()) {
      const left = end - this.#host.now();
      if (left <= 0) this.#leaveOut(`${engineTitle(facts)}, ${model}: out of time`);
      else await this.#measureOne(facts, model, left / (pairs.length - i));
    }
    this.#update({ state: "measured", doing: null, expectations: this.#expectations() });
  }

  #isChosen({ name, backend }: Candidate): boolean {
    const { choice } = this.#report;
    return name === choice?.name && backend === choice.backend;
  }

  /** Whether measuring an engine other than the chosen one is informative; records the reason if not. */
  #isMeasured(facts: EngineFacts): boolean {
    if (this.#isChosen(facts) || facts.state === "refused" || facts.state === "absent")
      return false;
    const software = isSoftware(this.#engines.get(facts)!.info);
    if (software) this.#leaveOut(`${engineTitle(facts)}: ${SOFTWARE}`);
    const referee = facts.state === "referee";
    if (referee) this.#leaveOut(`${engineTitle(facts)}: ${REFEREE}`);
    return !software && !referee;
  }

  #leaveOut(line: string): void {
    this.#update({ unmeasured: [...this.#report.unmeasured, line] });
  }

  async #measureOne(facts: EngineFacts, model: ModelPresetName, budget: number): Promise<void> {
    this.#update({ doing: `Measuring ${model} on ${engineTitle(facts)}` });
    const { now, rest } = this.#host;
    try {
      const engine = this.#engines.get(facts)!;
      const { query, answer } = turnTokens(presetFor(model));
      const timing = await benchmark(engine, model, { budget, query, answer, now, rest });
      this.#update({ timings: [...this.#report.timings, timing] });
      await this.#host.trusted.keepSpeed(engine);
    } catch (error) {
      this.#leaveOut(`${engineTitle(facts)}, ${model}: ${causeOf(error)}`);
    }
  }

  /** For each preset, on the engine that "automatic" picks. */
  #expectations(): ExpectedTime[] {
    const timings = this.#report.timings.filter((timing) => this.#isChosen(timing));
    return classPresetNames.flatMap((preset) => {
      const spec = presetSpec(preset);
      const timing = timings.find(({ model }) => model === measuredAs(spec.model.preset));
      return timing ? [expectationOf(spec, timing)] : [];
    });
  }

  #note(facts: EngineFacts, news: Partial<EngineFacts>, doing = this.#report.doing): void {
    Object.assign(facts, news);
    this.#update({ doing });
  }

  #update(news: Partial<MachineReport>): void {
    this.#report = { ...this.#report, ...news };
    this.#host.post(structuredClone(this.#report));
  }
}

const unknown = ({ name, backend }: Candidate): EngineFacts => ({
  name,
  backend,
  state: "waiting",
  adapter: null,
  why: null,
  check: null,
  checkedAt: null,
});

const gpuLast = ({ backend }: EngineFacts) => Number(backend === "webgpu");

/** The preset that trains a model; its episodes determine how long turns are. */
function presetFor(model: ModelPresetName): ExperimentSpec {
  return classPresetNames.map(presetSpec).find((spec) => spec.model.preset === model)!;
}

/** Tokens of a turn: of its query as the environment writes it (the maximum where queries differ), and the maximum of its answer. */
function turnTokens(spec: ExperimentSpec): { query: number; answer: number } {
  const { world } = taskFamilyOf(spec);
  const { observation, info } = world.create(1).reset(1);
  const query = world.maxQueryTokens ?? world.prompter.query(observation, info, 0).length;
  return { query, answer: spec.sampling.maxTokensPerTurn };
}

function expectationOf(spec: ExperimentSpec, timing: Timing): ExpectedTime {
  const { tasksPerIteration, groupSize, epochs } = spec.optimisation;
  const turns = tasksPerIteration * groupSize * spec.environment.maxTurns;
  const networks = spec.critic.kind === "separate" ? 2 : 1;
  const updates = Math.max(epochs, spec.critic.epochs);
  const work = { turns, ...turnTokens(spec), epochs: updates, networks };
  return {
    ...work,
    preset: spec.preset,
    model: timing.model,
    name: timing.name,
    backend: timing.backend,
    methods: learnerNames(spec).length,
    seconds: iterationSeconds(work, timing.decodeRate, trainRate(timing)),
    bytes: learnerNames(spec).length * networks * timing.bytes,
  };
}
