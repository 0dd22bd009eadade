import type { EngineInfo } from "./engine.ts";

/** What an engine runs on, for people: its adapter, and the threads that share the work. */
export function adapterWords({ adapter, workers }: EngineInfo): string {
  return workers === undefined ? adapter : `${adapter}, ${workers}`;
}

/** Whether its graphics are computed by the processor. */
export function isSoftware({ backend, adapter }: EngineInfo): boolean {
  return backend === "webgpu" && adapter.includes("(software)");
}
