/** The picture: a row for each algorithm, a column for each turn or token, signed colours with their numbers. */
import { memo } from "react";
import { formatNumber, formatSigned } from "../../charts/format.ts";
import { toneBackground } from "../../charts/signedScale.ts";
import { Table } from "../../ui/DataTable.tsx";
import { titleOf } from "../../reading/titles.ts";
import { credits } from "./manifest.ts";
import type { Column } from "./columns.ts";
import { columnName, formatCell } from "./summary.ts";
import type { TableInput, TableRow } from "./tableModel.ts";
import { signOf, type Agreement } from "./truth.ts";
import { rove } from "../../ui/roving.ts";
import { words } from "./words.ts";

interface CreditTableProps {
  input: TableInput;
  rows: readonly TableRow[];
  /** Where the cursor stands. */
  turn: number;
  token: number | null;
  onMove: (turn: number, token: number | null) => void;
  /** Brings the cursor to episodes of another method. */
  onMethod: (name: string) => void;
  /** Opens a turn into its tokens, or closes it. */
  onToggle: (turn: number) => void;
}

export function CreditTable(props: CreditTableProps) {
  const { input, rows, turn, token, onMove, onMethod } = props;
  const { columns, quantity } = input;
  const judged = rows.some(({ agreement }) => agreement !== null);
  const here = columns.findIndex((column) => column.turn === turn && column.token === token);
  const current = here >= 0 ? here : columns.findIndex((column) => column.turn === turn);
  return (
    <>
      <Table
        label={credits.title}
        className="credit-table"
        testId="credits-table"
        data={{ "data-quantity": quantity }}
        head={<Head {...props} judged={judged} current={current} />}
        headProps={{ onKeyDown: (event) => rove(event, "row") }}
      >
        {rows.map((row) => (
          <Line key={row.id} {...{ row, columns, quantity, judged, current, onMove, onMethod }} />
        ))}
      </Table>
      {judged && <AgreementNote rows={rows} />}
    </>
  );
}

interface HeadProps extends CreditTableProps {
  judged: boolean;
  current: number;
}

function Head({ input, current, judged, onMove, onToggle, turn }: HeadProps) {
  const { columns, grain } = input;
  return (
    <>
      <th scope="col">{words.rowName}</th>
      {judged && (
        <th scope="col" className="verdict" title={words.correlationHint}>
          {words.correlation}
        </th>
      )}
      {judged && (
        <th scope="col" className="verdict" title={words.signHint}>
          {words.sign}
        </th>
      )}
      {columns.map((column, i) => (
        <th
          scope="col"
          key={column.id}
          data-column={column.id}
          className={column.token === null ? undefined : "of-token"}
          aria-current={i === current ? "step" : undefined}
        >
          <ColumnHead
            {...{ column, grain, onMove, onToggle }}
            stop={column.turn === turn}
            open={columns.some((one) => one.turn === column.turn && one.token !== null)}
          />
        </th>
      ))}
    </>
  );
}

interface ColumnHeadProps {
  column: Column;
  grain: TableInput["grain"];
  /** Whether Tab stops here; arrow keys reach the others. */
  stop: boolean;
  open: boolean;
  onMove: (turn: number, token: number | null) => void;
  onToggle: (turn: number) => void;
}

function ColumnHead({ column, grain, stop, open, onMove, onToggle }: ColumnHeadProps) {
  const { turn, token, text } = column;
  if (turn === null) return words.wholeEpisode;
  if (token !== null)
    return (
      // presentation: the arrow keys move the cursor here, too.
      <span
        className="token-head"
        role="presentation"
        title={columnName(column)}
        onClick={() => onMove(turn, token)}
      >
        {grain === "token" && <span className="note">{column.id}</span>}
        <code>{text}</code>
      </span>
    );
  if (grain === "token") return words.turn(turn + 1);
  return (
    <button
      type="button"
      className="quiet"
      tabIndex={stop ? 0 : -1}
      aria-expanded={open}
      aria-label={(open ? words.close : words.open)(turn + 1)}
      data-testid={`credits-turn-${turn + 1}`}
      onClick={() => {
        onMove(turn, null);
        onToggle(turn);
      }}
    >
      {words.turn(turn + 1)} <span aria-hidden="true">{open ? "▾" : "▸"}</span>
    </button>
  );
}

interface LineProps {
  row: TableRow;
  columns: readonly Column[];
  quantity: TableInput["quantity"];
  judged: boolean;
  current: number;
  onMove: (turn: number, token: number | null) => void;
  onMethod: (name: string) => void;
}

const Line = memo(function Line(props: LineProps) {
  const { row, columns, quantity, judged, current, onMove, onMethod } = props;
  const { id, kind, title, notes, methods, reason, agreement } = row;
  return (
    <tr data-row={id} data-kind={kind}>
      <th scope="row">
        {title}
        {notes.map((note) => (
          <span className="note" key={note}>
            {note}
          </span>
        ))}
        {judged && agreement && <span className="note verdict-note">{verdictText(agreement)}</span>}
        {methods?.map((name) => (
          <button key={name} type="button" className="to-method" onClick={() => onMethod(name)}>
            {words.goTo(titleOf(name))}
          </button>
        ))}
      </th>
      {reason !== null ? (
        <td colSpan={columns.length + (judged ? 2 : 0)} className="reason" data-testid="reason">
          <span>{reason}</span>
        </td>
      ) : (
        <>
          {judged && <Verdict kind={kind} agreement={agreement} />}
          {columns.map((column, i) => (
            <Cell
              key={column.id}
              {...{ row, column, quantity, onMove }}
              place={i}
              current={i === current}
            />
          ))}
        </>
      )}
    </tr>
  );
});

/** How the row stands against the truth; before the turns, so that they cannot push it out of view. */
function Verdict({ kind, agreement }: Pick<TableRow, "kind" | "agreement">) {
  const none = kind === "reward" || kind === "truth" ? "" : words.unused;
  return (
    <>
      <td className="verdict">{agreement ? correlationText(agreement) : none}</td>
      <td className="verdict">{agreement ? signsText(agreement) : none}</td>
    </>
  );
}

/** On a phone the two columns are a line under the name, so that there is room for turns. */
function verdictText(agreement: Agreement): string {
  return words.verdict(correlationText(agreement), signsText(agreement));
}

function correlationText({ correlation, turns }: Agreement): string {
  if (Number.isFinite(correlation)) return formatNumber(correlation);
  return turns === 1 ? words.oneTurn : words.allEqual;
}

function signsText({ right, signed }: Agreement): string {
  return signed === 0 ? words.unused : words.signs(right, signed);
}

interface CellProps {
  row: TableRow;
  column: Column;
  quantity: TableInput["quantity"];
  place: number;
  current: boolean;
  onMove: (turn: number, token: number | null) => void;
}

function Cell({ row, column, quantity, place, current, onMove }: CellProps) {
  const { title, kind, values, intervals, scale } = row;
  const value = values[place]!;
  const number = kind === "reward" || kind === "truth" ? "advantage" : quantity;
  const text = formatCell(number, column, value, row);
  const interval = value !== null ? intervals?.[place] : undefined;
  const toned = value !== null && !(interval && signOf(interval) === 0);
  const cut = quantity === "clip" && value !== null && value > 0;
  // Keys move the cursor too: n, p, j, k.
  return (
    <td
      className={cut ? "number cut" : "number"}
      style={toned ? { background: toneBackground(scale(value)) } : undefined}
      data-current={current || undefined}
      title={`${title}, ${columnName(column)}: ${text}`}
      onClick={() => column.turn !== null && onMove(column.turn, column.token)}
    >
      {text}
      {interval && (
        <span className="note">{`${formatSigned(interval[0])} … ${formatSigned(interval[1])}`}</span>
      )}
    </td>
  );
}

function AgreementNote({ rows }: { rows: readonly TableRow[] }) {
  const all = rows.flatMap(({ agreement }) => (agreement ? [agreement] : []));
  if (all.length === 0) return null;
  // A row can lack some of the turns.
  const known = all.reduce((a, b) => (b.turns > a.turns ? b : a));
  return <p className="note">{words.agreement(known.turns, known.signed, known.episodes)}</p>;
}
