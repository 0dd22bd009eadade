/** Tasks that take long to make, as large boards do: made in slices, and counted for who waits. */
import { gated, type Sliced } from "../numeric/sliced.ts";
import type { ExperimentHost } from "./host.ts";
import type { OnTask } from "./world.ts";

/** Milliseconds between two counts; what is made sooner says nothing. */
const COUNT_EVERY = 250;

/** `report` hears how many there are. */
export function makeTasks<T>(
  job: (onTask: OnTask) => Sliced<T>,
  report: OnTask | undefined,
  gate: ExperimentHost["gate"],
): Promise<T> {
  let counted = performance.now();
  const onTask = (made: number): void => {
    const now = performance.now();
    if (now - counted < COUNT_EVERY) return;
    counted = now;
    report?.(made);
  };
  return gated(job(onTask), gate);
}
