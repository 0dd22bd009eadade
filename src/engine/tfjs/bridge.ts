/** From the compiled WebGPU engine to tfjs: parameters as tensors, on the device that both share. */
import * as tf from "@tensorflow/tfjs-core";
import type { EngineModel } from "../engine.ts";
import { PlanModel } from "../plan/planModel.ts";
import { WebGpuExecutor } from "../webgpu/executor.ts";
import type { GpuStore } from "../webgpu/memory.ts";

/**
 * All parameters of a model as one tensor, where they lie: nothing is copied, and tensors made from it before an update see
 * the weights of then. tfjs keeps what it has read of a tensor, so ask for a new one after each update. The tfjs
 * backend must be webgpu. [size of the model's layout]
 * @throws TypeError when the model is not one of the compiled WebGPU engine.
 */
export function flatParameters(model: EngineModel): tf.Tensor1D {
  const { executor, store, layout } = parametersOf(model);
  executor.flush(); // what is recorded comes before whatever tfjs is going to compute
  return tf.tensor({ buffer: store.buffer, zeroCopy: true }, [layout.size], "float32");
}

/** One weight by its Hugging Face name, cut out of `flat` on the device. @throws RangeError for an unknown name. */
export function weightTensor(model: EngineModel, flat: tf.Tensor1D, name: string): tf.Tensor {
  const { tensors } = parametersOf(model).layout;
  const tensor = tensors.get(name);
  if (!tensor) {
    const names = [...tensors.keys()].join(", ");
    throw new RangeError(`weight ${name} is not in the model; it has ${names}`);
  }
  return tf.tidy(() => tf.reshape(tf.slice(flat, tensor.offset, tensor.size), tensor.shape));
}

function parametersOf(model: EngineModel) {
  if (model instanceof PlanModel) {
    const { executor, store, layout } = model.parameters;
    if (executor instanceof WebGpuExecutor) return { executor, store: store as GpuStore, layout };
  }
  throw new TypeError("only models of the compiled WebGPU engine share their parameters with tfjs");
}
