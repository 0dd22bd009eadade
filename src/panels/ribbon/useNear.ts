/** Which turns' pictures are drawn at once: of many those around the cursor, the others in a redraw of their own. */
import { useEffect, useState } from "react";
import { useOwnPlace } from "../../charts/redrawQueue.ts";

/** On either side of the cursor: no window shows more. */
const NEAR = 8;

/** Tells it of a turn's place. `of` and `from`: what the turns are of, and the first of them that is drawn. */
export function useNear(of: object, from: number, turn: number): (h: number) => boolean {
  const [drawn, setDrawn] = useState<{ of: object; from: number } | null>(null);
  const ask = useOwnPlace();
  const areAllDrawn = drawn?.of === of && drawn.from === from;
  useEffect(() => {
    ask(areAllDrawn ? null : () => setDrawn({ of, from }));
  }, [ask, of, from, areAllDrawn]);
  return (h) => areAllDrawn || Math.abs(h - turn) <= NEAR;
}
