/** A chart of curves with its title and menu, its lines' names and numbers, and the same in words and as a table. */
import { useId, useMemo, useState, type ReactNode } from "react";
import type { CurveFigure } from "../figures/curves/chart.ts";
import { describeCurve } from "../figures/curves/curve.ts";
import { drawnTable, tableOfCurves } from "../figures/curves/table.ts";
import { labelFormat } from "../numeric/format.ts";
import { greatest } from "../numeric/lists.ts";
import { TextTable } from "../ui/DataTable.tsx";
import { Folded } from "../ui/Folded.tsx";
import { MenuItem } from "../ui/Menu.tsx";
import { useBrush, type ChartSync } from "./chartSync.ts";
import { CurveLegend } from "./CurveLegend.tsx";
import { CurvePlot } from "./CurvePlot.tsx";
import { planLabels } from "./endLabels.ts";
import { FigureFiles } from "./FigureFiles.tsx";
import { withStyles, type DrawnFigure } from "./palette.ts";
import { chartPicture } from "./picture.tsx";
import { useSize } from "./useSize.ts";
import { chartWords as words } from "./words.ts";

interface CurveChartProps {
  figure: CurveFigure;
  /** The same with every point and every interval, for its files. */
  whole: () => Promise<CurveFigure>;
  testId: string;
  sync: ChartSync;
  /** Whether the keys of the lens's charts work in it. */
  keys?: boolean;
  /** Whether a legend of all charts beside it names the lines. */
  namedElsewhere?: boolean;
  /** Further entries of its menu. */
  more?: ReactNode;
}

export function CurveChart({ figure, whole, testId, sync, more, ...rest }: CurveChartProps) {
  const { title, code, hint, curves, xName, format, formatX, onset } = figure;
  const titleId = useId();
  const drawn = useMemo(() => withStyles(figure), [figure]);
  const sentences = curves.map((curve) => describeCurve(curve, xName, format, formatX));
  const summary = [...sentences, ...(onset ? [`${onset.says}.`] : [])].join(" ");
  const numbers = async () => tableOfCurves((await whole()).curves, xName);
  return (
    <figure className="chart curve-chart" aria-labelledby={titleId} data-testid={testId}>
      <figcaption>
        <div className="curve-title">
          <h4 id={titleId} title={hint}>
            {title}
          </h4>
          {code !== undefined && code !== title && (
            <code className="curve-code" title={code}>
              {code}
            </code>
          )}
          <FigureFiles
            title={title}
            name={code ?? title}
            table={numbers}
            picture={async () => chartPicture(withStyles(await whole()))}
            more={
              <>
                <ZoomItems sync={sync} />
                {more}
              </>
            }
          />
        </div>
      </figcaption>
      <Readable figure={drawn} sync={sync} summary={summary} {...rest} />
      {/* Built only when opened: hundreds of cells, four times a second. */}
      <Folded
        className="chart-data"
        title={words.behind(title)}
        always={
          <p data-testid={`${testId}-summary`}>
            {hint !== undefined && `${hint} `}
            {summary}
          </p>
        }
      >
        <CurveTable figure={figure} testId={`${testId}-table`} />
      </Folded>
    </figure>
  );
}

function ZoomItems({ sync }: { sync: ChartSync }) {
  const brush = useBrush(sync);
  const showAll = () => {
    sync.select(null);
    sync.zoom(null);
  };
  return (
    <>
      {brush && <MenuItem onSelect={() => sync.zoom(brush)}>{words.zoomIn}</MenuItem>}
      <MenuItem onSelect={showAll}>{words.clear}</MenuItem>
    </>
  );
}

function CurveTable({ figure, testId }: { figure: CurveFigure; testId: string }) {
  const { columns, rows } = drawnTable(figure);
  const all = greatest([0, ...figure.curves.map(({ x }) => x.length)]);
  return (
    <>
      {rows.length < all && <p className="note">{words.sampled(rows.length, all)}</p>}
      <TextTable
        label={words.table(figure.title)}
        testId={testId}
        head={[figure.steps ? figure.xName : words.iteration, ...columns.map(({ name }) => name)]}
        headProps={(i) => (i === 0 ? undefined : { "data-series": columns[i - 1]!.key })}
        rows={rows}
        rowProps={([iteration]) => ({ "data-x": iteration })}
      />
    </>
  );
}

type ReadableProps = Pick<CurveChartProps, "sync" | "keys" | "namedElsewhere"> & {
  figure: DrawnFigure;
  summary: string;
};

/** Legend and picture. With keys the picture can have the focus; while it has, the legend is spoken as it changes. */
function Readable({ figure, sync, keys, namedElsewhere = false, summary }: ReadableProps) {
  const { title, curves, format } = figure;
  const [focused, setFocused] = useState(false);
  const { ref, size } = useSize<HTMLDivElement>();
  const labels = size ? planLabels(curves, labelFormat(format), size) : undefined;
  const own = ownNotes(figure);
  // Before its size is known, a chart has the room that most keep.
  const isNamed = !labels || labels.complete || (namedElsewhere && labels.kind !== "none");
  const quiet = isNamed && own.length < 2;
  const blur = () => {
    setFocused(false);
    sync.read(null);
  };
  const focusable = {
    tabIndex: 0,
    "data-scope": "curves",
    onFocus: () => setFocused(true),
    onBlur: blur,
  };
  return (
    <>
      <CurveLegend figure={figure} sync={sync} spoken={focused} quiet={quiet} />
      <div className="chart-body">
        <div
          ref={ref}
          role="img"
          aria-label={`${title}. ${keys ? words.keys : summary}`}
          className="chart-drawing"
          {...(keys && focusable)}
        >
          {size && <CurvePlot {...figure} sync={sync} size={size} labels={labels} />}
        </div>
        {[...figure.notes, ...(quiet ? own : [])].map((note) => (
          <p key={note} className="chart-hint" data-testid="chart-note">
            {note}
          </p>
        ))}
      </div>
    </>
  );
}

/** What the legend says of lines besides their names. */
function ownNotes({ curves }: DrawnFigure): string[] {
  const noted = curves.filter(({ note }) => note !== "");
  const isBeside = noted.length < curves.length;
  const notes = noted.map(({ note, band }) =>
    band ? words.band(note, isBeside) : words.lines(note),
  );
  return [...new Set(notes)];
}
