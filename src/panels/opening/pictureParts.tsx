/** Parts of a picture file: its page with a title, a line of text, a bar for a negative number. */

interface PicturePageProps {
  title: string;
  /** In pixels, like everything here. */
  width: number;
  height: number;
  children: React.ReactNode;
}

export function PicturePage({ title, width, height, children }: PicturePageProps) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fontFamily="Inter, system-ui, sans-serif"
    >
      <rect width={width} height={height} fill="var(--page)" />
      <text x={12} y={26} fontSize={17} fontWeight={600} fill="var(--ink)">
        {title}
      </text>
      {children}
    </svg>
  );
}

interface LabelProps {
  x: number;
  y: number;
  anchor?: "start" | "middle";
  strong?: boolean;
  /** The sign of its number. */
  sign?: number;
  children: string;
}

export function Label({ x, y, anchor = "start", strong = false, sign, children }: LabelProps) {
  const plain = strong ? "var(--ink)" : "var(--ink-2)";
  const signed = (sign ?? 0) < 0 ? "var(--minus)" : "var(--plus)";
  return (
    <text
      {...{ x, y }}
      fontSize={13}
      fontWeight={strong ? 600 : 400}
      textAnchor={anchor}
      fill={sign === undefined ? plain : signed}
    >
      {children}
    </text>
  );
}

interface MinusProps {
  x: number;
  y: number;
  width: number;
  height: number;
  /** 1 for an opaque bar; less is paler. */
  opacity?: number;
}

/** Red with stripes: not distinguished by colour alone. */
export function Minus({ x, y, width, height, opacity = 1 }: MinusProps) {
  const count = Math.ceil((width + height) / GAP);
  const stripes = Array.from({ length: count }, (_, i) => stripe(GAP * i, width, height));
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={width} height={height} rx={2} fill="var(--minus)" fillOpacity={opacity} />
      <path d={stripes.join("")} stroke="var(--page)" strokeOpacity={0.4} strokeWidth={2} />
    </g>
  );
}

/** Pixels between stripes. */
const GAP = 6;

/** Where x + y is `sum`, within the bar. */
function stripe(sum: number, width: number, height: number): string {
  const [from, to] = [Math.max(0, sum - height), Math.min(width, sum)];
  return `M${from} ${sum - from}L${to} ${sum - to}`;
}
