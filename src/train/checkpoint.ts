/**
 * A checkpoint, one sealed zip file: state.json (spec, position in the run, step counts) and
 * tensors.safetensors (every learner's weights and optimiser moments). Continuing from it gives the
 * same events as an uninterrupted run.
 */
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import type { EngineModel, OptimizerState, ParameterGroup, WeightMap } from "../engine/engine.ts";
import { z } from "../spec/zod.ts";
import { readSafetensors, writeSafetensors } from "../model/safetensors.ts";
import { validateSpec, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { jsonOrNothing } from "../spec/jsonText.ts";
import { learnerNames } from "../spec/preference.ts";
import { doctorState } from "./doctor/doctor.ts";
import type { Position } from "./host.ts";
import { networksOf } from "./learner.ts";
import type { AnyLearner } from "./preference/learner.ts";
import { checkSeal, seal } from "./sealedZip.ts";

const FORMAT = "turnbook-checkpoint-1";

/** Maximum bytes of a checkpoint's tensors: a file from elsewhere may claim any size. */
const LARGEST = 2 ** 31;
const MEMBERS = ["state.json", "tensors.safetensors"];

type StepCounts = Record<ParameterGroup, number>;

export interface Checkpoint {
  spec: ExperimentSpec;
  position: Position;
  /** Step counts of each network's optimiser. */
  steps: Record<string, StepCounts>;
  /** `<network>/<kind>/<tensor>`, kind being weight, m or v. */
  tensors: WeightMap;
}

/**
 * Networks of the learners by name; a crashed learner's networks are useless and may not be finite, so they are left out, and so is
 * one whose weights are another's.
 */
function networks(learners: AnyLearner[], { crashed }: Position): [string, EngineModel][] {
  const sound = learners.filter(({ algorithm }) => !crashed.includes(algorithm.name));
  return sound.flatMap((learner) =>
    networksOf(learner)
      .filter(([, { sharesWeights }]) => !sharesWeights)
      .map(([name, model]): [string, EngineModel] => [`${learner.algorithm.name}:${name}`, model]),
  );
}

export async function encodeCheckpoint(
  spec: ExperimentSpec,
  position: Position,
  learners: AnyLearner[],
): Promise<Uint8Array> {
  const tensors: WeightMap = new Map();
  const steps: Record<string, StepCounts> = {};
  // A folder has the frozen weights, and its hash says that they are the same.
  const which = spec.model.folder ? "trained" : undefined;
  for (const [name, model] of networks(learners, position)) {
    const { m, v, step } = await model.readOptimizer();
    steps[name] = step;
    addAll(tensors, `${name}/weight/`, await model.readWeights(which));
    addAll(tensors, `${name}/m/`, m);
    addAll(tensors, `${name}/v/`, v);
  }
  const state = strToU8(JSON.stringify({ format: FORMAT, spec, position, steps }));
  const files = { "state.json": state, "tensors.safetensors": writeSafetensors(tensors) };
  return seal(zipSync(files, { level: 0 })); // float noise does not compress
}

function addAll(into: WeightMap, prefix: string, tensors: WeightMap): void {
  for (const [name, tensor] of tensors) into.set(prefix + name, tensor);
}

const count = z.int().check(z.gte(0));
const stateOfRun = z.object({
  spec: z.unknown(),
  position: z.object({
    iteration: count,
    next: count,
    events: count,
    chain: z.string(),
    crashed: z.array(z.string()),
    klCoef: z.optional(z.record(z.string(), z.number())),
    doctor: z.optional(doctorState),
    engine: z.optional(z.object({ engine: z.string(), backend: z.string(), adapter: z.string() })),
  }),
  steps: z.record(z.string(), z.object({ trunk: count, valueHead: count })),
});

/**
 * Checks everything: the seal (older checkpoints have none), the format, that the position is
 * inside the run, and the tensors.
 * @throws InputError if the bytes are not a complete checkpoint of ours.
 */
export async function decodeCheckpoint(bytes: Uint8Array): Promise<Checkpoint> {
  const { state, tensors } = unpackTensors(bytes);
  if ((await checkSeal(bytes)) === "broken")
    throw new InputError("the checkpoint is damaged: its SHA-256 does not match");
  const { format } = state as { format?: unknown };
  if (format !== FORMAT) {
    throw new InputError(`the checkpoint's format is ${show(format)}; it must be ${show(FORMAT)}`);
  }
  const read = stateOfRun.safeParse(state);
  if (!read.success) {
    const field = read.error.issues[0]!.path.join(".");
    throw new InputError(`the checkpoint's state.json has no usable ${field}`);
  }
  const { position, steps } = read.data;
  const spec = validateSpec(read.data.spec);
  checkPosition(position, spec);
  return { spec, position, steps, tensors: readSafetensors(tensors, "checkpoint") };
}

function checkPosition({ iteration, next, crashed }: Position, spec: ExperimentSpec): void {
  const names = learnerNames(spec);
  const bad = (field: string, value: unknown, allowed: string): never => {
    throw new InputError(
      `the checkpoint's position.${field} is ${show(value)}; it must be ${allowed}`,
    );
  };
  const most = spec.optimisation.iterations + 1;
  if (iteration > most) bad("iteration", iteration, `at most ${most}, one more than the run has`);
  if (next >= names.length) bad("next", next, `under ${names.length}, the number of methods`);
  const stranger = crashed.find((name) => !names.includes(name));
  if (stranger !== undefined) bad("crashed", stranger, `of ${names.join(", ")}`);
}

function unpackTensors(bytes: Uint8Array): { state: object; tensors: Uint8Array } {
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => MEMBERS.includes(name) && originalSize <= LARGEST,
    });
    const state = jsonOrNothing(strFromU8(files["state.json"]!));
    const tensors = files["tensors.safetensors"];
    if (tensors && state !== undefined) return { state: Object(state) as object, tensors };
  } catch {
    // The error is thrown below.
  }
  throw new InputError(
    "the checkpoint is not a whole zip file with state.json and tensors.safetensors",
  );
}

/**
 * Writes a checkpoint's weights and moments into newly created learners.
 * @throws InputError naming a tensor that is missing or has the wrong shape.
 */
export async function restoreLearners(
  learners: AnyLearner[],
  { tensors, steps, position }: Checkpoint,
): Promise<void> {
  for (const [name, model] of networks(learners, position)) {
    const part = (kind: string) => withoutPrefix(tensors, `${name}/${kind}/`);
    const step = steps[name];
    if (!step) throw new InputError(`the checkpoint has no ${name}`);
    const state: OptimizerState = { step, m: part("m"), v: part("v") };
    try {
      await model.writeWeights(part("weight"));
      await model.writeOptimizer(state);
    } catch (error) {
      throw new InputError(`the checkpoint does not fit ${name}: ${(error as Error).message}`);
    }
  }
}

/** The tensors whose names start with the prefix, under the rest of their names. */
export function withoutPrefix(tensors: WeightMap, prefix: string): WeightMap {
  const own = [...tensors].filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, tensor]) => [name.slice(prefix.length), tensor]));
}
