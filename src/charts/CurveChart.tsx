/** A chart of curves with its title and menu, its lines' names and numbers, and the same in words and as a table. */
import { useState, type ReactNode } from "react";
import { ChartFigure } from "./ChartFigure.tsx";
import { ChartMenu, type ChartFile } from "./ChartMenu.tsx";
import type { ChartSync } from "./chartSync.ts";
import { describeCurve } from "./curve.ts";
import { CurveLegend } from "./CurveLegend.tsx";
import { CurvePlot, type CurvePlotProps } from "./CurvePlot.tsx";
import { CurveTable } from "./CurveTable.tsx";
import { planLabels } from "./endLabels.ts";
import { labelFormat } from "../numeric/format.ts";
import { useSize } from "./useSize.ts";
import { chartWords as words } from "./words.ts";

interface CurveChartProps extends Omit<CurvePlotProps, "sync" | "size" | "labels"> {
  title: string;
  /** What it is called in a log, small beside the title. */
  code?: string | undefined;
  /** One sentence on what is measured. */
  hint?: string | undefined;
  testId: string;
  /** One step on x, e.g. "iteration". */
  xName: string;
  sync: ChartSync;
  /** Whether the keys of the lens's charts work in it. */
  keys?: boolean;
  /** Whether a legend of all charts beside it names the lines. */
  namedElsewhere?: boolean;
  /** Sentences on what the picture cannot show. */
  notes?: readonly string[];
  /** Its numbers as text and as a picture. */
  file: ChartFile;
  /** Further entries of its menu. */
  more?: ReactNode;
}

export function CurveChart(props: CurveChartProps) {
  const { title, code, hint, testId, curves, xName, format, formatX } = props;
  const summary = curves.map((curve) => describeCurve(curve, xName, format, formatX)).join(" ");
  return (
    <ChartFigure
      title={title}
      code={code}
      hint={hint}
      testId={testId}
      tools={<ChartMenu title={title} file={props.file} sync={props.sync} more={props.more} />}
      summary={summary}
      className="curve-chart"
      table={<CurveTable {...props} testId={`${testId}-table`} />}
    >
      <Readable {...props} summary={summary} />
    </ChartFigure>
  );
}

/** Legend and picture. With keys the picture can have the focus; while it has, the legend is spoken as it changes. */
function Readable(props: CurveChartProps & { summary: string }) {
  const { title, curves, sync, format, formatX, xName, byIteration, keys } = props;
  const [focused, setFocused] = useState(false);
  const { ref, size } = useSize<HTMLDivElement>();
  const labels = size ? planLabels(curves, labelFormat(format), size) : undefined;
  const own = ownNotes(curves);
  // Before its size is known, a chart has the room that most keep.
  const isNamed =
    !labels || labels.complete || (props.namedElsewhere === true && labels.kind !== "none");
  const quiet = isNamed && own.length < 2;
  const notes = [...(props.notes ?? []), ...(quiet ? own : [])];
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
      <CurveLegend
        curves={curves}
        sync={sync}
        format={format}
        formatX={formatX}
        xName={xName}
        byIteration={byIteration}
        spoken={focused}
        quiet={quiet}
        hint={props.hint}
      />
      <div className="chart-body">
        <div
          ref={ref}
          role="img"
          aria-label={`${title}. ${keys ? words.keys : props.summary}`}
          className="chart-drawing"
          {...(keys && focusable)}
        >
          {size && <CurvePlot {...props} size={size} labels={labels} />}
        </div>
        {notes.map((note) => (
          <p key={note} className="chart-hint" data-testid="chart-note">
            {note}
          </p>
        ))}
      </div>
    </>
  );
}

/** What the legend says of lines besides their names. */
function ownNotes(curves: CurveChartProps["curves"]): string[] {
  const noted = curves.filter(({ note }) => note !== "");
  const isBeside = noted.length < curves.length;
  const notes = noted.map(({ note, band }) =>
    band ? words.band(note, isBeside) : words.lines(note),
  );
  return [...new Set(notes)];
}
