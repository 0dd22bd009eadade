/** What comes by itself while the reader looks elsewhere in its panel is scrolled into sight. */
import { useEffect, useEffectEvent, useRef } from "react";

/**
 * @param of whose change brings it into sight; what it is at first does not
 * @param find the part, once it is drawn, from what `of` was before; nothing for what is to stay where it is
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
