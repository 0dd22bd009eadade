/** An engine around an executor. */
import type { Engine } from "../engine.ts";
import type { Executor } from "./executor.ts";
import { PlanModel } from "./planModel.ts";

export function createPlanEngine(executor: Executor): Engine {
  return {
    info: executor.info,
    createModel: async (config, weights, valueHead) =>
      new PlanModel(executor, config, valueHead, weights),
    memory: () => executor.memory(),
    dispose: () => executor.dispose(),
  };
}
