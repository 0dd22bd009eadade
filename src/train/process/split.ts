/** Episodes in two parts that share no task. */
import { permutation } from "../../numeric/rng.ts";
import type { Episode } from "../../rollout/rollout.ts";

/** Indices of the episodes of a random share of the tasks (at least one task), then of the others; each ascending. */
export function splitByTask(
  episodes: Pick<Episode, "task">[],
  share: number,
  key: { seed: number; stream: string; iteration: number },
): [number[], number[]] {
  const names = [...new Set(episodes.map(({ task }) => task.name))];
  const order = permutation(names.length, {
    ...key,
    stream: `${key.stream}-split`,
    trajectory: 0,
    step: 0,
  });
  const count = Math.max(1, Math.round(share * names.length));
  const chosen = new Set(Array.from(order.slice(0, count), (i) => names[i]!));
  const all = episodes.map((_, b) => b);
  const isChosen = (b: number) => chosen.has(episodes[b]!.task.name);
  return [all.filter(isChosen), all.filter((b) => !isChosen(b))];
}
