/** Which rollouts are compared: within one task, the better return with the worse. */
import { permutation } from "../../numeric/rng.ts";

/** What a rollout is ranked by. */
interface PairMember {
  /** Equal for rollouts of the same start state. */
  task: string;
  /** Sum of its rewards. */
  reward: number;
}

/** Two rollouts of one task, by index. */
export interface RolloutPair {
  task: string;
  chosen: number;
  rejected: number;
  /** Return of the chosen minus return of the rejected rollout, above 0. */
  gap: number;
}

/**
 * Pairs of each task, tasks in order of appearance: best with worst, second best with second worst,
 * and so on, at most `perTask`. Returns that are equal, or differ by less than `minGap`, give no
 * pair; each rollout is in at most one pair.
 */
export function buildPairs(
  scored: readonly PairMember[],
  perTask: number,
  minGap = 0,
): RolloutPair[] {
  return [...groupsByTask(scored)].flatMap(([task, members]) => {
    // A stable sort: equal returns keep the order in which they were played.
    const ranked = members.toSorted((a, b) => scored[b]!.reward - scored[a]!.reward);
    const most = Math.min(perTask, Math.floor(ranked.length / 2));
    const all = Array.from({ length: most }, (_, i) => {
      const [chosen, rejected] = [ranked[i]!, ranked[ranked.length - 1 - i]!];
      return { task, chosen, rejected, gap: scored[chosen]!.reward - scored[rejected]!.reward };
    });
    return all.filter(({ gap }) => gap > 0 && gap >= minGap);
  });
}

/** Rollouts by task. */
function groupsByTask(scored: readonly PairMember[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  scored.forEach(({ task }, i) => {
    const members = found.get(task);
    if (members) members.push(i);
    else found.set(task, [i]);
  });
  return found;
}

export interface SplitPairs {
  train: RolloutPair[];
  /** Pairs of tasks without a training pair. */
  heldOut: RolloutPair[];
}

/** Keeps a share of the tasks that have pairs (rounded, never all of them) out of training, drawn by the seed. */
export function splitPairs(
  pairs: RolloutPair[],
  share: number,
  seed: number,
  round: number,
): SplitPairs {
  const tasks = [...new Set(pairs.map(({ task }) => task))];
  const count = Math.min(Math.round(share * tasks.length), Math.max(0, tasks.length - 1));
  const key = { seed, stream: "preference-split", iteration: round, trajectory: 0, step: 0 };
  const order = permutation(tasks.length, key);
  const out = new Set(Array.from(order.subarray(0, count), (i) => tasks[i]!));
  return {
    train: pairs.filter(({ task }) => !out.has(task)),
    heldOut: pairs.filter(({ task }) => out.has(task)),
  };
}
