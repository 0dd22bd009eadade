/** The curves of a chart; their intervals come a few at a time. */
import { useEffect, useMemo, useState } from "react";
import { useOwnPlace } from "../../charts/redrawQueue.ts";
import { buildCurves, type BuiltCurves } from "./curves.ts";
import { Intervals } from "./intervals.ts";
import type { CurveJob } from "./lines.ts";
import type { Metric } from "./metrics.ts";

/** One for the page: what is known of some numbers holds wherever they appear. */
const intervals = new Intervals();
/** Milliseconds for intervals in a job's first redraw, which is busy enough, and in those that bring what is left. */
const TIME_LIMIT = { first: 4, later: 8 };

/** The curves of a job: what could not be found in one redraw comes with the next. */
export function useCurves(job: CurveJob, metric: Metric, build = buildCurves): BuiltCurves {
  const [last, setLast] = useState({ job, pass: 0 });
  const pass = last.job === job ? last.pass : 0;
  const built = useMemo(() => {
    intervals.allow(pass === 0 ? TIME_LIMIT.first : TIME_LIMIT.later);
    return build(job, metric, intervals);
  }, [build, job, metric, pass]);
  const ask = useOwnPlace();
  useEffect(
    () => ask(built.unfinished ? () => setLast({ job, pass: pass + 1 }) : null),
    [ask, built, job, pass],
  );
  return built;
}
