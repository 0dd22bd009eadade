/** What may come once the page has been painted: its script does not wait in front of what is seen first. */
import { useEffect, useState, type FC } from "react";

/** Milliseconds after which a paint is not waited for: a tab in the background has none. */
const TIME_LIMIT = 400;

/** Whether the page has been painted since the component is there. */
export function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    const done = () => setPainted(true);
    const timer = setTimeout(done, TIME_LIMIT);
    // What a frame asks for is done after it.
    const frame = requestAnimationFrame(() => setTimeout(done));
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, []);
  return painted;
}

/** The component, and nothing of it before the page has been painted. */
export function afterPaint<Props extends object>(Component: FC<Props>): FC<Props> {
  return function AfterPaint(props) {
    return usePainted() ? <Component {...props} /> : null;
  };
}
