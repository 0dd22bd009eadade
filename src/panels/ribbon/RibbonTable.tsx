/** The ribbon itself: a table whose columns are turns, pictures on top, the chart and its numbers below. */
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { toneBackground } from "../../charts/signedScale.ts";
import type { TurnRecord } from "../../record/runEvent.ts";
import { useNumberFormats } from "../../ui/explained.ts";
import { pictureOf } from "../../env/descriptors.ts";
import { beginning, describeChart, describeEnd } from "./describe.ts";
import { RibbonAxis, RibbonChart, type RibbonChartProps } from "./RibbonChart.tsx";
import { numberRows, type RowText } from "./numberRows.ts";
import { episodeCrop, Seen } from "./Seen.tsx";
import { CHART_HEIGHT, chartScale } from "./chartScale.ts";
import { windowOf, type RibbonView } from "./ribbonView.ts";
import { NARROWEST, useRibbonSizes, type RibbonSizes } from "./useColumn.ts";
import { useStrip, type StripItem } from "../../ui/useStrip.ts";
import { Table } from "../../ui/DataTable.tsx";
import { words } from "./words.ts";
import { useOwnPlace } from "../../charts/redrawQueue.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";

interface RibbonTableProps {
  view: RibbonView;
  onChoose: (turn: number) => void;
}

/** `allRows`: also in a low pane, which collapses rows that other panels have too. */
export function RibbonTable({
  view,
  allRows = false,
  onChoose,
}: RibbonTableProps & { allRows?: boolean }) {
  const { turns, turn } = view;
  const { from, to } = windowOf(turn, turns.length);
  const columns = range(from, to);
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(turn, turns.length, onChoose);
  const isDrawn = pictureOf(view.episode.turns[0]?.observation ?? "") !== null;
  const narrowest = NARROWEST[isDrawn ? "board" : "text"];
  const sizes = useRibbonSizes(ref, columns.length + 1, narrowest);
  const { head, column } = sizes;
  return (
    <>
      {columns.length < turns.length && (
        <p className="note">{words.window(from + 1, to, turns.length)}</p>
      )}
      <div
        className="ribbon-box"
        ref={ref}
        data-inset={head}
        data-rows={allRows ? "all" : undefined}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={words.table}
      >
        <Table
          className="ribbon"
          style={{ width: head + (columns.length + 1) * column }}
          data={narrowMarks(sizes)}
          testId="ribbon-table"
          columnWidths={
            <colgroup>
              <col style={{ width: head }} />
              <col span={columns.length + 1} style={{ width: column }} />
            </colgroup>
          }
          head={<Heads view={view} columns={columns} item={item} onChoose={onChoose} />}
        >
          <TextRows view={view} columns={columns} onChoose={onChoose} />
          <ChartRow view={view} from={from} to={to} sizes={sizes} />
          <NumberRows view={view} columns={columns} />
        </Table>
      </div>
    </>
  );
}

/** For its style: whether row headers are symbols, and whether columns are too narrow for words. */
function narrowMarks({ head, column, unit }: RibbonSizes) {
  return { "data-symbols": head < 100 * unit, "data-tight": column < 108 * unit };
}

interface ColumnsProps extends RibbonTableProps {
  columns: number[];
}

const markOf = ({ turn }: RibbonView, h: number) => (h === turn ? "ribbon-current" : undefined);

/** One tab stop: a button for each turn. */
function Heads({ view, columns, item, onChoose }: ColumnsProps & { item: StripItem }) {
  const { turn } = view;
  return (
    <>
      <td className="ribbon-corner" />
      {columns.map((h) => (
        <th scope="col" key={h} className={markOf(view, h)}>
          <Button
            aria-current={h === turn ? "step" : undefined}
            {...item(h)}
            onClick={() => onChoose(h)}
          >
            {words.turn(h)}
          </Button>
        </th>
      ))}
      <th scope="col" className="ribbon-end">
        {words.end}
      </th>
    </>
  );
}

function TextRows({ view, columns, onChoose }: ColumnsProps) {
  const { turns, finalObservation } = view.episode;
  const page = (h: number) => turns[h]?.observation;
  const crop = useMemo(() => episodeCrop(view.episode), [view.episode]);
  const isNear = useNear(view.episode, columns[0] ?? 0, view.turn);
  const cells = (draw: (turn: TurnRecord, h: number) => ReactNode) =>
    columns.map((h) => (
      <td key={h} className={markOf(view, h)} onClick={() => onChoose(h)}>
        {draw(turns[h]!, h)}
      </td>
    ));
  return (
    <>
      <Row text={words.rows.seen} id="seen">
        {cells(
          ({ observation, actions }, h) =>
            isNear(h) && <Seen {...{ observation, actions, crop }} before={page(h - 1)} />,
        )}
        <td>
          {isNear((columns.at(-1) ?? 0) + 1) && (
            <Seen
              observation={finalObservation}
              before={page(turns.length - 1)}
              actions={null}
              crop={crop}
            />
          )}
        </td>
      </Row>
      <Row text={words.rows.written} id="written">
        {cells((turn) => (
          <Written turn={turn} />
        ))}
        <td data-testid="ribbon-end" data-solved={view.episode.success === true}>
          <End view={view} />
        </td>
      </Row>
    </>
  );
}

function End({ view }: { view: RibbonView }) {
  const { how, total } = describeEnd(view);
  return (
    <>
      {how}
      <span className="ribbon-total">, {total}</span>
    </>
  );
}

interface RowProps {
  text: RowText;
  id: string;
  children: ReactNode;
}

function Row({ text: { name, symbol, more, hint }, id, children }: RowProps) {
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

function Written({ turn: { text, actions } }: { turn: TurnRecord }) {
  return (
    <>
      <p className="ribbon-text">{text.trim() === "" ? words.noText : beginning(text, 200)}</p>
      {/* In a file without actions only the text is known. */}
      {actions && <p className="note">{beginning(words.actions(actions), 120)}</p>}
    </>
  );
}

/** The chart of the turns drawn, on one line with their columns. */
function ChartRow({ view, from, to, sizes }: Omit<RibbonChartProps, "scale">) {
  const scale = chartScale(view, CHART_HEIGHT * sizes.unit);
  return (
    <tr className="ribbon-chart" data-row="chart">
      <th scope="row">
        <span className="visually-hidden">{words.picture}</span>
        <RibbonAxis scale={scale} width={sizes.head} />
      </th>
      <td colSpan={to - from + 1}>
        <div role="img" aria-label={describeChart(view)} data-testid="ribbon-chart">
          <RibbonChart view={view} from={from} to={to} sizes={sizes} scale={scale} />
        </div>
      </td>
    </tr>
  );
}

function NumberRows({ view, columns }: { view: RibbonView; columns: number[] }) {
  const formats = useNumberFormats();
  return numberRows(view, formats).map(({ id, text, cell, more, mark, tone }) => (
    <Row key={id} text={text} id={id}>
      {columns.map((h) => {
        const turn = view.turns[h]!;
        const background = tone && toneBackground(tone(turn));
        return (
          <td key={h} className={h === view.turn ? "number ribbon-current" : "number"}>
            {mark?.(turn, h) && <CutTag name={mark(turn, h)!} />}
            <span style={background ? { background } : undefined}>{cell(turn, h)}</span>
            {more && <small className="ribbon-more"> {more(h)}</small>}
          </td>
        );
      })}
      <td />
    </Row>
  ));
}

/** If a column is too narrow for the word, it is for screen readers only. */
function CutTag({ name }: { name: string }) {
  return (
    <span className="tag tag-clipped" title={name}>
      <Icon name="scissors" size={12} />
      <span className="tag-word">{name}</span>
    </span>
  );
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

// Which turns' pictures are drawn at once: of many, those around the cursor; the others in a
// separate redraw.

/** On either side of the cursor: no window shows more. */
const NEAR = 8;

/**
 * Whether a turn is near the cursor or its pictures are drawn already. `of` and `from`: the episode
 * of the turns, and the first one drawn.
 */
function useNear(of: object, from: number, turn: number): (h: number) => boolean {
  const [drawn, setDrawn] = useState<{ of: object; from: number } | null>(null);
  const ask = useOwnPlace();
  const areAllDrawn = drawn?.of === of && drawn.from === from;
  useEffect(() => {
    ask(areAllDrawn ? null : () => setDrawn({ of, from }));
  }, [ask, of, from, areAllDrawn]);
  return (h) => areAllDrawn || Math.abs(h - turn) <= NEAR;
}
