/** The numbers of a chart as a table. */
import { TextTable } from "../ui/DataTable.tsx";
import { tableRows, type ChartSeries } from "./describe.ts";

interface ChartTableProps {
  series: readonly ChartSeries[];
  xName: string;
  format: (value: number) => string;
  testId: string;
}

export function ChartTable({ series, xName, format, testId }: ChartTableProps) {
  const text = (value: number | null | undefined) =>
    value === undefined ? "" : value === null ? "not a number" : format(value);
  return (
    <TextTable
      label={`Table of numbers by ${xName}`}
      testId={testId}
      head={[xName, ...series.map(({ name }) => name)]}
      headProps={(i) => (i === 0 ? undefined : { "data-series": series[i - 1]!.id })}
      rows={tableRows(series).map(({ x, values }) => [String(x), ...values.map(text)])}
      rowProps={([x]) => ({ "data-x": x })}
    />
  );
}
