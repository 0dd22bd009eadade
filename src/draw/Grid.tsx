/** Rows that are links: their buttons are one stop for Tab. */
import { use, useState, type CSSProperties, type ReactNode } from "react";
import type { Act } from "../figures/choices.ts";
import type {
  FigureCell,
  GridBlock,
  GridCell,
  GridColumn,
  GridHead,
  GridRow,
  GridText,
  PartBlock,
} from "../figures/figure.ts";
import { largestSize } from "../numeric/lists.ts";
import { Button } from "../ui/Button.tsx";
import { Table } from "../ui/DataTable.tsx";
import { CheckBox } from "../ui/Field.tsx";
import { ExplainedContext } from "../ui/explained.ts";
import "../ui/termCards.css";
import { rove } from "../ui/roving.ts";
import { useStrip, type StripItem } from "../ui/useStrip.ts";
import { cellInFull, cellText, gridText } from "./cellText.ts";
import { PageNote, PartNote, useDrawnRows } from "./PartNote.tsx";
import { SignedNumber } from "./SignedNumber.tsx";

type DoAct = (act: Act) => void;

interface GridProps {
  block: GridBlock;
  does: DoAct;
  part: (block: PartBlock) => ReactNode;
}

export function Grid({ block, does, part }: GridProps) {
  const { id, label, rowHead, columns, count, current, go, pages, whole } = block;
  const drawn = useDrawnRows(current, count, pages);
  const { box, body, item } = useStops(block, drawn, does);
  const { rows, scales } = rowsIn(block, drawn);
  const heads = [rowHead, ...columns];
  const isSorted = rowHead.sort !== undefined;
  const widths = heads.flatMap(({ width }) => (typeof width === "number" ? width : []));
  return (
    <>
      <div
        className={widths.length > 0 ? "grid-box grid-filled" : "grid-box"}
        style={{ "--widths": sum(widths) } as CSSProperties}
        {...box}
        // Without buttons a box that scrolls must be reachable by itself.
        tabIndex={go ? undefined : 0}
        role="group"
        aria-label={label}
      >
        <Table
          className="grid-table"
          testId={id}
          head={heads.map((head, i) => (
            <Head key={i} {...head} explains={!isSorted} does={does} />
          ))}
          bodyProps={body}
          whole={whole && (() => inFull(whole()))}
        >
          {rows.map((row, i) => (
            <Row
              key={row.id}
              {...{ block, row, scales, does, part, item }}
              place={drawn.from + i}
            />
          ))}
        </Table>
      </div>
      {pages === undefined ? (
        <PartNote shown={rows.length} of={count} />
      ) : (
        <PageNote {...drawn} of={count} testId={`${id}-part`} />
      )}
    </>
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

const inFull = ({ head, rows }: ReturnType<NonNullable<GridBlock["whole"]>>) => ({
  head,
  rows: rows.map((row: readonly FigureCell[]) => row.map(cellInFull)),
});

interface DrawnRows {
  from: number;
  to: number;
}

/** Arrows move the cursor along the rows; page by page they move the focus, and Enter the cursor. */
function useStops({ current, count, go, pages }: GridBlock, { from, to }: DrawnRows, does: DoAct) {
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(current, count, (place) =>
    does({ to: go?.(place) ?? {} }),
  );
  const [focused, setFocused] = useState(-1);
  if (pages === undefined) return { box: { ref, onKeyDown }, body: {}, item };
  const stop = [focused, current].find((place) => place >= from && place < to) ?? from;
  return {
    box: { ref },
    body: { onKeyDown: (event: Parameters<typeof rove>[0]) => rove(event, "column") },
    item: (place: number) => ({
      ...item(place),
      tabIndex: place === stop ? 0 : -1,
      onFocus: () => setFocused(place),
    }),
  };
}

interface BarScale {
  /** Numbers of the column. */
  among: readonly number[];
  /** Of the largest number in its unit. */
  size?: number;
}

/** The rows that are drawn; bars are on the scale of all. */
function rowsIn({ columns, count, row }: GridBlock, { from, to }: DrawnRows) {
  const hasBars = columns.some(({ bars }) => bars !== undefined);
  const rowsOf = (first: number, end: number) =>
    Array.from({ length: end - first }, (_, i) => row(first + i));
  if (!hasBars) return { rows: rowsOf(from, to), scales: columns.map(() => ({ among: [] })) };
  const all = rowsOf(0, count);
  const numbersIn = (column: number) =>
    all.flatMap(({ cells }) => (typeof cells[column] === "number" ? [cells[column]] : []));
  const scales = columns.map(({ bars }, at): BarScale => {
    const among = numbersIn(at);
    return { among, size: largestSize(bars === "reward" ? numbersIn(0) : among) };
  });
  return { rows: all.slice(from, to), scales };
}

const SORTED = { up: ["ascending", "↑"], down: ["descending", "↓"] } as const;

type HeadProps = GridHead & Partial<GridColumn> & { explains: boolean; does: DoAct };

function Head(props: HeadProps) {
  const { name, hint, short, here = false, unit, sort, width, explains, does } = props;
  const said =
    short === undefined ? (
      name
    ) : (
      // An attribute: drawn only in a pane, and never announced.
      <span className="grid-short" data-short={short}>
        <span className="grid-word">{name}</span>
      </span>
    );
  const now = sort?.now && SORTED[sort.now];
  return (
    <th
      scope="col"
      className={here ? "grid-current" : unit && "number"}
      title={explains ? undefined : hint}
      aria-sort={now?.[0]}
      data-width={width === "rest" ? "rest" : width && "own"}
      style={typeof width === "number" ? ({ "--width": width } as CSSProperties) : undefined}
    >
      {sort ? (
        <Button look="quiet" data-sort={sort.id} onClick={() => does(sort.by)}>
          {said}
          {/* Never on its own line. */}
          <span className="grid-arrow" aria-hidden="true">{`\u00a0${now?.[1] ?? "↕"}`}</span>
        </Button>
      ) : explains && hint !== undefined ? (
        <button type="button" className="term" data-term-meaning={hint}>
          {said}
        </button>
      ) : (
        said
      )}
    </th>
  );
}

interface RowProps extends GridProps {
  row: GridRow;
  place: number;
  scales: readonly BarScale[];
  item: StripItem;
}

function Row({ block, row, place, scales, item, does, part }: RowProps) {
  const { columns, current, go } = block;
  const { id, name, word, says, check, cells } = row;
  const isHere = place === current;
  return (
    <tr className={isHere ? "grid-here" : undefined} data-row={id}>
      <th scope="row">
        {go ? (
          <Button
            aria-current={isHere ? "true" : undefined}
            {...item(place)}
            onClick={() => does({ to: go(place) })}
          >
            {word !== undefined && <span className="grid-word">{word} </span>}
            {name}
          </Button>
        ) : check ? (
          <CheckBox
            checked={check.isOn}
            disabled={check.disabled}
            aria-label={check.says}
            onChange={() => does(check.by)}
          >
            {name}
          </CheckBox>
        ) : (
          name
        )}
        {says !== undefined && <span className="note grid-says">{says}</span>}
      </th>
      {cells.map((cell, c) => (
        <Cell
          key={c}
          cell={cell}
          column={columns[c]!}
          {...scales[c]!}
          isHere={isHere && columns[c]!.here === true}
          does={does}
          part={part}
        />
      ))}
    </tr>
  );
}

const isOfNumbers = ({ unit }: GridColumn) => unit !== undefined && unit !== "text";

interface CellProps extends BarScale, Pick<GridProps, "does" | "part"> {
  cell: GridCell;
  column: GridColumn;
  isHere: boolean;
}

function Cell(props: CellProps) {
  const { cell, column, isHere, does, part, among, size } = props;
  const { bars, unit, look } = column;
  const isInFull = use(ExplainedContext);
  if (typeof cell === "object" && cell !== null && "text" in cell)
    return <TextCell cell={cell} column={column} isHere={isHere} does={does} />;
  if (typeof cell === "object" && cell !== null && "kind" in cell) return <td>{part(cell)}</td>;
  const { value, more } =
    typeof cell === "object" && cell !== null ? cell : { value: cell, more: undefined };
  return (
    <td className={isOfNumbers(column) ? "number" : look && `grid-${look}`}>
      {bars !== undefined && typeof value === "number" ? (
        <SignedNumber value={value} among={among} {...(size !== undefined && { size })} />
      ) : typeof value === "number" ? (
        gridText(value, unit ?? "number", size, isInFull)
      ) : (
        cellText(value, unit)
      )}
      {more !== undefined && <span className="note"> {more}</span>}
    </td>
  );
}

interface TextCellProps extends Pick<CellProps, "column" | "isHere" | "does"> {
  cell: GridText;
}

function TextCell({ cell, column, isHere, does }: TextCellProps) {
  const { look } = column;
  const { text, hint, marked = false, lead, found, more, look: tone, sign, go } = cell;
  const said = (
    <>
      {marked && <span aria-hidden="true">≠ </span>}
      {lead !== undefined && <span className="note">{lead} </span>}
      {look === "cut" || sign ? (
        <span className={sign ? "grid-word" : "grid-name"}>{text}</span>
      ) : (
        text
      )}
      {found && (
        <>
          <mark>{found[0]}</mark>
          {found[1]}
        </>
      )}
    </>
  );
  const names = [
    isOfNumbers(column) && "number",
    look && `grid-${look}`,
    marked && "grid-marked",
    tone && `grid-${tone}`,
  ];
  return (
    <td
      className={names.filter(Boolean).join(" ") || undefined}
      aria-current={isHere && go ? "step" : undefined}
      title={hint}
      data-sign={sign}
    >
      {go ? (
        // presentation: the buttons of the cursor lead there, too.
        <span role="presentation" className="listens" onClick={() => does({ to: go })}>
          {said}
        </span>
      ) : (
        said
      )}
      {more !== undefined && <span className="note"> {more}</span>}
    </td>
  );
}
