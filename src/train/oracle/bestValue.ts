/** V* of a saved state: what the best player would earn from it, in any environment. */
import type { Discount } from "../../method/credit/discount.ts";
import type { Environment } from "../../env/environment.ts";
import { SokobanEnv } from "../../env/sokoban/sokobanEnv.ts";
import { ShopTask } from "../../env/webshop/shopTask.ts";
import type { World } from "../../rollout/world.ts";
import type { State } from "./branches.ts";
import type { SaidTurn } from "./turnBranches.ts";
import { shopOptimum } from "./shopOptimum.ts";
import { SokobanOptimum, whyNotExact } from "./sokobanOptimum.ts";

/**
 * V* of each state; NaN if unknown: with a discount per token (the number of tokens that the best
 * player would write is undefined), and if moves can slip (exact search does not support it). [S]
 */
export function bestValues(
  world: World,
  states: readonly State[],
  { gamma, steps }: Discount,
): Float64Array {
  if (steps === "token" && gamma !== 1) return new Float64Array(states.length).fill(NaN);
  let sokoban: SokobanOptimum | null = null;
  const valueOf = (environment: Environment): number => {
    if (world.best) return world.best(environment, gamma);
    if (environment instanceof ShopTask) return shopOptimum(environment.shop, gamma);
    if (!(environment instanceof SokobanEnv)) return NaN;
    if (whyNotExact(environment.options) !== null) return NaN;
    sokoban ??= new SokobanOptimum({ ...environment.options, gamma });
    return sokoban.value(environment);
  };
  return Float64Array.from(states, ({ task, snapshot }) => {
    const environment = world.create(task.seed);
    environment.restore(snapshot);
    return valueOf(environment);
  });
}

/**
 * Q* of each response, an expectation over the environment's randomness: what followed it in the
 * episode also contains luck. NaN if unknown. [K]
 */
export function bestAfterChance(
  world: World,
  turns: readonly SaidTurn[],
  { gamma, steps }: Discount,
): Float64Array {
  const known = world.bestAfter !== undefined && (steps === "turn" || gamma === 1);
  return Float64Array.from(turns, ({ state: { task, snapshot, info }, responseIds }) => {
    if (!known) return NaN;
    const environment = world.create(task.seed);
    environment.restore(snapshot);
    return world.bestAfter!(environment, world.prompter.answer(responseIds, info), gamma);
  });
}
