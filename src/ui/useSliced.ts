/** Work in slices, so that the page can answer between two of them. */
import { useEffect, useState } from "react";
import { paced, type Sliced } from "../numeric/sliced.ts";

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
    return paced(work(wanted), (value) => setMade(() => value), fail);
  }, [wanted, work]);
  return made;
}
