/** Work in slices, so that the page stays responsive. */
import { useEffect, useState } from "react";
import { paced, type Sliced } from "../numeric/sliced.ts";

/**
 * The result of `work` for `wanted`, once it is done; before that, the previous result, null at
 * first. `work` must be a stable function.
 */
export function useSliced<Wanted, T>(
  wanted: Wanted,
  work: (wanted: Wanted) => Sliced<T>,
): T | null {
  const [made, setMade] = useState<T | null>(null);
  useEffect(() => {
    const fail = (error: unknown) =>
      // Thrown while rendering, it reaches the error boundary around the panel.
      setMade(() => {
        throw error;
      });
    return paced(work(wanted), (value) => setMade(() => value), fail);
  }, [wanted, work]);
  return made;
}
