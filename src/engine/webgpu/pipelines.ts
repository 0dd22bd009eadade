/** Compute pipelines, compiled off the calling thread and cached by their source. */
import type { Shader } from "./shader.ts";

export interface Compiled {
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
}

const known = new WeakMap<GPUDevice, Pipelines>();

/** The pipelines of a device: the next engine on it reuses them. */
export function pipelinesOf(device: GPUDevice): Pipelines {
  const pipelines = known.get(device) ?? new Pipelines(device);
  known.set(device, pipelines);
  return pipelines;
}

export class Pipelines {
  readonly #known = new Map<string, Promise<Compiled>>();
  readonly #device: GPUDevice;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  get count(): number {
    return this.#known.size;
  }

  get({ code, ranges }: Shader, name: string): Promise<Compiled> {
    const known = this.#known.get(code);
    if (known) return known;
    const compiled = this.#compile(
      code,
      ranges.map(({ writes }) => writes),
      name,
    );
    this.#known.set(code, compiled);
    compiled.catch(() => this.#known.delete(code));
    return compiled;
  }

  /** The layout is explicit: with an inferred one, some drivers compute wrong numbers for a mismatched access mode. */
  async #compile(code: string, writes: boolean[], name: string): Promise<Compiled> {
    const device = this.#device;
    const uniform = { binding: 0, visibility: 4, buffer: { type: "uniform" as const } };
    const storage = writes.map((write, i) => ({
      binding: i + 1,
      visibility: 4, // GPUShaderStage.COMPUTE, which not every host defines
      buffer: { type: write ? ("storage" as const) : ("read-only-storage" as const) },
    }));
    device.pushErrorScope("validation");
    const layout = device.createBindGroupLayout({ label: name, entries: [uniform, ...storage] });
    const making = device.createComputePipelineAsync({
      label: name,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: device.createShaderModule({ label: name, code }), entryPoint: "main" },
    });
    // Errors in the parts are reported by the pipeline's own promise.
    void device.popErrorScope().catch(() => null);
    return { pipeline: await making, layout };
  }
}
