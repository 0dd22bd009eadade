/**
 * Scrolls content into view that appears by itself while the reader looks elsewhere in its panel.
 */
import { useEffect, useEffectEvent, useRef } from "react";

/**
 * @param of whose change scrolls it into view; its initial value does not
 * @param find the element, once it is drawn, given the previous value of `of`; nothing to leave the
 * scroll position unchanged
 */
export function useIntoView<T>(
  of: T,
  find: (before: T) => Element | null | undefined | false,
): void {
  const before = useRef(of);
  const show = useEffectEvent((was: T) => {
    const part = find(was);
    if (part) part.scrollIntoView({ block: "nearest" });
  });
  useEffect(() => {
    if (of !== before.current) show(before.current);
    before.current = of;
  }, [of]);
}
