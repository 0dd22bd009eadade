/** The ribbon itself: a table whose columns are turns, pictures on top, the chart and its numbers below. */
import { memo, type ReactNode } from "react";
import { formatNumber, formatSigned } from "../../charts/format.ts";
import { toneBackground, type SignedTone } from "../../charts/signedScale.ts";
import type { TurnRecord } from "../../record/runEvent.ts";
import { isFork } from "../../runtime/questions.ts";
import { BoardPicture } from "../turns/BoardPicture.tsx";
import { parseBoard } from "../turns/board.ts";
import { describeChart, describeEnd, newLines } from "./describe.ts";
import { CHART_HEIGHT, RibbonAxis, RibbonChart, type RibbonChartProps } from "./RibbonChart.tsx";
import { PagePicture } from "./PagePicture.tsx";
import { pageSketch } from "./pageText.ts";
import { chartScale } from "./chartScale.ts";
import type { RibbonTurn } from "./ribbon.ts";
import { windowOf, type RibbonView } from "./ribbonView.ts";
import { HEAD, useColumn } from "./useColumn.ts";
import { useStrip, type StripItem } from "./useStrip.ts";
import { words } from "./words.ts";

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
        <table className="ribbon" style={{ width }} data-testid="ribbon-table">
          <colgroup>
            <col style={{ width: HEAD }} />
            <col span={columns.length + 1} style={{ width: column }} />
          </colgroup>
          <Heads {...{ view, columns, item, onChoose }} />
          <tbody>
            <TextRows {...{ view, columns, onChoose }} />
            <ChartRow {...{ view, from, to, column }} />
            <NumberRows view={view} columns={columns} />
          </tbody>
        </table>
      </div>
    </>
  );
}

interface ColumnsProps extends RibbonTableProps {
  columns: number[];
}

const cutBy = ({ dual }: RibbonView, h: number) => (dual[h] ? words.dual : words.clipped);

const markOf = ({ turn }: RibbonView, h: number) => (h === turn ? "ribbon-current" : undefined);

/** One tab stop: a button for each turn. */
function Heads({ view, columns, item, onChoose }: ColumnsProps & { item: StripItem }) {
  const { turn, turns } = view;
  return (
    <thead>
      <tr>
        <td className="ribbon-corner" />
        {columns.map((h) => (
          <th scope="col" key={h} className={markOf(view, h)}>
            <button
              type="button"
              aria-current={h === turn ? "step" : undefined}
              {...item(h)}
              onClick={() => onChoose(h)}
            >
              {words.turn(h)}
            </button>
            {turns[h]!.clipped && <span className="tag tag-clipped">{cutBy(view, h)}</span>}
          </th>
        ))}
        <th scope="col" className="ribbon-end">
          {words.end}
        </th>
      </tr>
    </thead>
  );
}

function TextRows({ view, columns, onChoose }: ColumnsProps) {
  const { turns, finalObservation } = view.episode;
  const page = (h: number) => turns[h]?.observation;
  const cells = (draw: (turn: TurnRecord, h: number) => ReactNode) =>
    columns.map((h) => (
      <td key={h} className={markOf(view, h)} onClick={() => onChoose(h)}>
        {draw(turns[h]!, h)}
      </td>
    ));
  return (
    <>
      <Row name={words.seen} id="seen" hint={words.seenHint}>
        {cells(({ observation }, h) => (
          <Seen observation={observation} before={page(h - 1)} />
        ))}
        <td>
          <Seen observation={finalObservation} before={page(turns.length - 1)} />
        </td>
      </Row>
      <Row name={words.written} id="written" hint={words.writtenHint}>
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
  hint?: string | undefined;
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
  if (parseBoard(observation)) return <BoardPicture observation={observation} />;
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
          <RibbonChart {...{ view, from, to, column, scale }} />
        </div>
      </td>
    </tr>
  );
}

interface NumberRow {
  id: string;
  text: { name: string; hint: string };
  cell: (turn: RibbonTurn, h: number) => string;
  tone?: (turn: RibbonTurn) => SignedTone;
}

function numberRows(view: RibbonView): NumberRow[] {
  const { rows, absent } = words;
  const { critic, truth, foreign } = view;
  const signed = (x: number | null) => (x === null ? absent : formatSigned(x));
  const valued = (x: number | null) => (critic ? signed(x) : foreign ? absent : words.noCritic);
  const toneOf = (scale: (x: number) => SignedTone, x: number | null) => scale(x ?? 0);
  const known = (h: number) => truth?.[h];
  return [
    { id: "reward", text: rows.reward, cell: ({ reward }) => signed(reward) },
    { id: "value", text: rows.value, cell: ({ value }) => valued(value) },
    ...(truth
      ? [{ id: "truth", text: rows.truth, cell: (_: RibbonTurn, h: number) => truthText(known(h)) }]
      : []),
    {
      ...{ id: "delta", text: rows.delta, cell: ({ delta }) => valued(delta) },
      tone: ({ delta }) => toneOf(view.deltaTone, delta),
    },
    {
      ...{ id: "advantage", text: rows.advantage, cell: ({ advantage }) => signed(advantage) },
      tone: ({ advantage }) => toneOf(view.advantageTone, advantage),
    },
    {
      ...{ id: "return", text: rows[returnOf(view)] },
      cell: (turn) => signed(turn.return),
    },
    {
      ...{ id: "ratio", text: rows.ratio },
      cell: (turn, h) => ratioText(turn, cutBy(view, h)),
    },
  ];
}

/** Which words the row of returns has. */
function returnOf({ hasTargets, episode, foreign }: RibbonView) {
  if (hasTargets) return "return";
  if (isFork(episode)) return "returnOfFork";
  return foreign ? "returnComputed" : "returnToGo";
}

function ratioText({ ratio, clipped }: RibbonTurn, cut: string): string {
  // Where neither is told, as in a fork, one sign says so.
  const clip = clipped === null ? ratio !== null && words.clipUntold : clipped && cut;
  const number = ratio === null ? words.absent : formatNumber(ratio);
  return clip ? `${number}, ${clip}` : number;
}

type Known = NonNullable<RibbonView["truth"]>[number];

function truthText(truth: Known | undefined): string {
  if (!truth || !Number.isFinite(truth.value)) return words.absent;
  const [low, high] = truth.valueInterval.map((end) => formatSigned(end));
  return `${formatSigned(truth.value)} (${low} to ${high})`;
}

function NumberRows({ view, columns }: { view: RibbonView; columns: number[] }) {
  return numberRows(view).map(({ id, text, cell, tone }) => (
    <Row key={id} name={text.name} hint={text.hint} id={id}>
      {columns.map((h) => {
        const turn = view.turns[h]!;
        const background = tone && toneBackground(tone(turn));
        return (
          <td key={h} className={h === view.turn ? "number ribbon-current" : "number"}>
            <span style={background ? { background } : undefined}>{cell(turn, h)}</span>
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
