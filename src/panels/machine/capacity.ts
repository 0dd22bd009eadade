/** The memory that the chosen engine can use. */
import { least } from "../../numeric/lists.ts";
import type { MachineReport } from "../../runtime/machineReport.ts";
import { bytesWords } from "./words.ts";

const GIB = 2 ** 30;

/** A sentence: what limits a model's size here; null while no engine is chosen. */
export function capacityWords({ choice, gpu }: MachineReport): string | null {
  if (!choice) return null;
  if (choice.backend !== "webgpu") {
    const copies = 4; // weights, gradients, first and second moments
    return `WebAssembly can use ${bytesWords(4 * GIB)}: weights, gradients and two moments of ${parameters((4 * GIB) / copies)}, minus working memory.`;
  }
  const sizes = ["maxBufferSize", "maxStorageBufferBindingSize"].map(
    (name) => gpu?.limits.find((limit) => limit.name === name)?.value ?? 0,
  );
  const most = least(sizes);
  return `WebGPU does not report the graphics card's memory: an engine takes ${bytesWords(gpu?.budget ?? 0)} at most. One array can hold ${bytesWords(most)}: the weights of ${parameters(most)}.`;
}

const parameters = (bytes: number) =>
  `${Math.floor(bytes / 4e6).toLocaleString("en")} million parameters`;
