/** Work of the panel in pieces, so that the page can respond between them. */
import { useEffect, useState } from "react";
import { useOwnPlace } from "../../charts/redrawQueue.ts";

/**
 * The value, in its own task after it changes; the first at once. On screen or not, so that nothing
 * lags behind the heading.
 */
export function useOwnTask<T>(value: T): T {
  const [shown, setShown] = useState(value);
  const ask = useOwnPlace();
  useEffect(() => ask(() => setShown(() => value)), [ask, value]);
  return shown;
}
