import { useEffect, useState } from "react";

/** A value some milliseconds late: charts that redraw one after another leave the page time to answer. */
export function useLater<T>(value: T, milliseconds: number): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setShown(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return shown;
}
