/** A cross where a series ended in numbers that are not finite. Recharts fills in cx and cy. */

interface CrashMarkProps {
  colour: string;
  cx?: number;
  cy?: number;
}

const ARM = 6;

export function CrashMark({ colour, cx = 0, cy = 0 }: CrashMarkProps) {
  const cross = `M${cx - ARM},${cy - ARM}L${cx + ARM},${cy + ARM}M${cx - ARM},${cy + ARM}L${cx + ARM},${cy - ARM}`;
  return (
    <g data-testid="crash-mark">
      <path d={cross} stroke="var(--page)" strokeWidth={6} />
      <path d={cross} stroke={colour} strokeWidth={3} />
    </g>
  );
}
