/** From the compiled WebGPU engine to tfjs: parameters as tensors, on the device that both share. */
import type { WebGPUBackend } from "@tensorflow/tfjs-backend-webgpu";
import * as tf from "@tensorflow/tfjs-core";
import type { EngineModel } from "../engine.ts";
import { PlanModel } from "../plan/planModel.ts";
import { WebGpuExecutor } from "../webgpu/executor.ts";
import type { GpuStore } from "../webgpu/memory.ts";

/**
 * All parameters of a model as one tensor, where they lie; nothing is copied. tfjs collects its work before it submits it, so
 * what is computed from this tensor and not submitted (`submitTfjs`) or read before the model's next update sees the new
 * weights; and tfjs keeps what it has read of a tensor, so ask for a new one after each update. Dispose of it before
 * the model. The tfjs backend must be webgpu. [size of the model's layout]
 * @throws TypeError when the model is not one of the compiled WebGPU engine.
 */
export function flatParameters(model: EngineModel): tf.Tensor1D {
  const { executor, store, layout } = parametersOf(model);
  executor.submitAll(); // what is recorded comes before whatever tfjs is going to compute
  return tf.tensor({ buffer: store.buffer, zeroCopy: true }, [layout.size], "float32");
}

/** Sends what tfjs has collected to the device, ahead of whatever an engine submits from now on. */
function submitTfjs(): void {
  const backend = tf.findBackend("webgpu") as WebGPUBackend;
  backend.ensureCommandEncoderReady();
  backend.endComputePassEncoder();
  backend.submitQueue();
}

/**
 * One weight by its Hugging Face name as it is now, copied out of `flat` on the device.
 * @throws RangeError for an unknown name.
 */
export function weightTensor(model: EngineModel, flat: tf.Tensor1D, name: string): tf.Tensor {
  const { tensors } = parametersOf(model).layout;
  const tensor = tensors.get(name);
  if (!tensor) {
    const names = [...tensors.keys()].join(", ");
    throw new RangeError(`weight ${name} is not in the model; it has ${names}`);
  }
  const weight = tf.tidy(() =>
    tf.reshape(tf.slice(flat, tensor.offset, tensor.size), tensor.shape),
  );
  submitTfjs();
  return weight;
}

function parametersOf(model: EngineModel) {
  if (model instanceof PlanModel) {
    const { executor, store, layout } = model.parameters;
    if (executor instanceof WebGpuExecutor) return { executor, store: store as GpuStore, layout };
  }
  throw new TypeError("only models of the compiled WebGPU engine share their parameters with tfjs");
}
