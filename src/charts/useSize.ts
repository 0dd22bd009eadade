/** The size of an element: measured by the browser at layout, never by forcing one. */
import { useEffect, useRef, useState, type RefObject } from "react";

export interface Size {
  width: number;
  height: number;
}

/** Whole CSS pixels; null before the first layout, and if nothing is laid out. */
export function useSize<E extends Element>(): { ref: RefObject<E | null>; size: Size | null } {
  const ref = useRef<E>(null);
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (!ref.current || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver((entries) => {
      const { width, height } = entries.at(-1)!.contentRect;
      const next = { width: Math.floor(width), height: Math.floor(height) };
      if (next.width === 0 || next.height === 0) return;
      setSize((last) => (last?.width === next.width && last.height === next.height ? last : next));
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, size };
}
