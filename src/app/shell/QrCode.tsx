/** A link as a QR code: black on white in every theme, with the quiet zone that readers of codes need. */
import { useMemo } from "react";
import { encode } from "uqr";
import { words } from "./words.ts";

/** Modules of white around the code. */
const QUIET = 4;

export function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={words.qrLabel}
      data-testid="qr-code"
      viewBox={`0 0 ${size} ${size}`}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** size: modules per side, including the quiet zone. */
function drawn(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "L", border: QUIET });
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x},${y}h1v1h-1z`] : [])),
  );
  return { size, path: path.join("") };
}
