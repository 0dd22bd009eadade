/**
 * Discounted rewards from a step on, over packed steps; for tokens or turns. Environment tokens are
 * not steps, so that nothing is lost or discounted between two turns.
 *
 *   G_k = r_k + gamma G_{k+1}
 *
 * Sources: Williams 1992; axon-rl/gem examples/train_tinker/tinker_train.py (turns);
 * verl/trainer/ppo/core_algos.py, compute_reinforce_plus_plus_outcome_advantage (tokens).
 */

/** reward [S], steps of each trajectory [B+1] -> [S] */
export function returnsToGo(reward: Float64Array, start: Int32Array, gamma: number): Float64Array {
  const returns = new Float64Array(reward.length); // [S]
  for (let b = 0; b < start.length - 1; b++) {
    let next = 0;
    for (let k = start[b + 1]! - 1; k >= start[b]!; k--) {
      next = returns[k] = reward[k]! + gamma * next;
    }
  }
  return returns;
}
