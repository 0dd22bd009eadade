/** Blocks of a WebAssembly memory: first fit, adjacent free blocks merge. Addresses are multiples of 256. */
import { EngineError } from "../errors.ts";

const PAGE = 65536;
const UNIT = 256;
/** Below are the kernels' own constants. */
const START = PAGE;

interface HeapBlock {
  address: number;
  bytes: number;
}

export class Heap {
  /** Free blocks by address; no two are adjacent. */
  #free: HeapBlock[] = [];
  readonly #used = new Map<number, number>();
  #end = START;
  usedBytes = 0;

  constructor(readonly memory: WebAssembly.Memory) {}

  get blocks(): number {
    return this.#used.size;
  }

  /** Contents are undefined. @throws EngineError "out-of-memory" */
  allocate(size: number): number {
    const bytes = Math.max(UNIT, Math.ceil(size / UNIT) * UNIT);
    const at = this.#free.findIndex((block) => block.bytes >= bytes);
    const address = at >= 0 ? this.#split(at, bytes) : this.#extend(bytes);
    this.#used.set(address, bytes);
    this.usedBytes += bytes;
    return address;
  }

  #split(at: number, bytes: number): number {
    const block = this.#free[at]!;
    const { address } = block;
    if (block.bytes === bytes) this.#free.splice(at, 1);
    else Object.assign(block, { address: address + bytes, bytes: block.bytes - bytes });
    return address;
  }

  #extend(bytes: number): number {
    const last = this.#free.at(-1);
    const touching = last && last.address + last.bytes === this.#end ? this.#free.pop()! : null;
    const address = touching?.address ?? this.#end;
    const missing = address + bytes - this.memory.buffer.byteLength;
    if (missing > 0) this.#grow(Math.ceil(missing / PAGE));
    this.#end = address + bytes;
    return address;
  }

  #grow(pages: number): void {
    try {
      this.memory.grow(pages);
    } catch {
      const needed = this.memory.buffer.byteLength + pages * PAGE;
      throw new EngineError(
        "out-of-memory",
        `WebAssembly memory of ${needed} bytes cannot be allocated; use a smaller model or batch`,
      );
    }
  }

  release(address: number): void {
    const bytes = this.#used.get(address);
    if (bytes === undefined) throw new Error(`no block at ${address}`);
    this.#used.delete(address);
    this.usedBytes -= bytes;
    this.#free.push({ address, bytes });
    this.#free.sort((a, b) => a.address - b.address);
    this.#free = this.#free.reduce<HeapBlock[]>((merged, block) => {
      const last = merged.at(-1);
      if (last && last.address + last.bytes === block.address) last.bytes += block.bytes;
      else merged.push(block);
      return merged;
    }, []);
  }
}
