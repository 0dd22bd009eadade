/** Buffers of one device: stores, and staging buffers that reads borrow. */
import type { Store } from "../plan/executor.ts";
import { align } from "../plan/planner.ts";

/** Usage flags by number, since not every host defines GPUBufferUsage. */
const MAP_READ = 0x1;
const COPY_SRC = 0x4;
const COPY_DST = 0x8;
const UNIFORM = 0x40;
const STORAGE = 0x80;
const READ = 0x1; // GPUMapMode.READ

export interface GpuStore extends Store {
  buffer: GPUBuffer;
}

/** GiB if a browser does not report the machine's memory. */
const USUAL_GIB = 8;

/**
 * Maximum bytes that an engine may take in total. No browser reports a graphics card's memory: half
 * of the machine's, as Chromium reports it (rounded down; at most 8 GiB in older versions), and of
 * 8 GiB in other browsers. Larger needs are refused in advance, since a driver might crash the
 * page.
 */
export function memoryBudget(
  machine = globalThis.navigator as (Navigator & { deviceMemory?: number }) | undefined,
): number {
  return ((machine?.deviceMemory ?? USUAL_GIB) / 2) * 2 ** 30;
}

interface Copy {
  words(): Promise<Float32Array>;
}

export class GpuMemory {
  bytes = 0;
  buffers = 0;
  /** Buffers created since the start. */
  created = 0;
  #free: GPUBuffer[] = [];
  #stagingBytes = 0;

  constructor(readonly device: GPUDevice) {}

  /** WebGPU's buffers start as zeros. */
  store(name: string, size: number): GpuStore {
    const bytes = 4 * Math.max(align(size), 64);
    return { name, size, buffer: this.#make(name, bytes, STORAGE | COPY_SRC | COPY_DST) };
  }

  uniform(name: string, data: Uint8Array<ArrayBuffer>): GPUBuffer {
    const buffer = this.#make(name, data.byteLength, UNIFORM | COPY_DST);
    this.device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  #make(label: string, size: number, usage: number): GPUBuffer {
    this.bytes += size;
    this.buffers++;
    this.created++;
    return this.device.createBuffer({ label, size, usage });
  }

  /** Not counted from now on; destroyed when `then` reports that it is unused. */
  destroy(buffer: GPUBuffer, then = (act: () => void) => act()): void {
    this.bytes -= buffer.size;
    this.buffers--;
    then(() => buffer.destroy());
  }

  get poolBytes(): number {
    return this.#stagingBytes;
  }

  /** Records a copy of a range of words; its words can be read once it is submitted. */
  copy(encoder: GPUCommandEncoder, from: GPUBuffer, offset: number, size: number): Copy {
    const bytes = 4 * size;
    const staging = this.#borrow(bytes);
    encoder.copyBufferToBuffer(from, 4 * offset, staging, 0, bytes);
    const words = async () => {
      await staging.mapAsync(READ, 0, bytes);
      const words = new Float32Array(staging.getMappedRange(0, bytes).slice(0));
      staging.unmap();
      this.#free.push(staging);
      return words;
    };
    return { words };
  }

  #borrow(bytes: number): GPUBuffer {
    const at = this.#free.findIndex(
      ({ size }) => size >= bytes && size <= 4 * Math.max(bytes, 4096),
    );
    if (at >= 0) return this.#free.splice(at, 1)[0]!;
    let size = 4096;
    while (size < bytes) size *= 2;
    this.#stagingBytes += size;
    return this.#make("staging", size, MAP_READ | COPY_DST);
  }

  dispose(): void {
    for (const buffer of this.#free) this.destroy(buffer);
    this.#free = [];
  }
}
