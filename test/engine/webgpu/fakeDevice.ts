/** A graphics device that takes every call and computes nothing: for counts at sizes that a software adapter is slow at. */
import type { OpenDevice } from "../../../src/engine/webgpu/device.ts";

const BYTES = 2 ** 30;

const fakeBuffer = ({ size }: GPUBufferDescriptor) => ({
  size,
  destroy: () => undefined,
  unmap: () => undefined,
  mapAsync: async () => undefined,
  getMappedRange: (_: number, bytes: number) => new ArrayBuffer(bytes),
});

const fakePass = () => ({
  setPipeline: () => undefined,
  setBindGroup: () => undefined,
  dispatchWorkgroups: () => undefined,
  end: () => undefined,
});

const fakeEncoder = () => ({
  beginComputePass: fakePass,
  copyBufferToBuffer: () => undefined,
  finish: () => ({}),
});

export function fakeDevice(): OpenDevice {
  const device = {
    limits: {
      maxBufferSize: BYTES,
      maxStorageBufferBindingSize: BYTES,
      maxStorageBuffersPerShaderStage: 8,
    },
    queue: { writeBuffer: () => undefined, submit: () => undefined },
    lost: new Promise(() => undefined),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    pushErrorScope: () => undefined,
    popErrorScope: async () => null,
    createBuffer: fakeBuffer,
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createShaderModule: () => ({}),
    createComputePipelineAsync: async () => ({}),
    createBindGroup: () => ({}),
    createCommandEncoder: fakeEncoder,
  };
  const info = {} as GPUAdapterInfo;
  return { device: device as unknown as GPUDevice, info, adapter: "none", software: false };
}
