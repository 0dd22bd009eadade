/** The memory that this process may use. */
import { totalmem } from "node:os";
import { constrainedMemory } from "node:process";
import { getHeapStatistics } from "node:v8";
import type { MachineMemory } from "../train/memoryNeeds.ts";
import { workersUnasked } from "./workers.ts";

/** `workers`: threads asked for. */
export function nodeMemory(workers?: number): MachineMemory {
  // Undefined, 0 or beyond all memory where the process is not confined.
  const confined = constrainedMemory() || Infinity;
  const heap = getHeapStatistics().heap_size_limit;
  return {
    heap: { bytes: heap, name: "Node's heap (--max-old-space-size)" },
    total: { bytes: Math.min(totalmem(), confined), name: "this machine's memory" },
    slot: 8,
    threads: workers ?? workersUnasked(),
  };
}
