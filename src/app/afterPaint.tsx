/** Components that may load after the first paint: their scripts do not delay what is seen first. */
import { useEffect, useState, type FC } from "react";

/** Milliseconds after which it no longer waits for a paint: a tab in the background has none. */
const TIME_LIMIT = 400;

/** Whether the page has been painted since the component was mounted. */
export function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    const done = () => setPainted(true);
    const timer = setTimeout(done, TIME_LIMIT);
    // A timeout requested in a frame runs after it.
    const frame = requestAnimationFrame(() => setTimeout(done));
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, []);
  return painted;
}

/** The component, which renders nothing before the page has been painted. */
export function afterPaint<Props extends object>(Component: FC<Props>): FC<Props> {
  return function AfterPaint(props) {
    return usePainted() ? <Component {...props} /> : null;
  };
}
