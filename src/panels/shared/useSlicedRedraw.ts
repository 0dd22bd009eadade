/** The sliced result for a value, redrawn like a chart. */
import { useCallback, type RefObject } from "react";
import { useCover, useDrawn, type Drawn } from "../../charts/redrawQueue.ts";
import { useSliced } from "../../ui/useSliced.ts";
import type { Sliced } from "../../numeric/sliced.ts";

/**
 * The result of `work` for `wanted`, null before it is first done. It follows one task at a time,
 * only while the element is on screen; if the last one had another subject (`of`), the content is
 * covered until this is done. `work` must be a stable function.
 */
export function useSlicedRedraw<Wanted, T>(
  wanted: Wanted,
  of: unknown,
  work: (wanted: Wanted) => Sliced<T>,
): { ref: RefObject<HTMLDivElement | null>; shown: T | null } {
  const { ref, drawn, visible } = useDrawn(wanted, of);
  const withSubject = useCallback(
    function* ({ value, of }: Drawn<Wanted>): Sliced<Drawn<T>> {
      return { value: yield* work(value), of };
    },
    [work],
  );
  const made = useSliced(drawn, withSubject);
  useCover(ref, visible, made !== null && made.of !== of);
  return { ref, shown: made && made.value };
}
