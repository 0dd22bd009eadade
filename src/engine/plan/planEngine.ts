/** An engine around an executor, and the workers that share its work. */
import type { Engine, EngineInfo, EngineMemory } from "../engine.ts";
import type { Executor } from "./executor.ts";
import { readingFootprint } from "./footprint.ts";
import { PlanModel } from "./planModel.ts";
import type { RemoteWorker } from "./remote.ts";

export function createPlanEngine(
  executor: Executor,
  workers: readonly RemoteWorker[] = [],
  info: EngineInfo = executor.info,
): Engine {
  return {
    info,
    createModel: async (config, weights, valueHead) =>
      new PlanModel(executor, config, valueHead, weights, workers),
    streamModel: async (config, pieces, valueHead) => {
      const model = new PlanModel(executor, config, valueHead, null, workers);
      try {
        await model.writePieces(pieces);
        return model;
      } catch (error) {
        model.dispose();
        throw error;
      }
    },
    memoryPlan: (config, valueHead, tokens, use) =>
      readingFootprint(executor, config, valueHead, tokens, use),
    ...(executor.dispatches && { dispatches: () => executor.dispatches!() }),
    memory: () => sumOf([executor.memory(), ...workers.map(({ memory }) => memory)]),
    dispose: () => {
      for (const worker of workers) worker.dispose();
      executor.dispose();
    },
  };
}

function sumOf(all: EngineMemory[]): EngineMemory {
  const add = (field: keyof EngineMemory) => all.reduce((sum, one) => sum + one[field], 0);
  return { tensors: add("tensors"), bytes: add("bytes"), poolBytes: add("poolBytes") };
}
