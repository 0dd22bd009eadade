/**
 * A checkpoint, one zip file: state.json (spec, place in the run, step counts) and tensors.safetensors (every
 * learner's weights and optimiser moments). Continuing from it gives the same events as never stopping.
 */
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import type { EngineModel, OptimizerState, ParameterGroup, WeightMap } from "../engine/engine.ts";
import { z } from "zod";
import { readSafetensors, writeSafetensors } from "../model/safetensors.ts";
import { validateSpec, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../spec/inputError.ts";
import { doctorState } from "./doctor/doctor.ts";
import type { Position } from "./experiment.ts";
import { networksOf } from "./learner.ts";
import type { AnyLearner } from "./preference/learner.ts";

const FORMAT = "turnbook-checkpoint-1";

type Steps = Record<ParameterGroup, number>;

export interface Checkpoint {
  spec: ExperimentSpec;
  position: Position;
  /** Step counts of each network's optimiser. */
  steps: Record<string, Steps>;
  /** `<network>/<kind>/<tensor>`, kind being weight, m or v. */
  tensors: WeightMap;
}

/** Networks of the learners by name; a crashed learner's are of no use any more, and may not be finite. */
function networks(learners: AnyLearner[], { crashed }: Position): [string, EngineModel][] {
  const sound = learners.filter(({ algorithm }) => !crashed.includes(algorithm.name));
  return sound.flatMap((learner) =>
    networksOf(learner).map(([name, model]): [string, EngineModel] => [
      `${learner.algorithm.name}:${name}`,
      model,
    ]),
  );
}

export async function encodeCheckpoint(
  spec: ExperimentSpec,
  position: Position,
  learners: AnyLearner[],
): Promise<Uint8Array> {
  const tensors: WeightMap = new Map();
  const steps: Record<string, Steps> = {};
  for (const [name, model] of networks(learners, position)) {
    const { m, v, step } = await model.readOptimizer();
    steps[name] = step;
    addAll(tensors, `${name}/weight/`, await model.readWeights());
    addAll(tensors, `${name}/m/`, m);
    addAll(tensors, `${name}/v/`, v);
  }
  const state = strToU8(JSON.stringify({ format: FORMAT, spec, position, steps }));
  const files = { "state.json": state, "tensors.safetensors": writeSafetensors(tensors) };
  return zipSync(files, { level: 0 }); // float noise does not compress
}

function addAll(into: WeightMap, prefix: string, tensors: WeightMap): void {
  for (const [name, tensor] of tensors) into.set(prefix + name, tensor);
}

const count = z.int().min(0);
const stateOfRun = z.object({
  spec: z.unknown(),
  position: z.object({
    iteration: count,
    next: count,
    events: count,
    chain: z.string(),
    crashed: z.array(z.string()),
    klCoef: z.record(z.string(), z.number()).optional(),
    doctor: doctorState.optional(),
  }),
  steps: z.record(z.string(), z.object({ trunk: count, valueHead: count })),
});

/** Throws InputError when the bytes are not a whole checkpoint of ours. */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const { state, tensors } = unpack(bytes);
  const { format } = state as { format?: unknown };
  if (format !== FORMAT) {
    throw new InputError(`the checkpoint's format is ${show(format)}; it must be ${show(FORMAT)}`);
  }
  const read = stateOfRun.safeParse(state);
  if (!read.success) {
    const field = read.error.issues[0]!.path.join(".");
    throw new InputError(`the checkpoint's state.json has no usable ${field}`);
  }
  const { spec, position, steps } = read.data;
  return {
    spec: validateSpec(spec),
    position,
    steps,
    tensors: readSafetensors(tensors, "checkpoint"),
  };
}

function unpack(bytes: Uint8Array): { state: object; tensors: Uint8Array } {
  try {
    const files = unzipSync(bytes);
    const state: unknown = JSON.parse(strFromU8(files["state.json"]!));
    return { state: Object(state) as object, tensors: files["tensors.safetensors"]! };
  } catch {
    throw new InputError(
      "the checkpoint is not a whole zip file with state.json and tensors.safetensors",
    );
  }
}

/**
 * Writes a checkpoint's weights and moments into freshly made learners.
 * @throws InputError naming what is missing or of the wrong shape.
 */
export async function restoreLearners(
  learners: AnyLearner[],
  { tensors, steps, position }: Checkpoint,
): Promise<void> {
  for (const [name, model] of networks(learners, position)) {
    const part = (kind: string) => withoutPrefix(tensors, `${name}/${kind}/`);
    const step = steps[name];
    if (!step) throw new InputError(`the checkpoint holds nothing of ${name}`);
    const state: OptimizerState = { step, m: part("m"), v: part("v") };
    try {
      await model.writeWeights(part("weight"));
      await model.writeOptimizer(state);
    } catch (error) {
      throw new InputError(`the checkpoint does not fit ${name}: ${(error as Error).message}`);
    }
  }
}

function withoutPrefix(tensors: WeightMap, prefix: string): WeightMap {
  const own = [...tensors].filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, tensor]) => [name.slice(prefix.length), tensor]));
}
