/** The ribbon itself: a table whose columns are turns, pictures on top, the chart and its numbers below. */
import {
  useDeferredValue,
  useMemo,
  use,
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
} from "react";
import { signedScale, toneBackground } from "../../charts/signedScale.ts";
import { gridText } from "../../draw/cellText.ts";
import type { GivenPart } from "../../draw/FigureView.tsx";
import { pictureOf } from "../../env/descriptors.ts";
import type { RibbonShown } from "../../figures/ribbon/ribbon.ts";
import type { RibbonRow, RowText } from "../../figures/ribbon/rows.ts";
import { words } from "../../figures/ribbon/words.ts";
import { Button } from "../../ui/Button.tsx";
import { Table } from "../../ui/DataTable.tsx";
import { ExplainedContext } from "../../ui/explained.ts";
import { CheckBox } from "../../ui/Field.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useStrip } from "../../ui/useStrip.ts";
import { episodeCrop } from "../shared/episodeCrop.ts";
import { beginning } from "./page.ts";
import { RibbonTicks, RibbonChart, RibbonLegend } from "./RibbonChart.tsx";
import { Seen } from "./Seen.tsx";
import "./ribbon.css";

/** Turns on either side of the cursor whose pictures are drawn at once: no window shows more. */
const NEAR = 8;

export function RibbonTable({ given, does }: GivenPart<RibbonShown>) {
  const { view, part, rows } = given;
  const { turns } = view.episode;
  const go = (h: number) => does({ to: given.go(h) });
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(view.turn, turns.length, go);
  const columns = turns.slice(part.from, part.to).map((_, i) => part.from + i);
  const markOf = (h: number) => (h === view.turn ? "ribbon-current" : undefined);
  const cells: CellsOf = (draw) =>
    columns.map((h) => (
      <td key={h} className={markOf(h)} data-turn={h}>
        {draw(h)}
      </td>
    ));
  // Buttons and keys lead there, too.
  const onClick = ({ target }: MouseEvent) => {
    const cell = (target as Element).closest<HTMLElement>("[data-turn]");
    if (cell) go(Number(cell.dataset["turn"]));
  };
  const heads = columns.map((h) => (
    <th scope="col" key={h} className={markOf(h)}>
      <Button aria-current={markOf(h) && "step"} {...item(h)} onClick={() => go(h)}>
        {words.turn(h)}
      </Button>
    </th>
  ));
  return (
    <>
      <RibbonLegend {...given} />
      <div
        className="ribbon-box"
        ref={ref}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={words.table}
        data-drawn={pictureOf(turns[0]!.observation) !== null}
        style={{ "--columns": columns.length + 1 } as CSSProperties}
      >
        <Table
          className="ribbon"
          testId="ribbon-table"
          bodyProps={{ onClick }}
          head={[<td key="names" />, ...heads, <th scope="col" key="end" children={words.end} />]}
        >
          <Texts given={given} cells={cells} />
          <ChartRow {...given} />
          {rows.map((row) => (
            <Row key={row.id} {...row}>
              <Numbers row={row} cells={cells} />
              <td />
            </Row>
          ))}
        </Table>
      </div>
      {/* A low pane leaves out what other panels and the chart show, too. */}
      <div className="ribbon-rest">
        <CheckBox data-testid="ribbon-rest">{words.allRows}</CheckBox>
      </div>
    </>
  );
}

/** A cell for each turn that is drawn. */
type CellsOf = (draw: (turn: number) => ReactNode) => ReactNode;

/** What the turns saw and wrote, and the end. */
function Texts({ given: { view, part, end }, cells }: { given: RibbonShown; cells: CellsOf }) {
  const { episode, turn } = view;
  const { from, to } = part;
  const { turns, finalObservation, success } = episode;
  const crop = useMemo(() => episodeCrop(episode), [episode]);
  // Pictures far from the cursor come in a redraw of their own.
  const place = useMemo(() => ({ episode, from }), [episode, from]);
  const areAllDrawn = useDeferredValue<object | null>(place, null) === place;
  const isNear = (h: number) => areAllDrawn || Math.abs(h - turn) <= NEAR;
  const seen = (h: number) => (
    <Seen
      observation={turns[h]?.observation ?? finalObservation}
      before={turns[h - 1]?.observation}
      actions={turns[h]?.actions ?? null}
      crop={crop}
    />
  );
  return (
    <>
      <Row text={words.rows.seen} id="seen">
        {cells((h) => isNear(h) && seen(h))}
        <td>{isNear(to) && seen(turns.length)}</td>
      </Row>
      <Row text={words.rows.written} id="written">
        {cells((h) => (
          <Written {...turns[h]!} />
        ))}
        <td data-testid="ribbon-end" data-solved={success === true}>
          {end.how}
          <span className="ribbon-total">, {end.total}</span>
        </td>
      </Row>
    </>
  );
}

/** Below the turns' columns, and the end's. */
const ChartRow = (given: RibbonShown) => (
  <tr data-row="chart">
    <th scope="row">
      <span className="visually-hidden">{words.picture}</span>
      <RibbonTicks axis={given.axis} />
    </th>
    <td colSpan={given.part.to - given.part.from + 1}>
      <div role="img" aria-label={given.says} data-testid="ribbon-chart">
        <RibbonChart {...given} />
      </div>
    </td>
  </tr>
);

function Row({ text, id, children }: { text: RowText; id: string; children: ReactNode }) {
  const { name, symbol, more, hint } = text;
  return (
    <tr data-row={id}>
      <th scope="row" title={hint}>
        <span className={symbol === undefined ? undefined : "ribbon-word"}>{name}</span> {symbol}
        {more && <span className="visually-hidden">, {more}</span>}
      </th>
      {children}
    </tr>
  );
}

interface WrittenProps {
  text: string;
  actions: readonly string[] | null;
}

const Written = ({ text, actions }: WrittenProps) => (
  <>
    <p className="ribbon-text">{text.trim() === "" ? words.noText : beginning(text, 200)}</p>
    {/* In a file without actions only the text is known. */}
    {actions && <p className="note">{beginning(words.actions(actions), 120)}</p>}
  </>
);

function Numbers({ row, cells }: { row: RibbonRow; cells: CellsOf }) {
  const { unit, size, among, none = "–" } = row;
  const isInFull = use(ExplainedContext);
  const scale = useMemo(() => among && signedScale(among, size), [among, size]);
  const write = (value: number) => gridText(value, unit, size, isInFull);
  return cells((h) => {
    const { value, interval, more, tag } = row.cells[h]!;
    const background = scale && toneBackground(scale(value ?? 0));
    return (
      <div className="number">
        {tag !== undefined && (
          <span className="tag tag-clipped" title={tag}>
            <Icon name="scissors" size={12} />
            <span className="tag-word">{tag}</span>
          </span>
        )}
        <span style={background ? { background } : undefined}>
          {value === null ? none : write(value)}
          {more}
        </span>
        {interval && (
          <small className="ribbon-more"> ({interval.map((end) => write(end)).join(" to ")})</small>
        )}
      </div>
    );
  });
}
