/** A panel that is a figure: its data comes from the run's store, and its actions go there. */
import { memo, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { IterationSync } from "../../charts/chartSync.ts";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { FigureView, type FigureParts } from "../../draw/FigureView.tsx";
import type { Act, ChosenOptions, FigurePanel, FigureInput } from "../../figures/figure.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { estimatesAnswered, onEstimate } from "../../reading/credit/estimates.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { setLens } from "../../store/lens.ts";
import type { Setting, SettingTable } from "../../store/lensCodecs.ts";
import { settingIn, withSetting } from "../../store/lensSettings.ts";
import { useActions } from "../../ui/useActions.ts";
import { Empty } from "../../ui/Empty.tsx";
import { chartSync } from "./chartSync.ts";
import { NoEpisodes } from "./NoEpisodes.tsx";
import { PanelFrame } from "./PanelFrame.tsx";
import { panelWords } from "./strings.ts";
import { useCursor, type Cursor } from "./useCursor.ts";
import { useSlicedRedraw } from "./useSlicedRedraw.ts";

interface ViewProps<S extends SettingTable, Read> {
  of: FigurePanel<S, Read>;
  parts: FigureParts;
}

interface BodyProps<S extends SettingTable, Read> extends ViewProps<S, Read> {
  held: ChosenOptions;
  setHeld: (held: ChosenOptions) => void;
}

const selectTruths = ({ truths }: ExperimentState) => truths;
const selectByIteration = ({ curves }: ExperimentState) => curves.axis === "iteration";
const selectBrush = ({ curves }: ExperimentState) =>
  curves.axis === "iteration" ? curves.brush : null;

export function FigurePanelView<S extends SettingTable, Read>(props: ViewProps<S, Read>) {
  const { of } = props;
  const One = of.here ? HereBody : of.readAt ? CursorBody : of.read ? SlicedBody : PlainBody;
  const Body = One as typeof PlainBody<S, Read>;
  const { panel, about, region, ofRun = true } = of;
  const [held, setHeld] = useState<ChosenOptions>({});
  return (
    <PanelFrame
      panel={panel}
      ofRun={ofRun}
      {...(about !== undefined && { about })}
      {...(region !== undefined && { region })}
    >
      <Body {...props} held={held} setHeld={setHeld} />
    </PanelFrame>
  );
}

/** Redrawn like charts: one at a time, and only if visible. */
function PlainBody<S extends SettingTable, Read>(props: BodyProps<S, Read>) {
  const { of, held } = props;
  const { view, at, move } = useCursor();
  const set = useSettings(of.panel);
  const read = useReading(of, { view, at, set, held }) as Read;
  const newest = useMemo(() => ({ view, at, set, read }), [view, at, set, read]);
  const { ref, shown } = useRedraw(newest, view.log);
  return (
    <div ref={ref}>
      {isEmpty(of, view, at) ? (
        <NoEpisodes panel={of.panel} />
      ) : (
        <Drawn {...props} {...shown} move={move} />
      )}
    </div>
  );
}

function isEmpty<S extends SettingTable, Read>(
  { panel, isEmpty }: FigurePanel<S, Read>,
  view: RunView,
  at: Cursor["at"],
): boolean {
  const isMissing = panel.needsEpisodes !== null && at.episodes.length === 0;
  return isMissing && isEmpty?.(view, at) !== false;
}

/** The same for what is read at the cursor, in slices: until then, what was drawn last stays. */
function CursorBody<S extends SettingTable, Read>(props: BodyProps<S, Read>) {
  const { of } = props;
  const set = useSettings(of.panel);
  const { view, at, move } = useCursor();
  const newest = useMemo(() => ({ view, at }), [view, at]);
  const { work } = useMemo(() => ({ work: workAt(of) }), [of]);
  const { ref, shown } = useSlicedRedraw(newest, view.log, work);
  return (
    <div ref={ref}>
      {!shown && <Empty>{panelWords.reading}</Empty>}
      {shown?.read === null && <NoEpisodes panel={of.panel} />}
      {shown && shown.read !== null && (
        <Drawn {...props} {...shown} read={shown.read} set={set} move={move} />
      )}
    </div>
  );
}

/** `read` null: there is no episode. */
const workAt = <S extends SettingTable, Read>(of: FigurePanel<S, Read>) =>
  function* made({ view, at }: Pick<Cursor, "view" | "at">): Sliced<ReadAt<Read>> {
    return { view, at, read: isEmpty(of, view, at) ? null : yield* of.readAt!(view, at) };
  };

type ReadAt<Read> = Pick<Cursor, "view" | "at"> & { read: Read | null };

/** The same for data read in slices, again for every finished iteration. */
function SlicedBody<S extends SettingTable, Read>(props: BodyProps<S, Read>) {
  const { of } = props;
  const set = useSettings(of.panel);
  const { view, at, move } = useCursor();
  const [isReading, setReading] = useState(false);
  const { work } = useMemo(() => ({ work: workOf(of) }), [of]);
  const { ref, shown } = useSlicedRedraw(useEachIteration(view, isReading), view.log, work);
  const reads = shown !== null && of.isReading?.(shown.read) === true;
  if (reads !== isReading) setReading(reads);
  return (
    <div ref={ref}>
      {shown && (
        <Drawn {...props} view={shown.view} at={at} set={set} read={shown.read} move={move} />
      )}
    </div>
  );
}

/** The same for data of the cursor's place: choices follow at once, the rest when it is read. */
function HereBody<S extends SettingTable, Read>(props: BodyProps<S, Read>) {
  const { of, held } = props;
  const set = useSettings(of.panel);
  const { view, at, move } = useCursor();
  const truths = useExperimentState(selectTruths);
  // A row of one's own code is answered later.
  useSyncExternalStore(onEstimate, estimatesAnswered);
  const wanted = useFirst({ view, at, set, held, truths }, of.here!.needs);
  const { ref, shown } = useSlicedRedraw(wanted, view.log, of.here!.read);
  const isMissing = of.panel.needsEpisodes !== null && at.episodes.length === 0;
  return (
    <div ref={ref}>
      {isMissing ? (
        <NoEpisodes panel={of.panel} />
      ) : (
        <Drawn {...props} {...{ view, at, set, move }} read={shown as Read} />
      )}
    </div>
  );
}

/** The value, or an earlier one with the same needs. */
function useFirst<T>(value: T, needsOf: (value: T) => readonly unknown[]): T {
  const needs = needsOf(value);
  const [first, setFirst] = useState({ value, needs });
  const isSame = needs.every((one, i) => Object.is(one, first.needs[i]));
  if (!isSame) setFirst({ value, needs });
  return isSame ? first.value : value;
}

const workOf = <S extends SettingTable, Read>({ read }: FigurePanel<S, Read>) =>
  function* made(view: RunView): Sliced<{ view: RunView; read: Read }> {
    return { view, read: yield* read!(view) };
  };

/** Milliseconds between two pictures of what has been read so far. */
const PUBLISH = 500;

/** Reads what `readNext` still lacks, in tasks of its own; the number changes when there is more to show. */
function useReading<S extends SettingTable, Read>(
  { readNext }: FigurePanel<S, Read>,
  { view, at, set, held }: Pick<FigureInput<S>, "view" | "at" | "set" | "held">,
): number {
  const [read, setRead] = useState(0);
  useEffect(() => {
    if (!readNext) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let published = -Infinity;
    let isNew = false;
    const work = () => {
      const reads = readNext({ view, at, set, held });
      isNew ||= reads;
      if (isNew && (!reads || performance.now() - published > PUBLISH)) {
        published = performance.now();
        isNew = false;
        setRead((n) => n + 1);
      }
      if (reads) timer = setTimeout(work);
    };
    timer = setTimeout(work);
    return () => clearTimeout(timer);
  }, [readNext, view, at, set, held]);
  return read;
}

/** The view at the last finished iteration of its log; while something is being read, every one. */
function useEachIteration(view: RunView, isReading: boolean): RunView {
  const [last, setLast] = useState({ view, finished: finishedIn(view) });
  const finished = finishedIn(view);
  const isNew = last.view.log !== view.log || last.finished !== finished || isReading;
  if (isNew && last.view !== view) setLast({ view, finished });
  return last.view;
}

const finishedIn = ({ log }: RunView) =>
  log.algorithms.reduce((sum, name) => sum + log.iterations(name).length, 0);

interface DrawnProps<S extends SettingTable, Read> extends BodyProps<S, Read> {
  view: RunView;
  at: Cursor["at"];
  set: FigureInput<S>["set"];
  read: Read;
  move: Cursor["move"];
}

function DrawnFigure<S extends SettingTable, Read>({
  of,
  parts,
  view,
  at,
  set,
  read,
  move,
  held,
  setHeld,
}: DrawnProps<S, Read>) {
  const { panel, moves = {}, figure } = of;
  const { store } = useExperiment();
  const truths = useExperimentState(selectTruths);
  const brush = useExperimentState(selectBrush);
  const byIteration = useExperimentState(selectByIteration);
  const ref = useRef<HTMLDivElement>(null);
  const moveBy = (id: string) => {
    const by = moves[id];
    if (by) store.setState(({ view: { log }, choice }) => ({ choice: by(log, choice) }));
  };
  useActions(ref, moveBy);
  const shown = useMemo(
    () => figure({ view, at, set, held, truths, brush }, read),
    [figure, view, at, set, held, truths, brush, read],
  );
  const choose = (options: ChosenOptions) => {
    const all = Object.entries(options);
    const others = all.filter(([id]) => !panel.settings[id]);
    if (others.length > 0) setHeld({ ...held, ...Object.fromEntries(others) });
    if (others.length === all.length) return;
    setLens(store, (lens) => ({
      ...lens,
      settings: all.reduce((settings, [id, value]) => {
        const setting = panel.settings[id];
        if (!setting) return settings;
        return withSetting(
          settings,
          `${panel.id}:${id}`,
          setting,
          setting.read(value) ?? setting.start,
        );
      }, lens.settings),
    }));
  };
  const does = (act: Act) => {
    if ("move" in act) moveBy(act.move);
    else if ("to" in act) move(act.to);
    else choose(act.choose);
  };
  const sync = useMemo(() => chartSync(store), [store]);
  return (
    <div ref={ref}>
      <IterationSync value={byIteration ? sync : null}>
        <FigureView figure={shown} panel={panel.id} parts={parts} does={does} />
      </IterationSync>
    </div>
  );
}

const Drawn = memo(DrawnFigure) as typeof DrawnFigure;

/** What the address keeps of the panel. */
function useSettings<S extends SettingTable>({
  id,
  settings,
}: FigurePanel<S>["panel"]): FigureInput<S>["set"] {
  const said = useExperimentState(({ lens }) => lens.settings);
  return useMemo(() => {
    const values = Object.entries(settings).map(([name, setting]) => [
      name,
      settingIn(said, `${id}:${name}`, setting as Setting<unknown>),
    ]);
    return Object.fromEntries(values) as FigureInput<S>["set"];
  }, [id, settings, said]);
}
