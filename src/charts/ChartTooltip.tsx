/** Values under the pointer. No live region: during a run it would never be silent. */

interface Entry {
  name?: string | number;
  value?: unknown;
  color?: string;
}

export interface ChartTooltipProps {
  xName: string;
  format: (value: number) => string;
  // Filled in by recharts.
  active?: boolean;
  label?: string | number;
  payload?: readonly Entry[];
}

export function ChartTooltip({ xName, format, active, label, payload }: ChartTooltipProps) {
  if (!active || !payload || payload.length === 0) return null;
  return (
    <div className="chart-tooltip">
      <p>
        {xName} {label}
      </p>
      <ul>
        {payload.map(({ name, value, color }) => (
          <li key={String(name)}>
            <span className="swatch" style={{ background: color }} />
            {name}{" "}
            <span className="number">
              {typeof value === "number" ? format(value) : "not a number"}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
