/** Work in slices, so that other code on the thread can run between two of them. */

/** Milliseconds of work in one slice. */
export const SLICE = 8;

/** Work that can be interrupted wherever it yields, at least once in a few milliseconds. */
export type Sliced<T> = Generator<void, T>;

/** Does all of it at once. */
export function runWhole<T>(job: Sliced<T>): T {
  for (;;) {
    const next = job.next();
    if (next.done) return next.value;
  }
}

/** One slice: the result, or null if time ran out first. */
function oneSlice<T>(job: Sliced<T>): { value: T } | null {
  const end = performance.now() + SLICE;
  do {
    const next = job.next();
    if (next.done) return next;
  } while (performance.now() < end);
  return null;
}

/** All of it, awaiting the gate between two slices; rejects if the gate does. */
export async function gated<T>(job: Sliced<T>, gate?: () => Promise<void>): Promise<T> {
  for (;;) {
    const made = oneSlice(job);
    if (made) return made.value;
    await gate?.();
  }
}

/** All of it, keeping the page responsive between two slices. */
export function inSlices<T>(job: Sliced<T>): Promise<T> {
  return new Promise((resolve, reject) => paced(job, resolve, reject));
}

/** The same with callbacks. Starts at once; the returned function stops it. */
export function paced<T>(
  job: Sliced<T>,
  onDone: (value: T) => void,
  onFail: (error: unknown) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const step = () => {
    try {
      const found = oneSlice(job);
      if (found) onDone(found.value);
      else timer = setTimeout(step);
    } catch (error) {
      onFail(error);
    }
  };
  step();
  return () => clearTimeout(timer);
}
