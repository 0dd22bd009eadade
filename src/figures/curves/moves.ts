/** What keys do in a chart of curves, as changes of the experiment's state. */
import type { CurvesView } from "../../store/curvesView.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { runShelf, runsOf } from "../../store/runs.ts";
import { fitting } from "../../store/seeds.ts";
import { resolveChoice } from "../../store/turnChoice.ts";
import { nearestIndex } from "../../numeric/downsample.ts";
import { fullDomain, iterationAt, xOf } from "./axes.ts";
import { sentBeside } from "./sent.ts";

type CurvesMove = (state: ExperimentState) => Partial<ExperimentState>;

/** Share of the shown range that a zoom keeps, and that a step moves. */
const ZOOM = 0.5;
const STEP = 0.25;

const changing = (state: ExperimentState, changes: Partial<CurvesView>) => ({
  curves: { ...state.curves, ...changes },
});

/** All of the axis that any run that is drawn needs. */
export function wholeDomain(state: ExperimentState): [number, number] {
  const { view, recorded, curves, seeds, expected } = state;
  const sent = sentBeside(view.log, expected);
  const runs = runsOf(view, recorded, runShelf.getState(), fitting(view, seeds), sent);
  const logs = runs.filter(({ id }) => !curves.hidden.includes(id)).map(({ log }) => log);
  return fullDomain(logs, curves.axis);
}

/** Into the selection, if there is one; else by a factor around the point that is read. */
function zoomBy(factor: number): CurvesMove {
  return (state) => {
    const { brush } = state.curves;
    if (factor < 1 && brush) return changing(state, { domain: brush, brush: null });
    const [first, last] = wholeDomain(state);
    const [low, high] = state.curves.domain ?? [first, last];
    const middle = state.curves.reading ?? (low + high) / 2;
    const width = (high - low) * factor;
    // The point that is read does not move.
    const share = Math.max(0, Math.min(1, (middle - low) / (high - low || 1)));
    const from = Math.max(first, Math.min(last - width, middle - width * share));
    const to = Math.min(last, from + width);
    const all = factor > 1 && from <= first && to >= last;
    return to > from ? changing(state, { domain: all ? null : [from, to] }) : {};
  };
}

function goAlong(share: number): CurvesMove {
  return (state) => {
    const { domain } = state.curves;
    if (!domain) return {};
    const [first, last] = wholeDomain(state);
    const width = domain[1] - domain[0];
    const from = Math.max(first, Math.min(last - width, domain[0] + share * width));
    return changing(state, { domain: [from, from + width] });
  };
}

/** To the next iteration of the method at the cursor; the first time, to the cursor's own iteration. */
function readOn(by: 1 | -1): CurvesMove {
  return (state) => {
    const { view, choice, curves } = state;
    const { algorithm } = resolveChoice(view.log, choice);
    const xs = view.log
      .iterations(algorithm)
      .flatMap((n) => xOf(view.log, algorithm, curves.axis, n) ?? []);
    if (curves.reading === null)
      return changing(state, { reading: cursorX(state) ?? xs[0] ?? null });
    const at = nearestIndex(xs, curves.reading);
    const next = xs[Math.max(0, Math.min(xs.length - 1, at + by))];
    return next === undefined ? {} : changing(state, withinSight(curves, next));
  };
}

/** The zoom follows the point that is read. */
function withinSight({ domain }: CurvesView, reading: number): Partial<CurvesView> {
  if (!domain || (reading >= domain[0] && reading <= domain[1])) return { reading };
  const by = reading < domain[0] ? reading - domain[0] : reading - domain[1];
  return { reading, domain: [domain[0] + by, domain[1] + by] };
}

const cursorToReading: CurvesMove = (state) => {
  const { view, choice, curves } = state;
  if (curves.reading === null) return {};
  const { algorithm } = resolveChoice(view.log, choice);
  const iteration = iterationAt(view.log, algorithm, curves.axis, curves.reading);
  return iteration === null ? {} : cursorTo(state, `|${algorithm}`, iteration);
};

/** The first time the selection begins at the point that is read, the second time it ends there. */
const selectHere: CurvesMove = (state) => {
  const { reading, brush } = state.curves;
  if (reading === null) return {};
  const isBegun = brush !== null && brush[0] === brush[1];
  const from = isBegun ? brush[0] : reading;
  return changing(state, { brush: [Math.min(from, reading), Math.max(from, reading)] });
};

/** Clears the selection first, then the zoom. */
const clear: CurvesMove = (state) =>
  changing(state, state.curves.brush ? { brush: null } : { domain: null });

/** By the names that the panel's manifest gives them. */
export const curveMoves = {
  readEarlier: readOn(-1),
  readLater: readOn(1),
  cursorHere: cursorToReading,
  zoomIn: zoomBy(ZOOM),
  zoomOut: zoomBy(1 / ZOOM),
  panEarlier: goAlong(-STEP),
  panLater: goAlong(STEP),
  selectHere,
  zoomReset: clear,
} satisfies Record<string, CurvesMove>;

export type CurveMove = keyof typeof curveMoves;

export function isCurveMove(id: string): id is CurveMove {
  return Object.hasOwn(curveMoves, id);
}

/** The cursor's position on the axis; null if it has none. */
export function cursorX({ view, choice, curves }: ExperimentState): number | null {
  if (view.origin === "none") return null;
  const { algorithm, iteration, iterations } = resolveChoice(view.log, choice);
  return iterations.length === 0 ? null : xOf(view.log, algorithm, curves.axis, iteration);
}

/** The cursor at a curve's method, where the shown run has it, and at its closest iteration with episodes. */
export function cursorTo(
  { view: { log }, choice }: ExperimentState,
  curve: string,
  iteration: number,
): Partial<ExperimentState> {
  const named = curve.slice(curve.lastIndexOf("|") + 1);
  const algorithm = log.algorithms.includes(named) ? named : resolveChoice(log, choice).algorithm;
  const iterations = log.iterationsWithEpisodes(algorithm);
  const nearest = iterations[nearestIndex(iterations, iteration)];
  return nearest === undefined ? {} : { choice: { ...choice, algorithm, iteration: nearest } };
}
