/** Work in slices, so that the page can answer between two of them. */
import { useEffect, useState } from "react";
import { oneSlice, type Sliced } from "../numeric/sliced.ts";

export type { Sliced };

/**
 * What `work` makes of `wanted`, once it is done; before that, what it made of the one before, null at first.
 * `work` is a function that stays the same.
 */
export function useSliced<Wanted, T>(
  wanted: Wanted,
  work: (wanted: Wanted) => Sliced<T>,
): T | null {
  const [made, setMade] = useState<T | null>(null);
  useEffect(() => {
    const fail = (error: unknown) =>
      // Thrown while rendering, it comes to the boundary around the panel.
      setMade(() => {
        throw error;
      });
    return slice(work(wanted), (value) => setMade(() => value), fail);
  }, [wanted, work]);
  return made;
}

/** The same outside of a component. */
export function inSlices<T>(job: Sliced<T>): Promise<T> {
  return new Promise((resolve, reject) => slice(job, resolve, reject));
}

/** Begins at once; the returned function ends it. */
function slice<T>(
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
