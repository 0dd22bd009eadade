/** The ribbon itself: a table whose columns are turns, pictures on top, the chart and its numbers below. */
import { memo, type ReactNode, useEffect, useState } from "react";
import { toneBackground } from "../../charts/signedScale.ts";
import type { TurnRecord } from "../../record/runEvent.ts";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { useNumberFormats } from "../shared/explained.ts";
import { pictureOf } from "../../env/descriptors.ts";
import { describeChart, describeEnd, newLines } from "./describe.ts";
import { CHART_HEIGHT, RibbonAxis, RibbonChart, type RibbonChartProps } from "./RibbonChart.tsx";
import { cutBy, numberRows } from "./numberRows.ts";
import { PagePicture } from "./PagePicture.tsx";
import { pageSketch } from "./pageText.ts";
import { chartScale } from "./chartScale.ts";
import { windowOf, type RibbonView } from "./ribbonView.ts";
import { HEAD, useColumn } from "./useColumn.ts";
import { useStrip, type StripItem } from "../../ui/useStrip.ts";
import { Table } from "../../ui/DataTable.tsx";
import { words } from "./words.ts";
import { useOwnPlace } from "../../charts/redrawQueue.ts";
import { Button } from "../../ui/Button.tsx";

interface RibbonTableProps {
  view: RibbonView;
  onChoose: (turn: number) => void;
}

export function RibbonTable({ view, onChoose }: RibbonTableProps) {
  const { turns, turn } = view;
  const { from, to } = windowOf(turn, turns.length);
  const columns = range(from, to);
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(turn, turns.length, onChoose);
  const column = useColumn(ref, columns.length + 1);
  const width = HEAD + (columns.length + 1) * column;
  return (
    <>
      {columns.length < turns.length && (
        <p className="note">{words.window(from + 1, to, turns.length)}</p>
      )}
      <div
        className="ribbon-box"
        ref={ref}
        data-inset={HEAD}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={words.table}
      >
        <Table
          className="ribbon"
          style={{ width }}
          testId="ribbon-table"
          columnWidths={
            <colgroup>
              <col style={{ width: HEAD }} />
              <col span={columns.length + 1} style={{ width: column }} />
            </colgroup>
          }
          head={<Heads view={view} columns={columns} item={item} onChoose={onChoose} />}
        >
          <TextRows view={view} columns={columns} onChoose={onChoose} />
          <ChartRow view={view} from={from} to={to} column={column} />
          <NumberRows view={view} columns={columns} />
        </Table>
      </div>
    </>
  );
}

interface ColumnsProps extends RibbonTableProps {
  columns: number[];
}

const markOf = ({ turn }: RibbonView, h: number) => (h === turn ? "ribbon-current" : undefined);

/** One tab stop: a button for each turn. */
function Heads({ view, columns, item, onChoose }: ColumnsProps & { item: StripItem }) {
  const { turn, turns } = view;
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
          {turns[h]!.clipped && <span className="tag tag-clipped">{cutBy(view, h)}</span>}
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
  const isNear = useNear(view.episode, columns[0] ?? 0, view.turn);
  const cells = (draw: (turn: TurnRecord, h: number) => ReactNode) =>
    columns.map((h) => (
      <td key={h} className={markOf(view, h)} onClick={() => onChoose(h)}>
        {draw(turns[h]!, h)}
      </td>
    ));
  return (
    <>
      <Row {...words.rows.seen} id="seen">
        {cells(
          ({ observation }, h) =>
            isNear(h) && <Seen observation={observation} before={page(h - 1)} />,
        )}
        <td>
          {isNear((columns.at(-1) ?? 0) + 1) && (
            <Seen observation={finalObservation} before={page(turns.length - 1)} />
          )}
        </td>
      </Row>
      <Row {...words.rows.written} id="written">
        {cells((turn) => (
          <Written turn={turn} />
        ))}
        <td data-testid="ribbon-end">{describeEnd(view)}</td>
      </Row>
    </>
  );
}

interface RowProps {
  name: string;
  id: string;
  hint?: string;
  children: ReactNode;
}

function Row({ name, id, hint, children }: RowProps) {
  return (
    <tr data-row={id}>
      <th scope="row" title={hint}>
        {name}
      </th>
      {children}
    </tr>
  );
}

interface SeenProps {
  observation: string;
  /** What was seen in the turn before. */
  before: string | undefined;
}

/** A board or a page of the shop as its picture; of any other text the beginning of what is new in it. */
const Seen = memo(function Seen({ observation, before }: SeenProps) {
  if (pictureOf(observation)) return <BoardPicture observation={observation} />;
  const sketch = pageSketch(observation);
  if (sketch) return <PagePicture sketch={sketch} />;
  return <pre className="ribbon-page">{beginning(newLines(observation, before), 400)}</pre>;
});

function Written({ turn: { text, actions } }: { turn: TurnRecord }) {
  return (
    <>
      <p className="ribbon-text">{text.trim() === "" ? words.noText : beginning(text, 200)}</p>
      {/* In a file without actions the text is all that is known of what it did. */}
      {actions && <p className="note">{beginning(words.actions(actions), 120)}</p>}
    </>
  );
}

function beginning(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)} …`;
}

/** The chart of the turns drawn, on one line with their columns. */
function ChartRow({ view, from, to, column }: Omit<RibbonChartProps, "scale">) {
  const scale = chartScale(view, CHART_HEIGHT);
  return (
    <tr className="ribbon-chart" data-row="chart">
      <th scope="row">
        <span className="visually-hidden">{words.picture}</span>
        <RibbonAxis scale={scale} width={HEAD} />
      </th>
      <td colSpan={to - from + 1}>
        <div role="img" aria-label={describeChart(view)} data-testid="ribbon-chart">
          <RibbonChart view={view} from={from} to={to} column={column} scale={scale} />
        </div>
      </td>
    </tr>
  );
}

function NumberRows({ view, columns }: { view: RibbonView; columns: number[] }) {
  const formats = useNumberFormats();
  return numberRows(view, formats).map(({ id, text, cell, more, tone }) => (
    <Row key={id} {...text} id={id}>
      {columns.map((h) => {
        const turn = view.turns[h]!;
        const background = tone && toneBackground(tone(turn));
        return (
          <td key={h} className={h === view.turn ? "number ribbon-current" : "number"}>
            <span style={background ? { background } : undefined}>{cell(turn, h)}</span>
            {more && <small className="ribbon-more"> {more(h)}</small>}
          </td>
        );
      })}
      <td />
    </Row>
  ));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

// Which turns' pictures are drawn at once: of many those around the cursor, the others in a redraw of their own.

/** On either side of the cursor: no window shows more. */
const NEAR = 8;

/** Whether a turn is near the cursor or its pictures are drawn by now. `of` and `from`: what the turns are of, and the first of them that is drawn. */
function useNear(of: object, from: number, turn: number): (h: number) => boolean {
  const [drawn, setDrawn] = useState<{ of: object; from: number } | null>(null);
  const ask = useOwnPlace();
  const areAllDrawn = drawn?.of === of && drawn.from === from;
  useEffect(() => {
    ask(areAllDrawn ? null : () => setDrawn({ of, from }));
  }, [ask, of, from, areAllDrawn]);
  return (h) => areAllDrawn || Math.abs(h - turn) <= NEAR;
}
