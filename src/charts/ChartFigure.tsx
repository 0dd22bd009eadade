/** The frame of every chart: a title with a sentence, the picture, and the same as text and as a table. */
import { useId, type ReactNode } from "react";
import { Folded } from "../ui/Folded.tsx";
import { chartWords as words } from "./words.ts";

interface ChartFigureProps {
  title: string;
  /** Its name in a log, small beside the title. */
  code?: string | undefined;
  /** One sentence on what is shown. */
  hint?: string | undefined;
  testId: string;
  className?: string;
  /** Buttons in the title's line. */
  tools?: ReactNode;
  /** Legend and picture. */
  children: ReactNode;
  /** The chart in sentences. */
  summary: string;
  /** Built only when opened: hundreds of cells, four times a second. */
  table: ReactNode;
}

export function ChartFigure(props: ChartFigureProps) {
  const { title, code, hint, testId, className = "", tools, children, summary, table } = props;
  const titleId = useId();
  return (
    <figure className={`chart ${className}`} aria-labelledby={titleId} data-testid={testId}>
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
          {tools}
        </div>
      </figcaption>
      {children}
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
        {table}
      </Folded>
    </figure>
  );
}
