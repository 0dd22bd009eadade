/** The numbers of a chart as a table. */
import { tableRows, type ChartSeries } from "./describe.ts";

interface ChartTableProps {
  series: readonly ChartSeries[];
  xName: string;
  format: (value: number) => string;
  testId: string;
}

export function ChartTable({ series, xName, format, testId }: ChartTableProps) {
  // tabIndex: a region that scrolls must be reachable by keyboard.
  return (
    <div
      className="table-scroll"
      tabIndex={0}
      role="group"
      aria-label={`Table of numbers by ${xName}`}
    >
      <table data-testid={testId}>
        <thead>
          <tr>
            <th scope="col">{xName}</th>
            {series.map(({ id, name }) => (
              <th scope="col" key={id} data-series={id}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tableRows(series).map(({ x, values }) => (
            <tr key={x} data-x={x}>
              <th scope="row">{x}</th>
              {values.map((value, i) => (
                <td key={series[i]!.id} className="number">
                  {value === undefined ? "" : value === null ? "not a number" : format(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
