/** Charts of a run beside similar runs: for the cell of curves, the opening page, and for lines put together elsewhere. */
import { memo, useCallback, useMemo } from "react";
import { IterationChart } from "../../charts/IterationChart.tsx";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { lineFigure, runInput, wholeFigure, type ChartInput } from "../../figures/curves/chart.ts";
import { drawnMethods } from "../../figures/curves/lines.ts";
import type { Metric } from "../../figures/curves/metrics.ts";
import { sentBeside } from "../../figures/curves/sent.ts";
import { cursorTo } from "../../figures/curves/moves.ts";
import type { Window } from "../../numeric/scale.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { fitting } from "../../store/seeds.ts";
import { resolveChoice } from "../../store/turnChoice.ts";

interface RunChartProps {
  input: ChartInput;
  testId: string;
  /** A highlighted iteration. */
  mark?: number | undefined;
  /** Moves the cursor to a point of a curve of the run. */
  choose?: (curve: string, iteration: number) => void;
}

/** A chart that is read and zoomed by itself. */
export function RunChart({ input, testId, ...cursor }: RunChartProps) {
  const zoomed = useCallback(
    (domain: Window | null) => ({ ...input, settings: { ...input.settings, domain } }),
    [input],
  );
  const figure = useCallback((domain: Window | null) => lineFigure(zoomed(domain)), [zoomed]);
  const whole = (domain: Window | null) => wholeFigure(zoomed(domain));
  return <IterationChart figure={figure} whole={whole} testId={testId} {...cursor} />;
}

/** The curves that came with the link that promises this run. */
export function useSentLog(log: RunLog): RunLog | null {
  const expected = useExperimentState("expected");
  const { start } = log;
  // A log has no start before its first event.
  return useMemo(() => (start ? sentBeside(log, expected) : null), [log, start, expected]);
}

interface CurrentChartProps {
  view: RunView;
  seeds: readonly RunLog[];
  metric: Metric;
  /** Names of methods, with commas; absent: the first six. */
  drawn?: string;
  /** Its place, if a page has the same chart twice. */
  place?: string;
  /** Of lines of training, from 0 to below 1: their numbers stay pale behind. Absent: none. */
  smoothing?: number;
}

/** In its own task, and only while it is on screen. */
export function CurrentChart({ view, ...rest }: CurrentChartProps) {
  const { ref, shown } = useRedraw(view, view.log);
  return (
    // data-scope: it draws the cursor, so its keys work here.
    <div ref={ref} className="curve-cell" data-scope="turns">
      <ChartOfRun view={shown} {...rest} />
    </div>
  );
}

/** The recorded run, which a live one is drawn over. */
const selectRecorded = ({ recorded, view }: ExperimentState) =>
  (view.origin === "live" && recorded?.log) || null;

/** The iteration that the cursor was put at; none while it follows the run. */
const selectMark = ({ view, choice }: ExperimentState) =>
  choice.iteration === null ? undefined : resolveChoice(view.log, choice).iteration;

/** Drawn once per view: the parent renders more often than that. */
const ChartOfRun = memo(function ChartOfRun(props: CurrentChartProps) {
  const { view, seeds, metric, drawn, place = "", smoothing = 0 } = props;
  const { log } = view;
  const { store } = useExperiment();
  const sent = useSentLog(log);
  const recorded = useExperimentState(selectRecorded);
  const mark = useExperimentState(selectMark);
  const names = drawn ?? drawnMethods(log.algorithms, []).join();
  const input = useMemo(() => {
    const run = { log: view.log, seeds, sent, recorded, drawn: names.split(","), smoothing };
    const made = runInput(metric, run);
    return place === "" ? made : { ...made, code: undefined };
  }, [view, seeds, sent, recorded, names, smoothing, metric, place]);
  const choose = useCallback(
    (curve: string, iteration: number) =>
      store.setState((state) => cursorTo(state, curve, iteration)),
    [store],
  );
  return <RunChart input={input} testId={`${place}chart-${metric.id}`} {...{ mark, choose }} />;
});

/** The run of the page, and the recorded seeds that fit it. */
export function useRunWithSeeds(): { view: RunView; seeds: readonly RunLog[] } {
  const view = useExperimentState("view");
  return { view, seeds: fitting(view, useExperimentState("seeds")) };
}
