/** Rows of numbers with signed bars, each row on its own scale. */
import { memo, use, useMemo, useRef, type CSSProperties } from "react";
import { LineSwatch } from "../charts/LineSwatch.tsx";
import { MarkerShape } from "../charts/MarkerShape.tsx";
import { lineStyles, type LineStyle } from "../charts/palette.ts";
import { signedScale, type SignedScale } from "../charts/signedScale.ts";
import type { Act } from "../figures/choices.ts";
import type { BarCell, BarColumn, BarRow, BarsBlock } from "../figures/figure.ts";
import { greatest } from "../numeric/lists.ts";
import { Button } from "../ui/Button.tsx";
import { Table } from "../ui/DataTable.tsx";
import { ExplainedContext } from "../ui/explained.ts";
import { useReveal } from "../ui/reveal.ts";
import { rove } from "../ui/roving.ts";
import { inFull } from "../ui/tablesIn.ts";
import { cellText, gridText } from "./cellText.ts";
import { GoButton } from "./GoButton.tsx";
import { RatioMarks, Strip } from "./Strip.tsx";
import "./bars.css";

interface SignedRowsProps {
  block: BarsBlock;
  does: (act: Act) => void;
}

export function Bars(props: SignedRowsProps) {
  return (
    <>
      {props.block.guess && <Question {...props} />}
      <BarTable {...props} />
    </>
  );
}

/** What is asked, then the answer. */
function Question({ block: { id, guess }, does }: SignedRowsProps) {
  const { says, hidden } = guess!;
  const ref = useRef<HTMLParagraphElement>(null);
  useReveal(ref, hidden && hidden.what, () => hidden && does(hidden.by));
  return (
    <p ref={ref} className="bar-question" role="status" data-testid={`${id}-guess`}>
      {says}
    </p>
  );
}

function BarTable({ block, does }: SignedRowsProps) {
  const { id, label, rowHead, columns, rows, current, token = null, ends, unit } = block;
  const styles = useMemo(() => lineStyles(rows.map((row) => row.id)), [rows]);
  const strips = rows.flatMap(({ cells }) => cells.flatMap(({ strip }) => strip?.length ?? []));
  const longest = greatest([0, ...strips]);
  // Columns of tokens belong to the turn before them.
  const stop = columns.findLastIndex(({ opens }, i) => i <= current && opens);
  return (
    <Table
      label={label}
      className="bar-table"
      testId={id}
      data={{
        "data-unit": unit,
        "data-even": columns.every(({ token }) => token === undefined),
        "data-strips": longest > 0,
      }}
      // As in the ribbon: a column for each turn, and one more.
      style={
        {
          "--columns": columns.length + 1,
          "--least": columns.length > 5 ? "13.75rem" : "9rem",
        } as CSSProperties
      }
      head={
        <>
          <th scope="col">{rowHead}</th>
          {columns.map((column, i) => (
            <th
              scope="col"
              key={column.id}
              data-column={column.id}
              aria-current={i === current ? "step" : undefined}
            >
              <Head column={column} isStop={i === stop} table={id} does={does} />
            </th>
          ))}
          <EndHeads ends={ends} />
        </>
      }
      headProps={{ onKeyDown: (event) => rove(event, "row") }}
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          row={row}
          style={styles.get(row.id)!}
          columns={columns}
          unit={unit}
          current={current}
          token={token}
          longest={longest}
          width={columns.length + ends.length}
          does={does}
        />
      ))}
    </Table>
  );
}

function EndHeads({ ends }: Pick<BarsBlock, "ends">) {
  return ends.map(({ name, hint }) => (
    <th scope="col" key={name} className="bar-end" title={hint}>
      {name}
    </th>
  ));
}

interface BarHeadProps extends Pick<SignedRowsProps, "does"> {
  column: BarColumn;
  /** Whether it is the tab stop; arrow keys reach the others. */
  isStop: boolean;
  table: string;
}

function Head({ column, isStop, table, does }: BarHeadProps) {
  const { id, name, token, numbered = false, to, opens } = column;
  if (to && token !== undefined)
    return (
      // presentation: the arrow keys move the cursor here, too.
      <span className="bar-token" role="presentation" title={name} onClick={() => does({ to })}>
        {numbered && <span className="note">{id}</span>}
        <code>{token}</code>
      </span>
    );
  if (!to || !opens) return name;
  return (
    <Button
      look="quiet"
      tabIndex={isStop ? 0 : -1}
      aria-expanded={opens.isOpen}
      aria-label={opens.says}
      data-testid={`${table}-open-${id}`}
      onClick={() => {
        does({ to });
        does(opens.by);
      }}
    >
      {name} <span aria-hidden="true">{opens.isOpen ? "▾" : "▸"}</span>
    </Button>
  );
}

interface BarRowProps extends Pick<BarsBlock, "columns" | "unit" | "current"> {
  row: BarRow;
  /** At the cursor. */
  token: number | null;
  /** Tokens of the longest turn, in a table with strips. */
  longest: number;
  style: LineStyle;
  /** Columns after the name. */
  width: number;
  does: SignedRowsProps["does"];
}

const Row = memo(function Row(props: BarRowProps) {
  const { row, style, columns, unit, current, token, longest, width, does } = props;
  const { id, look, notes, endsNote, go, reason, cells, ends, repeats } = row;
  const { among, size } = row;
  const scale = useMemo(() => signedScale(among, size), [among, size]);
  const cellScale = useMemo(() => stripScale(row, unit), [row, unit]);
  const signs = { plus: among.some((one) => one > 0), minus: among.some((one) => one < 0) };
  return (
    <tr
      data-row={id}
      data-look={look}
      data-repeats={repeats || undefined}
      data-has={Object.entries(signs)
        .flatMap(([sign, has]) => (has ? sign : []))
        .join(" ")}
    >
      <th scope="row">
        <RowName {...{ row, style }} />
        {notes.map((note) => (
          <span className="note" key={note}>
            {note}
          </span>
        ))}
        {endsNote !== undefined && <span className="note bar-ends-note">{endsNote}</span>}
        {go.map((one) => (
          <GoButton key={one.name} {...one} does={does} />
        ))}
      </th>
      {reason !== null ? (
        <td colSpan={width} className="bar-reason" data-testid="reason">
          <span>{reason}</span>
        </td>
      ) : (
        <>
          {cells.map((cell, i) => (
            <Cell
              key={columns[i]!.id}
              {...{ cell, row, scale, cellScale, longest, unit, does }}
              token={i === current ? token : null}
              column={columns[i]!}
              isHere={i === current}
            />
          ))}
          {ends.map((text, i) => (
            <td key={i} className="bar-end">
              {text}
            </td>
          ))}
        </>
      )}
    </tr>
  );
});

function RowName({ row: { look, name, says }, style }: Pick<BarRowProps, "row" | "style">) {
  return (
    <span className="bars-name">
      {look === "method" && <LineSwatch {...style} />}
      {look === "truth" && (
        <svg className="line-swatch" width="28" height="10" aria-hidden="true">
          <MarkerShape marker="diamond" cx={14} cy={5} colour="var(--ink)" />
        </svg>
      )}
      {name}
      {says !== undefined && <span className="visually-hidden">, {says}</span>}
    </span>
  );
}

/** By logarithms for ratios. */
function stripScale({ cells, size }: BarRow, unit: BarsBlock["unit"]): SignedScale {
  const of = (value: number | null) =>
    unit === "number" ? Math.log(value ?? NaN) : (value ?? NaN);
  const all = cells.flatMap(({ strip }) => strip?.map(of) ?? []);
  const scale = signedScale(all.filter(Number.isFinite), size);
  return (value) => scale(of(value));
}

interface BarCellProps extends Pick<BarRowProps, "row" | "unit" | "token" | "longest" | "does"> {
  cell: BarCell;
  column: BarColumn;
  scale: SignedScale;
  /** Of its strip. */
  cellScale: SignedScale;
  isHere: boolean;
}

function Cell(props: BarCellProps) {
  const { cell, isHere, does } = props;
  if (!cell.cover) return <NumberCell {...props} />;
  const { says, by } = cell.cover;
  return (
    <td className="bar-covered" data-current={isHere || undefined}>
      <Button className="guess-cover" aria-label={says} onClick={() => by.forEach(does)}>
        ?
      </Button>
    </td>
  );
}

function NumberCell({
  cell,
  row: { name, says, size },
  column,
  scale,
  cellScale,
  unit,
  token,
  longest,
  isHere,
  does,
}: BarCellProps) {
  const { strip, ratios, framed = false } = cell;
  const ofToken = token === null ? null : (strip?.[token] ?? null);
  const { value, text, interval } =
    ofToken === null ? cell : { ...cell, value: ofToken, text: undefined };
  const { to } = column;
  const isExplained = use(ExplainedContext);
  const write = (one: number | null, inFull = true) =>
    one === null ? cellText(one) : gridText(one, unit, size, inFull);
  const range = (inFull?: boolean) => interval?.map((end) => write(end, inFull)).join(" … ");
  const whose = says === undefined ? name : `${name} ${says}`;
  // Keys move the cursor too: n, p, j, k.
  return (
    <td
      className={framed ? "number bar-framed" : "number"}
      {...barOf(cell, scale)}
      data-value={inFull(value)}
      data-strip={strip || ratios ? true : undefined}
      data-current={isHere || undefined}
      title={`${whose}, ${column.name}: ${text ?? write(value)}${interval ? ` (${range()})` : ""}`}
      onClick={() => to && does({ to })}
    >
      {ratios ? (
        <RatioMarks {...ratios} />
      ) : strip ? (
        <span className="strip-cell">
          <Strip
            tone={scale(cell.bar ?? cell.value ?? NaN)}
            values={strip}
            scale={cellScale}
            longest={longest}
            here={token}
          />
          <span>{text ?? write(value, isExplained)}</span>
        </span>
      ) : (
        (text ?? write(value, isExplained))
      )}
      {interval && <span className="note">{range(isExplained)}</span>}
    </td>
  );
}

/** A bar from the cell's middle, to the right above 0; pale if the sign is uncertain. */
function barOf({ value, bar, pale }: BarCell, scale: SignedScale) {
  if (value === null) return {};
  const { sign, strength } = scale(bar ?? value);
  if (sign === "zero") return { "data-zero": true };
  const style = { "--strength": strength.toFixed(3) } as CSSProperties;
  return { "data-sign": sign, "data-pale": pale || undefined, style };
}
