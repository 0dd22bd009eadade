/** The table: a row for each algorithm, a column for each turn or token, signed colours with their numbers. */
import { memo, useMemo, type CSSProperties } from "react";
import { FULL, type NumberFormats, formatBrief } from "../../numeric/format.ts";
import { LineSwatch } from "../../charts/LineSwatch.tsx";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { lineStyles, type LineStyle } from "../../charts/palette.ts";
import { signedScale, type SignedScale } from "../../charts/signedScale.ts";
import { Table } from "../../ui/DataTable.tsx";
import { inFull } from "../../ui/tablesIn.ts";
import { titleOf } from "../../reading/titles.ts";
import { useNumberFormats } from "../../ui/explained.ts";
import { credits } from "../../figures/credits/manifest.ts";
import type { CreditColumn } from "../../figures/credits/columns.ts";
import { columnName, formatCell } from "../../figures/credits/summary.ts";
import type { TableInput, TableRow } from "../../figures/credits/tableModel.ts";
import { signOf, type Agreement } from "../../figures/credits/truth.ts";
import { rove } from "../../ui/roving.ts";
import { words } from "../../figures/credits/words.ts";
import { Button } from "../../ui/Button.tsx";

interface CreditTableProps {
  input: TableInput;
  rows: readonly TableRow[];
  /** Turn of the cursor. */
  turn: number;
  token: number | null;
  onMove: (turn: number, token: number | null) => void;
  /** Moves the cursor to episodes of another method. */
  onMethod: (name: string) => void;
  /** Expands a turn into its tokens, or collapses it. */
  onToggle: (turn: number) => void;
}

export function CreditTable(props: CreditTableProps) {
  const { input, rows, turn, token, onMove, onMethod } = props;
  const { columns, quantity } = input;
  const styles = useMemo(() => lineStyles(rows.map(({ id }) => id)), [rows]);
  const judged = rows.some(({ agreement }) => agreement !== null);
  const here = columns.findIndex((column) => column.turn === turn && column.token === token);
  const current = here >= 0 ? here : columns.findIndex((column) => column.turn === turn);
  return (
    <>
      <Table
        label={credits.title}
        className="credit-table"
        testId="credits-table"
        data={{
          "data-quantity": quantity,
          "data-even": columns.every(({ token }) => token === null),
        }}
        // As in the ribbon: a column for each turn, and one more.
        style={{ "--columns": columns.length + 1 } as CSSProperties}
        head={<Head {...props} judged={judged} current={current} />}
        headProps={{ onKeyDown: (event) => rove(event, "row") }}
      >
        {rows.map((row) => (
          <Line
            key={row.id}
            row={row}
            repeats={isRepeat(row, rows, input.algorithm)}
            style={styles.get(row.id)!}
            columns={columns}
            quantity={quantity}
            judged={judged}
            current={current}
            onMove={onMove}
            onMethod={onMethod}
          />
        ))}
      </Table>
      {judged && <AgreementNote rows={rows} />}
    </>
  );
}

/** Whether training's own numbers equal, as shown, those of its method's row: then one row shows both. */
function isRepeat(row: TableRow, rows: readonly TableRow[], algorithm: string): boolean {
  const method = rows.find(({ id }) => id === algorithm);
  if (row.kind !== "trained" || !method || row.reason !== method.reason) return false;
  return row.values.every((value, i) => formatBrief(value) === formatBrief(method.values[i]));
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
      {columns.map((column, i) => (
        <th
          scope="col"
          key={column.id}
          data-column={column.id}
          className={column.token === null ? undefined : "of-token"}
          aria-current={i === current ? "step" : undefined}
        >
          <ColumnHead
            column={column}
            grain={grain}
            onMove={onMove}
            onToggle={onToggle}
            stop={column.turn === turn}
            open={columns.some((one) => one.turn === column.turn && one.token !== null)}
          />
        </th>
      ))}
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
    </>
  );
}

interface ColumnHeadProps {
  column: CreditColumn;
  grain: TableInput["grain"];
  /** Whether it is the tab stop; arrow keys reach the others. */
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
    <Button
      look="quiet"
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
    </Button>
  );
}

interface LineProps {
  row: TableRow;
  /** Whether a row above shows the same values. */
  repeats: boolean;
  style: LineStyle;
  columns: readonly CreditColumn[];
  quantity: TableInput["quantity"];
  judged: boolean;
  current: number;
  onMove: (turn: number, token: number | null) => void;
  onMethod: (name: string) => void;
}

const Line = memo(function Line(props: LineProps) {
  const { row, repeats, style, columns, quantity, judged, current, onMove, onMethod } = props;
  const { id, kind, notes, methods, reason, agreement } = row;
  return (
    <tr data-row={id} data-kind={kind} data-repeats={repeats || undefined}>
      <th scope="row">
        <RowName row={row} style={style} />
        {notes.map((note) => (
          <span className="note" key={note}>
            {note}
          </span>
        ))}
        {judged && agreement && <span className="note verdict-note">{verdictText(agreement)}</span>}
        {methods?.map((name) => (
          <Button key={name} className="to-method" onClick={() => onMethod(name)}>
            {words.goTo(titleOf(name))}
          </Button>
        ))}
      </th>
      {reason !== null ? (
        <td colSpan={columns.length + (judged ? 2 : 0)} className="reason" data-testid="reason">
          <span>{reason}</span>
        </td>
      ) : (
        <>
          {columns.map((column, i) => (
            <Cell
              key={column.id}
              row={row}
              column={column}
              quantity={quantity}
              onMove={onMove}
              place={i}
              current={i === current}
            />
          ))}
          {judged && <Verdict kind={kind} agreement={agreement} />}
        </>
      )}
    </tr>
  );
});

/** A method has its line's colour, dash and marker, the truth its diamond. */
function RowName({ row: { kind, title, whose }, style }: Pick<LineProps, "row" | "style">) {
  return (
    <span className="credit-name">
      {kind === "algorithm" && <LineSwatch {...style} />}
      {kind === "truth" && (
        <svg className="line-swatch" width="28" height="10" aria-hidden="true">
          <MarkerShape marker="diamond" cx={14} cy={5} colour="var(--ink)" />
        </svg>
      )}
      {title}
      {whose && <span className="visually-hidden">, {whose}</span>}
    </span>
  );
}

/** A row's agreement with the truth. If there are many turns it stays in view at the right. */
function Verdict({ kind, agreement }: Pick<TableRow, "kind" | "agreement">) {
  const none = kind === "reward" || kind === "truth" ? "" : words.unused;
  return (
    <>
      <td className="verdict">{agreement ? correlationText(agreement) : none}</td>
      <td className="verdict">{agreement ? signsText(agreement) : none}</td>
    </>
  );
}

/** On a phone the two columns are a line under the name, so that there is space for turns. */
function verdictText(agreement: Agreement): string {
  return words.verdict(correlationText(agreement), signsText(agreement));
}

function correlationText({ correlation, turns }: Agreement): string {
  if (Number.isFinite(correlation)) return formatBrief(correlation);
  return turns === 1 ? words.oneTurn : words.allEqual;
}

function signsText({ right, signed }: Agreement): string {
  return signed === 0 ? words.unused : words.signs(right, signed);
}

interface CellProps {
  row: TableRow;
  column: CreditColumn;
  quantity: TableInput["quantity"];
  place: number;
  current: boolean;
  onMove: (turn: number, token: number | null) => void;
}

function Cell({ row, column, quantity, place, current, onMove }: CellProps) {
  const { title, whose, kind, values, intervals, among, size } = row;
  const value = values[place]!;
  const number = kind === "reward" || kind === "truth" ? "advantage" : quantity;
  const formats = useNumberFormats();
  const text = formatCell(number, column, value, row, formats);
  const full = formatCell(number, column, value, row);
  const interval = value !== null ? intervals?.[place] : undefined;
  const range = (how: NumberFormats) => interval && rangeText(interval, how, row.size);
  const toned = value !== null && !(interval && signOf(interval) === 0);
  const cut = quantity === "clip" && value !== null && value > 0;
  // Keys move the cursor too: n, p, j, k.
  return (
    <td
      className={cut ? "number cut" : "number"}
      {...barOf(
        value,
        toned,
        quantity === "ratio" ? logOf(signedScale(among)) : signedScale(among, size),
      )}
      data-value={inFull(value)}
      data-current={current || undefined}
      title={`${whose ? `${title} ${whose}` : title}, ${columnName(column)}: ${full}${interval ? ` (${range(FULL)})` : ""}`}
      onClick={() => column.turn !== null && onMove(column.turn, column.token)}
    >
      {text}
      {interval && <span className="note">{range(formats)}</span>}
    </td>
  );
}

const logOf =
  (scale: SignedScale): SignedScale =>
  (ratio) =>
    scale(Math.log(ratio));

const rangeText = (
  [low, high]: readonly [number, number],
  { signed }: NumberFormats,
  size: number | undefined,
) => `${signed(low, size)} … ${signed(high, size)}`;

/** A bar from the cell's middle, to the right above 0; pale if the sign is uncertain. */
function barOf(value: number | null, toned: boolean, scale: SignedScale) {
  if (value === null) return {};
  const { sign, strength } = scale(value);
  if (sign === "zero") return { "data-zero": true };
  const style = { "--strength": strength.toFixed(3) } as CSSProperties;
  return { "data-sign": sign, "data-open": !toned || undefined, style };
}

function AgreementNote({ rows }: { rows: readonly TableRow[] }) {
  const all = rows.flatMap(({ agreement }) => (agreement ? [agreement] : []));
  if (all.length === 0) return null;
  // A row may lack some of the turns.
  const known = all.reduce((a, b) => (b.turns > a.turns ? b : a));
  return (
    <p className="note prose-note">{words.agreement(known.turns, known.signed, known.episodes)}</p>
  );
}
