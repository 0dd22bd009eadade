/** Work in slices, so that the page stays responsive. */
import { useEffect, useState } from "react";
import { paced, type Sliced } from "../numeric/sliced.ts";

/** Milliseconds between two results that are not final. */
const PUBLISH = 500;

type SlicedWork<Wanted, T> = (wanted: Wanted, show: (made: () => T) => void) => Sliced<T>;

/**
 * The result of `work` for `wanted`, once it is done, or as far as it shows it; before that, the
 * previous result, null at first. `work` must be a stable function; null is nothing to do.
 */
export function useSliced<Wanted, T>(wanted: Wanted, work: SlicedWork<Wanted, T> | null): T | null {
  const [made, setMade] = useState<T | null>(null);
  useEffect(() => {
    if (!work) return;
    let published = -Infinity;
    const done = (value: T) => setMade(() => value);
    const show = (soFar: () => T) => {
      if (performance.now() - published < PUBLISH) return;
      published = performance.now();
      done(soFar());
    };
    const fail = (error: unknown) =>
      // Thrown while rendering, it reaches the error boundary around the panel.
      setMade(() => {
        throw error;
      });
    return paced(work(wanted, show), done, fail);
  }, [wanted, work]);
  return made;
}
