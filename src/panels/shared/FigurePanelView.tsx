/** A panel that is a figure: what it is made from comes from the run's store, and what is done in it goes there. */
import { memo, useMemo, useRef, useState } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { FigureView } from "../../draw/FigureView.tsx";
import type { FigurePanel, FigureInput } from "../../figures/figure.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { setLens } from "../../store/lens.ts";
import type { Setting, SettingTable } from "../../store/lensCodecs.ts";
import { settingIn, withSetting } from "../../store/lensSettings.ts";
import { useActions } from "../../ui/useActions.ts";
import { NoEpisodes } from "./NoEpisodes.tsx";
import { PanelFrame } from "./PanelFrame.tsx";
import { useCursor, type Cursor } from "./useCursor.ts";
import { useSlicedRedraw } from "./useSlicedRedraw.ts";

interface ViewProps<S extends SettingTable, Read> {
  of: FigurePanel<S, Read>;
}

const selectTruths = ({ truths }: ExperimentState) => truths;
const selectBrush = ({ curves }: ExperimentState) =>
  curves.axis === "iteration" ? curves.brush : null;

export function FigurePanelView<S extends SettingTable, Read>({ of }: ViewProps<S, Read>) {
  const Body = (of.read ? SlicedBody : PlainBody) as typeof PlainBody<S, Read>;
  const { panel, about, region } = of;
  return (
    <PanelFrame
      panel={panel}
      {...(about !== undefined && { about })}
      {...(region !== undefined && { region })}
    >
      <Body of={of} />
    </PanelFrame>
  );
}

/** Drawn anew as charts are: one at a time, and only in sight. */
function PlainBody<S extends SettingTable, Read>({ of }: ViewProps<S, Read>) {
  const cursor = useCursor();
  const { view, at } = cursor;
  const newest = useMemo(() => ({ view, at }), [view, at]);
  const { ref, shown } = useRedraw(newest, view.log);
  const isMissing = of.panel.needsEpisodes !== null && at.episodes.length === 0;
  return (
    <div ref={ref}>
      {isMissing && of.isEmpty?.(view, at) !== false ? (
        <NoEpisodes panel={of.panel} />
      ) : (
        <Drawn of={of} {...shown} read={null as Read} move={cursor.move} />
      )}
    </div>
  );
}

/** The same for what is read in slices, again for every iteration that finishes. */
function SlicedBody<S extends SettingTable, Read>({ of }: ViewProps<S, Read>) {
  const { view, at, move } = useCursor();
  const [isReading, setReading] = useState(false);
  const { work } = useMemo(() => ({ work: workOf(of) }), [of]);
  const { ref, shown } = useSlicedRedraw(useEachIteration(view, isReading), view.log, work);
  const reads = shown !== null && of.isReading?.(shown.read) === true;
  if (reads !== isReading) setReading(reads);
  return (
    <div ref={ref}>
      {shown && <Drawn of={of} view={shown.view} at={at} read={shown.read} move={move} />}
    </div>
  );
}

const workOf = <S extends SettingTable, Read>({ read }: FigurePanel<S, Read>) =>
  function* made(view: RunView): Sliced<{ view: RunView; read: Read }> {
    return { view, read: yield* read!(view) };
  };

/** The view when its log had another finished iteration; while something is being read, every one. */
function useEachIteration(view: RunView, isReading: boolean): RunView {
  const [last, setLast] = useState({ view, finished: finishedIn(view) });
  const finished = finishedIn(view);
  const isNew = last.view.log !== view.log || last.finished !== finished || isReading;
  if (isNew && last.view !== view) setLast({ view, finished });
  return last.view;
}

const finishedIn = ({ log }: RunView) =>
  log.algorithms.reduce((sum, name) => sum + log.iterations(name).length, 0);

interface DrawnProps<S extends SettingTable, Read> extends ViewProps<S, Read> {
  view: RunView;
  at: Cursor["at"];
  read: Read;
  move: Cursor["move"];
}

function DrawnFigure<S extends SettingTable, Read>({
  of,
  view,
  at,
  read,
  move,
}: DrawnProps<S, Read>) {
  const { panel, moves = {}, figure } = of;
  const { store } = useExperiment();
  const truths = useExperimentState(selectTruths);
  const brush = useExperimentState(selectBrush);
  const settings = useExperimentState(({ lens }) => lens.settings);
  const [held, setHeld] = useState<Readonly<Record<string, string>>>({});
  const ref = useRef<HTMLDivElement>(null);
  useActions(ref, (id) => {
    const by = moves[id];
    if (by) store.setState(({ view: { log }, choice }) => ({ choice: by(log, choice) }));
  });
  const set = useMemo(() => settingsOf(panel, settings), [panel, settings]);
  const shown = useMemo(
    () => figure({ view, at, set, held, truths, brush }, read),
    [figure, view, at, set, held, truths, brush, read],
  );
  const choose = (id: string, value: string) => {
    const setting = panel.settings[id];
    if (!setting) return setHeld({ ...held, [id]: value });
    setLens(store, (lens) => ({
      ...lens,
      settings: withSetting(lens.settings, `${panel.id}:${id}`, setting, setting.read(value)),
    }));
  };
  return (
    <div ref={ref}>
      <FigureView figure={shown} panel={panel.id} choose={choose} move={move} />
    </div>
  );
}

const Drawn = memo(DrawnFigure) as typeof DrawnFigure;

function settingsOf<S extends SettingTable>(
  { id, settings }: FigurePanel<S>["panel"],
  said: ExperimentState["lens"]["settings"],
): FigureInput<S>["set"] {
  const values = Object.entries(settings).map(([name, setting]) => [
    name,
    settingIn(said, `${id}:${name}`, setting as Setting<unknown>),
  ]);
  return Object.fromEntries(values) as FigureInput<S>["set"];
}
