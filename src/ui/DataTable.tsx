/** The page's one table: columns define the content of their cells; or its rows are passed in, if they are more than cells. */
import {
  Fragment,
  memo,
  type CSSProperties,
  type HTMLAttributes,
  type ReactNode,
  type ThHTMLAttributes,
} from "react";
import { inFull, setWhole, type NumberTable } from "./tablesIn.ts";

type Data = Record<`data-${string}`, string | number | boolean | undefined>;
type CellProps = ThHTMLAttributes<HTMLTableCellElement> & Partial<Data>;
type RowProps = HTMLAttributes<HTMLTableRowElement> & Partial<Data>;

export interface TableColumn<Row> {
  /** Unique id. */
  id: string;
  head: ReactNode;
  cell: (row: Row, place: number) => ReactNode;
  /** `name`: its cells name the rows; `number`: numeric cells; absent: other text. */
  kind?: "name" | "number" | undefined;
  /** The exact number, if the cell shows it rounded. */
  value?: (row: Row) => number | null;
  headProps?: CellProps | undefined;
  cellProps?: (row: Row, place: number) => CellProps | undefined;
}

/** A column that goes by its heading. */
export type ShortColumn<Row> = readonly [
  head: string,
  cell: TableColumn<Row>["cell"],
  kind?: "name" | "number",
];

function inLong<Row>(column: TableColumn<Row> | ShortColumn<Row>): TableColumn<Row> {
  if ("cell" in column) return column;
  const [head, cell, kind] = column;
  return { id: head, head, cell, kind };
}

interface FrameProps {
  /**
   * Label of the scrolling box, which is a tab stop; absent if the box belongs to another element.
   */
  label?: string;
  /** For the box's style. */
  boxClass?: string;
  className?: string;
  style?: CSSProperties;
  testId?: string | undefined;
  data?: Partial<Data>;
  caption?: ReactNode;
  /** If only some rows are drawn: all of them, with exact numbers, for saving. */
  whole?: (() => NumberTable) | undefined;
}

interface TableProps extends FrameProps {
  /** Cells of the heading row; absent if there is none. */
  head?: ReactNode;
  headProps?: RowProps;
  bodyProps?: HTMLAttributes<HTMLTableSectionElement>;
  /** Widths of the columns. */
  columnWidths?: ReactNode;
  /** The rows. */
  children: ReactNode;
}

export function Table(props: TableProps) {
  const { className, style, testId, data, caption, columnWidths, head, headProps, bodyProps } =
    props;
  const { whole } = props;
  return (
    <Box {...props}>
      <table
        ref={whole && ((table) => void (table && setWhole(table, whole)))}
        {...data}
        className={className}
        style={style}
        data-testid={testId}
      >
        {caption !== undefined && <caption>{caption}</caption>}
        {columnWidths}
        {head !== undefined && (
          <thead>
            <tr {...headProps}>{head}</tr>
          </thead>
        )}
        <tbody {...bodyProps}>{props.children}</tbody>
      </table>
    </Box>
  );
}

/** tabIndex: a scrollable region must be reachable by keyboard. */
function Box({ label, boxClass, children }: FrameProps & { children: ReactNode }) {
  if (label === undefined) return children;
  const className = boxClass === undefined ? "table-scroll" : `table-scroll ${boxClass}`;
  return (
    <div className={className} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}

interface DataTableProps<Row> extends FrameProps {
  columns: readonly (TableColumn<Row> | ShortColumn<Row>)[];
  rows: readonly Row[];
  /** A unique key for each row. */
  keyOf: (row: Row, place: number) => string | number;
  rowProps?: (row: Row, place: number) => RowProps;
  /** Without the heading row. */
  headless?: boolean;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, keyOf, rowProps, headless = false, ...frame } = props;
  const columns = props.columns.map(inLong);
  const heads = columns.map(({ id, head, headProps }) => (
    <th scope="col" key={id} {...headProps}>
      {head}
    </th>
  ));
  return (
    <Table {...frame} {...(!headless && { head: heads })}>
      {rows.map((row, place) => (
        <tr key={keyOf(row, place)} {...rowProps?.(row, place)}>
          {columns.map((column) => (
            <Fragment key={column.id}>{cellOf(column, row, place)}</Fragment>
          ))}
        </tr>
      ))}
    </Table>
  );
}

function cellOf<Row>(column: TableColumn<Row>, row: Row, place: number) {
  const { kind, cell, cellProps, value } = column;
  const full = inFull(value?.(row));
  const props = { ...(full !== undefined && { "data-value": full }), ...cellProps?.(row, place) };
  if (kind === "name")
    return (
      <th scope="row" {...props}>
        {cell(row, place)}
      </th>
    );
  return (
    <td className={kind} {...props}>
      {cell(row, place)}
    </td>
  );
}

interface TableData {
  /** Names of the columns; the first one's cells name the rows. */
  head: readonly string[];
  /** Cells as displayed. */
  rows: readonly (readonly string[])[];
}

interface TextTableProps extends TableData, FrameProps {
  /** Props of a column's heading, e.g. the series it shows. */
  headProps?: (column: number) => CellProps | undefined;
  rowProps?: (row: readonly string[]) => RowProps;
}

/** A row's name, and numbers as strings. */
export function TextTable({ head, rows, headProps, rowProps, ...frame }: TextTableProps) {
  const heads = head.map((name, i) => (
    <th scope="col" key={i} {...headProps?.(i)}>
      {name}
    </th>
  ));
  return (
    <Table {...frame} head={heads}>
      {rows.map((row, i) => (
        <tr key={rowProps ? row[0] : i} {...rowProps?.(row)}>
          <Texts row={row} />
        </tr>
      ))}
    </Table>
  );
}

interface TextsProps {
  row: readonly string[];
}

/** Most rows do not change while a run grows. */
const Texts = memo(
  function Texts({ row: [name, ...cells] }: TextsProps) {
    return (
      <>
        <th scope="row">{name}</th>
        {cells.map((cell, i) => (
          <td key={i} className="number">
            {cell}
          </td>
        ))}
      </>
    );
  },
  (before, now) =>
    before.row.length === now.row.length && before.row.every((text, i) => text === now.row[i]),
);
