/**
 * An interactive figure: sliders above, rows of numbers below, and a sentence that describes them.
 */
import { useId, useState, type CSSProperties } from "react";
import { formatBrief, formatPercent } from "../../numeric/format.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Button } from "../../ui/Button.tsx";
import { Slider } from "../../ui/Slider.tsx";
import { Chart } from "../../draw/Chart.tsx";
import { SignedNumber } from "../../draw/SignedNumber.tsx";
import { explorations } from "./explorations.ts";
import type { Exploration, ExploreData, ExploreRow, Standing } from "./exploration.ts";
import { exploreWords as words } from "./words.ts";
import "./explore.css";

interface ExploreFigureProps {
  /** Which figure; see explorations.ts. */
  figure: string;
  data: ExploreData;
  /** Initial positions of the handles, if they differ from the figure's own. */
  set: Standing;
  /** Hidden handles: they keep their positions. */
  hide: readonly string[];
  /** Source of the numbers; "" for none. */
  source: string;
}

export function ExploreFigure({ figure, ...props }: ExploreFigureProps) {
  const exploration = Object.hasOwn(explorations, figure) ? explorations[figure]! : null;
  if (!exploration) return null;
  return <Explored key={figure} exploration={exploration} {...props} />;
}

interface ExploredProps extends Omit<ExploreFigureProps, "figure"> {
  exploration: Exploration;
}

function Explored({ exploration, data, set, hide, source }: ExploredProps) {
  const { title, handles, show } = exploration;
  const start = { ...Object.fromEntries(handles.map((one) => [one.id, one.start])), ...set };
  const [at, setAt] = useState<Standing>(start);
  const { columns, unit = "", rows, drawing, says } = show(at, data);
  const among = creditsIn(rows);
  const id = useId();
  const isMoved = handles.some((one) => at[one.id] !== start[one.id]);
  return (
    <section className="explore" aria-labelledby={id} data-testid="explore">
      <header>
        <h3 id={id}>{title}</h3>
        {source !== "" && <p className="note">{source}</p>}
      </header>
      <div className="explore-handles">
        {handles
          .filter((one) => !hide.includes(one.id))
          .map((handle) => (
            <Slider
              key={handle.id}
              range={handle}
              testId={`handle-${handle.id}`}
              value={at[handle.id] ?? 0}
              onChange={(value) => setAt({ ...at, [handle.id]: value })}
            />
          ))}
        <Button data-testid="explore-reset" disabled={!isMoved} onClick={() => setAt(start)}>
          {words.reset}
        </Button>
      </div>
      {drawing && <Chart block={drawing} />}
      <DataTable
        label={title}
        className="explore-rows"
        keyOf={({ name }, place) => `${name}-${place}`}
        rows={rows}
        rowProps={({ own }) => ({ "data-own": own })}
        columns={[
          {
            id: "name",
            head: unit === "" ? NAMELESS : unit,
            kind: "name",
            cell: ({ name }: ExploreRow) => name,
          },
          ...columns.map((name, i) => columnOf(name, i, columns.length, among)),
        ]}
      />
      <p className="explore-says" role="status" data-testid="explore-says">
        {says}
      </p>
    </section>
  );
}

/** Visually hidden header above the names of rows: an empty heading is reported as an error by checkers. */
const NAMELESS = <span className="visually-hidden">{words.quantity}</span>;

/** Percent of the width that columns share equally; the names of rows get the rest, and more if needed. */
const SHARED = 80;

function columnOf(
  name: string,
  i: number,
  of: number,
  among: readonly number[],
): TableColumn<ExploreRow> {
  return {
    id: `${i}`,
    head: name,
    headProps: { style: { "--part": `${SHARED / of}%` } as CSSProperties },
    kind: "number",
    cell: ({ kind, values, half }) => {
      const value = values[i] ?? null;
      if (value === null) return "–";
      if (kind === "credit") return <SignedNumber value={value} among={among} />;
      if (kind === "count") return String(value);
      if (kind === "share") return <Share value={value} />;
      if (kind === "amount" || !half) return formatBrief(value);
      return <Interval value={value} half={half[i]!} among={among} />;
    },
  };
}

/** Credits of all rows, so that bars have the same scale in all rows. */
function creditsIn(rows: readonly ExploreRow[]): number[] {
  return rows
    .filter(({ kind }) => kind === "credit" || kind === "truth")
    .flatMap(({ values }) => values.filter((one) => one !== null));
}

/** A vertical bar, with its number below. */
function Share({ value }: { value: number }) {
  return (
    <span className="explore-share" data-value={value}>
      <i style={{ "--share": value.toFixed(3) } as CSSProperties} aria-hidden="true" />
      {formatPercent(value)}
    </span>
  );
}

interface IntervalProps {
  value: number;
  half: number;
  among: readonly number[];
}

/** A bar in ink, like truth; pale if its sign is uncertain. */
function Interval({ value, half, among }: IntervalProps) {
  return (
    <span className="explore-interval" data-open={Math.abs(value) <= half}>
      <SignedNumber value={value} among={among} /> <small>±{formatBrief(half)}</small>
    </span>
  );
}
