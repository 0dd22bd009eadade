/** Rows that are links: their buttons are one stop for Tab. */
import type { GridBlock, GridCell, GridColumn, GridText } from "../figures/figure.ts";
import { around, largestSize } from "../numeric/lists.ts";
import { Button } from "../ui/Button.tsx";
import { Table } from "../ui/DataTable.tsx";
import { Explained } from "../ui/Explained.tsx";
import { useStrip } from "../ui/useStrip.ts";
import { MOST_SHOWN, PartNote } from "./PartNote.tsx";
import { briefText, cellText } from "./cellText.ts";
import { SignedNumber } from "./SignedNumber.tsx";

interface GridProps {
  block: GridBlock;
  move: (to: ReturnType<GridBlock["go"]>) => void;
}

export function Grid({ block, move }: GridProps) {
  const { id, label, rowHead, columns, rows, current, go } = block;
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(current, rows.length, (i) =>
    move(go(i)),
  );
  const { from, to } = around(current, rows.length, MOST_SHOWN);
  const scales = columns.map((column, i) => scaleOf(block, column, i));
  return (
    <>
      <div className="grid-box" ref={ref} onKeyDown={onKeyDown} role="group" aria-label={label}>
        <Table
          className="grid-table"
          testId={id}
          head={[rowHead, ...columns].map((column, i) => (
            <Head key={i} {...column} />
          ))}
        >
          {rows.slice(from, to).map((row, i) => (
            <tr
              key={row.id}
              className={from + i === current ? "grid-here" : undefined}
              data-row={row.id}
            >
              <th scope="row">
                <Button
                  aria-current={from + i === current ? "true" : undefined}
                  {...item(from + i)}
                  onClick={() => move(go(from + i))}
                >
                  {row.name}
                </Button>
              </th>
              {row.cells.map((cell, c) => (
                <Cell
                  key={c}
                  cell={cell}
                  column={columns[c]!}
                  {...scales[c]!}
                  isHere={from + i === current && columns[c]!.here === true}
                  move={move}
                />
              ))}
            </tr>
          ))}
        </Table>
      </div>
      <PartNote shown={to - from} of={rows.length} />
    </>
  );
}

function Head({ name, hint, here = false, unit }: Partial<GridColumn> & { name: string }) {
  return (
    <th scope="col" className={here ? "grid-current" : unit && "number"}>
      {hint === undefined ? name : <Explained meaning={hint}>{name}</Explained>}
    </th>
  );
}

interface BarScale {
  /** Numbers of the column. */
  among: readonly number[];
  /** Of the largest number in its unit. */
  size: number;
}

function scaleOf({ rows }: GridBlock, { bars }: GridColumn, at: number): BarScale {
  const numbersIn = (column: number) =>
    rows.flatMap(({ cells }) => (typeof cells[column] === "number" ? [cells[column]] : []));
  const among = numbersIn(at);
  return { among, size: largestSize(bars === undefined || bars === "own" ? among : numbersIn(0)) };
}

interface CellProps extends BarScale {
  cell: GridCell;
  column: GridColumn;
  isHere: boolean;
  move: GridProps["move"];
}

function Cell({ cell, column: { bars, unit, look }, isHere, move, among, size }: CellProps) {
  if (typeof cell === "object" && cell !== null)
    return <TextCell cell={cell} look={look} isHere={isHere} move={move} />;
  const isNumber = unit !== undefined && unit !== "text";
  return (
    <td className={isNumber ? "number" : undefined}>
      {bars !== undefined && typeof cell === "number" ? (
        <SignedNumber value={cell} among={among} size={size} />
      ) : typeof cell === "number" ? (
        briefText(Number.isFinite(cell) ? cell : null, unit ?? "number", size)
      ) : (
        cellText(cell, unit)
      )}
    </td>
  );
}

interface TextCellProps extends Pick<CellProps, "isHere" | "move"> {
  cell: GridText;
  look: GridColumn["look"];
}

function TextCell({ cell, look, isHere, move }: TextCellProps) {
  const { text, hint, marked = false, more, good = false, go } = cell;
  const said = (
    <>
      {marked && <span aria-hidden="true">≠ </span>}
      {text}
    </>
  );
  const names = [look && `grid-${look}`, marked && "grid-marked", good && "grid-good"];
  return (
    <td
      className={names.filter(Boolean).join(" ") || undefined}
      aria-current={isHere && go ? "step" : undefined}
      title={hint}
    >
      {go ? (
        // presentation: the buttons of the cursor lead there, too.
        <span role="presentation" className="listens" onClick={() => move(go)}>
          {said}
        </span>
      ) : (
        said
      )}
      {more !== undefined && <span className="note"> {more}</span>}
    </td>
  );
}
