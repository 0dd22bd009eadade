/** A drawing in place of a product's picture: one shape per department. Decoration only. */
import type { ReactNode } from "react";

interface GlyphProps {
  /** The product's department, e.g. "fashion". */
  category: string;
  /** Varies the ground, so that products of one department differ a little. */
  asin: string;
}

export function Glyph({ category, asin }: GlyphProps) {
  const turn = hash(asin) % 4;
  return (
    <svg className="glyph" viewBox="0 0 48 48" aria-hidden="true" data-tone={turn}>
      <rect width="48" height="48" rx="5" className="glyph-ground" />
      <circle
        cx={[10, 38, 38, 10][turn]}
        cy={[10, 10, 38, 38][turn]}
        r="15"
        className="glyph-sun"
      />
      <g className="glyph-line">{SHAPES[category] ?? patternOf(category)}</g>
    </svg>
  );
}

/** WebShop's five departments. */
const SHAPES: Record<string, ReactNode> = {
  fashion: <path d="M17 10l-9 6 4 7 4-2v18h16V21l4 2 4-7-9-6a7 5 0 0 1-14 0z" />,
  electronics: (
    <path d="M16 8v8M24 8v8M12 16h16v8a8 8 0 0 1-16 0zM20 32v3a6 6 0 0 0 12 0v-9a5 5 0 0 1 8 0v4" />
  ),
  garden: <path d="M24 7l-11 15h22zM24 22v14M15 36h18M18 41h12" />,
  beauty: <path d="M19 20h10v20H19zM21 20v-8l6-4v12M19 27h10" />,
  grocery: (
    <path d="M24 15c-3-4-13-3-13 8 0 9 7 17 10 17l3-1 3 1c3 0 10-8 10-17 0-11-10-12-13-8zM24 15c0-4 2-7 5-8" />
  ),
};

/** For other departments: three strokes derived from the name. */
function patternOf(category: string): ReactNode {
  const bits = hash(category);
  const at = (shift: number) => 12 + ((bits >>> shift) % 7) * 4;
  return (
    <>
      <rect x="11" y="13" width="26" height="24" rx={(bits % 4) * 4} />
      <path d={`M11 ${at(3)}h26M${at(8)} 13v24M${at(13)} ${at(18)}l6 6`} />
    </>
  );
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const char of text) h = Math.imul(h ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  return h;
}
