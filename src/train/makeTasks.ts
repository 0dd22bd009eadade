/** Tasks that take long to generate, such as large boards: generated in slices, with progress. */
import { gated, type Sliced } from "../numeric/sliced.ts";
import type { ExperimentHost } from "./host.ts";
import type { OnTask } from "./world.ts";

/** Milliseconds between two progress reports; shorter work reports nothing. */
const COUNT_EVERY = 250;

/** `report` receives the number so far. */
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
