/**
 * A checkpoint, one zip file: state.json (spec, place in the run, step counts) and tensors.safetensors (every
 * learner's weights and optimiser moments). Continuing from it gives the same events as never stopping.
 */
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import type { EngineModel, OptimizerState, ParameterGroup, WeightMap } from "../engine/engine.ts";
import { readSafetensors, writeSafetensors } from "../model/safetensors.ts";
import { validateSpec, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../spec/inputError.ts";
import type { Position } from "./experiment.ts";
import type { Learner } from "./learner.ts";

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

/** Networks of the learners by name. */
function networks(learners: Learner[]): [string, EngineModel][] {
  return learners.flatMap(({ algorithm, actor, separateCritic }) => {
    const own: [string, EngineModel][] = [[`${algorithm.name}:actor`, actor]];
    return separateCritic ? [...own, [`${algorithm.name}:critic`, separateCritic]] : own;
  });
}

export async function encodeCheckpoint(
  spec: ExperimentSpec,
  position: Position,
  learners: Learner[],
): Promise<Uint8Array> {
  const tensors: WeightMap = new Map();
  const steps: Record<string, Steps> = {};
  for (const [name, model] of networks(learners)) {
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

/** Throws InputError when the bytes are not a whole checkpoint of ours. */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const { state, tensors } = unpack(bytes);
  const { format, spec, position, steps } = JSON.parse(state) as Checkpoint & { format: string };
  if (format !== FORMAT) {
    throw new InputError(`the checkpoint's format is ${show(format)}; it must be ${show(FORMAT)}`);
  }
  return {
    spec: validateSpec(spec),
    position,
    steps,
    tensors: readSafetensors(tensors, "checkpoint"),
  };
}

function unpack(bytes: Uint8Array): { state: string; tensors: Uint8Array } {
  try {
    const files = unzipSync(bytes);
    return { state: strFromU8(files["state.json"]!), tensors: files["tensors.safetensors"]! };
  } catch {
    throw new InputError(
      "the checkpoint is not a whole zip file with state.json and tensors.safetensors",
    );
  }
}

/** Writes a checkpoint's weights and moments into freshly made learners. */
export async function restoreLearners(
  learners: Learner[],
  { tensors, steps }: Checkpoint,
): Promise<void> {
  for (const [name, model] of networks(learners)) {
    const part = (kind: string) => withoutPrefix(tensors, `${name}/${kind}/`);
    await model.writeWeights(part("weight"));
    const state: OptimizerState = { step: steps[name]!, m: part("m"), v: part("v") };
    await model.writeOptimizer(state);
  }
}

function withoutPrefix(tensors: WeightMap, prefix: string): WeightMap {
  const own = [...tensors].filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, tensor]) => [name.slice(prefix.length), tensor]));
}
