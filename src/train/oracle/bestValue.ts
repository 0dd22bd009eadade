/** V* of a saved state: what the best player would earn from it, whatever the environment. */
import type { Environment } from "../../env/environment.ts";
import { SokobanEnv } from "../../env/sokoban/sokobanEnv.ts";
import { ShopTask } from "../../env/webshop/shopTask.ts";
import type { World } from "../../rollout/world.ts";
import type { State } from "./branches.ts";
import { shopOptimum } from "./shopOptimum.ts";
import { SokobanOptimum } from "./sokobanOptimum.ts";

/** V* of each state; NaN where nobody can say. [S] */
export function bestValues(world: World, states: readonly State[], gamma: number): Float64Array {
  let sokoban: SokobanOptimum | null = null;
  const valueOf = (environment: Environment): number => {
    if (environment instanceof ShopTask) return shopOptimum(environment.shop, gamma);
    if (!(environment instanceof SokobanEnv)) return NaN;
    sokoban ??= new SokobanOptimum({ ...environment.options, gamma });
    return sokoban.value(environment);
  };
  return Float64Array.from(states, ({ task, snapshot }) => {
    const environment = world.create(task.seed);
    environment.restore(snapshot);
    return valueOf(environment);
  });
}
