/** How long each dispatch keeps a device, by its own clock: the device behind a proxy that gives every dispatch a pass of its own. */
import { withMethods } from "../engine/webgpu/withMethods.ts";

/** Queries that one set can have. */
const MOST = 4096;

const RESOLVE = 0x200 | 0x4; // QUERY_RESOLVE | COPY_SRC
const MAP = 0x1 | 0x8; // MAP_READ | COPY_DST

export interface KernelTime {
  kernel: string;
  /** Microseconds. */
  time: number;
}

export interface TimedDevice {
  device: GPUDevice;
  /** Of all that has been submitted since the last call, in order. */
  take(): Promise<KernelTime[]>;
}

/**
 * The device must have timestamp-query. Passes of one dispatch cost what begins and ends a pass, a few microseconds on a card.
 */
export function timedDevice(device: GPUDevice): TimedDevice {
  // A pipeline is shared by all sizes of a kernel; its bind groups are not.
  const names = new WeakMap<GPUBindGroup, string>();
  const reads: Promise<KernelTime[]>[] = [];
  const proxy = withMethods(device, {
    createBindGroup: (asked: GPUBindGroupDescriptor) => {
      const group = device.createBindGroup(asked);
      names.set(group, asked.label ?? "");
      return group;
    },
    createCommandEncoder: () => timedEncoder(device, names, (read) => reads.push(read)),
  });
  return {
    device: proxy,
    take: async () => (await Promise.all(reads.splice(0))).flat(),
  };
}

function timedEncoder(
  device: GPUDevice,
  names: WeakMap<GPUBindGroup, string>,
  reading: (read: Promise<KernelTime[]>) => void,
): GPUCommandEncoder {
  const encoder = device.createCommandEncoder();
  let made: GPUQuerySet | null = null;
  const querySetOf = () => (made ??= device.createQuerySet({ type: "timestamp", count: MOST }));
  const kernels: string[] = [];
  const beginComputePass = () => {
    let pipeline: GPUComputePipeline;
    let group: GPUBindGroup;
    return {
      setPipeline: (one: GPUComputePipeline) => (pipeline = one),
      setBindGroup: (_: number, one: GPUBindGroup) => (group = one),
      dispatchWorkgroups: (x: number, y: number) => {
        const at = 2 * kernels.push(names.get(group) ?? "") - 2;
        if (at + 2 > MOST) throw new Error(`more than ${MOST / 2} dispatches in a submit`);
        const pass = encoder.beginComputePass({
          timestampWrites: {
            querySet: querySetOf(),
            beginningOfPassWriteIndex: at,
            endOfPassWriteIndex: at + 1,
          },
        });
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(x, y);
        pass.end();
      },
      end: () => undefined,
    };
  };
  const finish = () => {
    if (!made) return encoder.finish();
    const querySet = made;
    const size = 16 * kernels.length;
    const [resolved, read] = [RESOLVE, MAP].map((usage) => device.createBuffer({ size, usage }));
    encoder.resolveQuerySet(querySet, 0, 2 * kernels.length, resolved!, 0);
    encoder.copyBufferToBuffer(resolved!, 0, read!, 0, size);
    reading(
      timesOf(device, read!, kernels).finally(() => {
        for (const one of [resolved!, read!, querySet]) one.destroy();
      }),
    );
    return encoder.finish();
  };
  return withMethods(encoder, { beginComputePass, finish });
}

/** Once the commands are submitted, which they are right after they are finished. */
async function timesOf(
  device: GPUDevice,
  read: GPUBuffer,
  kernels: readonly string[],
): Promise<KernelTime[]> {
  await Promise.resolve();
  await device.queue.onSubmittedWorkDone();
  await read.mapAsync(0x1); // GPUMapMode.READ
  const ticks = new BigUint64Array(read.getMappedRange());
  return kernels.map((kernel, i) => ({
    kernel,
    time: Number(ticks[2 * i + 1]! - ticks[2 * i]!) / 1000,
  }));
}
