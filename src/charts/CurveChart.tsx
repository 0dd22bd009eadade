/** A chart of curves with its title, its legend that reads them, and the same in words and as a table. */
import { useId, useState, type ReactNode } from "react";
import { Folded } from "../ui/Folded.tsx";
import type { ChartSync } from "./chartSync.ts";
import { describeCurve } from "./curve.ts";
import { type Curve } from "./curveTypes.ts";
import { CurveLegend } from "./CurveLegend.tsx";
import { CurvePlot, type CurvePlotProps } from "./CurvePlot.tsx";
import { CurveTable } from "./CurveTable.tsx";
import { chartWords as words } from "./words.ts";

export interface CurveChartProps extends Omit<CurvePlotProps, "sync" | "size"> {
  title: string;
  /** One sentence under the title. */
  hint: string;
  testId: string;
  /** One step on x, e.g. "iteration". */
  xName: string;
  sync: ChartSync;
  /** Sentences on what the picture cannot show. */
  notes: readonly string[];
  /** Buttons in the title's line. */
  tools: ReactNode;
  /** Under the table. */
  exports: ReactNode;
}

export function CurveChart(props: CurveChartProps) {
  const { title, hint, testId, curves, xName, format, formatX, byIteration, sync, notes } = props;
  const titleId = useId();
  return (
    <figure className="chart curve-chart" aria-labelledby={titleId} data-testid={testId}>
      <figcaption>
        <div className="curve-title">
          <h4 id={titleId}>{title}</h4>
          {props.tools}
        </div>
        <p className="chart-hint">{hint}</p>
      </figcaption>
      <Readable {...{ title, curves, sync, format, formatX, xName, byIteration, notes }}>
        <CurvePlot {...props} />
      </Readable>
      <Behind {...props} />
    </figure>
  );
}

interface ReadableProps {
  title: string;
  curves: readonly Curve[];
  sync: ChartSync;
  format: (value: number) => string;
  formatX: (x: number) => string;
  xName: string;
  byIteration: boolean;
  notes: readonly string[];
  children: ReactNode;
}

/** Legend and picture. The picture can have the focus; while it has, the legend is spoken as it changes. */
function Readable({ title, notes, children, ...legend }: ReadableProps) {
  const [focused, setFocused] = useState(false);
  return (
    <>
      <CurveLegend {...legend} spoken={focused} />
      <div>
        <div
          role="img"
          tabIndex={0}
          data-scope="curves"
          aria-label={`${title}. ${words.keys}`}
          className="chart-drawing"
          onFocus={() => setFocused(true)}
          onBlur={() => {
            setFocused(false);
            legend.sync.read(null);
          }}
        >
          {children}
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

function Behind(props: CurveChartProps) {
  const { title, testId, curves, xName, format, formatX } = props;
  const say = (curve: Curve) => describeCurve(curve, xName, format, formatX);
  return (
    <Folded className="chart-data" title={words.behind(title)}>
      {/* Hundreds of cells, four times a second: only for those who look. */}
      <Summary testId={`${testId}-summary`} say={() => curves.map(say).join(" ")} />
      <CurveTable {...props} testId={`${testId}-table`} />
      {props.exports}
    </Folded>
  );
}

function Summary({ testId, say }: { testId: string; say: () => string }) {
  return <p data-testid={testId}>{say()}</p>;
}
