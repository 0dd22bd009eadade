/** A panel that is a figure: its data comes from the run's store, and its actions go there. */
import { memo, useMemo, useRef, useState } from "react";
import { IterationSync } from "../../charts/chartSync.ts";
import { useCover, useDrawn } from "../../charts/redrawQueue.ts";
import { FigureView, type FigureParts } from "../../draw/FigureView.tsx";
import type { Act, ChosenOptions } from "../../figures/choices.ts";
import type { FigurePanel, FigureInput } from "../../figures/figure.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import type { ExperimentState, ExperimentStore } from "../../store/experimentState.ts";
import { useGuessKeys } from "../../store/guessKeys.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { setLens, withAlone, withPanel } from "../../store/lens.ts";
import type { SettingTable } from "../../store/lensCodecs.ts";
import { useActions } from "../../ui/useActions.ts";
import { useSliced } from "../../ui/useSliced.ts";
import { Empty } from "../../ui/Empty.tsx";
import { chartSync } from "./chartSync.ts";
import { NoEpisodes } from "./NoEpisodes.tsx";
import { PanelFrame } from "./PanelFrame.tsx";
import { panelWords } from "./strings.ts";
import { useCursor, type Cursor } from "./useCursor.ts";
import { usePanelSettings } from "./usePanelSettings.ts";

interface ViewProps<S extends SettingTable, Read> {
  of: FigurePanel<S, Read>;
  parts: FigureParts;
}

const selectByIteration = ({ curves }: ExperimentState) => curves.axis === "iteration";
const selectBrush = ({ curves }: ExperimentState) =>
  curves.axis === "iteration" ? curves.brush : null;

export function FigurePanelView<S extends SettingTable, Read>(props: ViewProps<S, Read>) {
  const { panel, about, region, ofRun = true } = props.of;
  return (
    <PanelFrame
      panel={panel}
      ofRun={ofRun}
      {...(about !== undefined && { about })}
      {...(region !== undefined && { region })}
    >
      <Body {...props} />
    </PanelFrame>
  );
}

/** Redrawn like charts: one at a time, and only if visible; choices are followed at once. */
function Body<S extends SettingTable, Read>(props: ViewProps<S, Read>) {
  const { of } = props;
  const { view, at, move } = useCursor();
  const truths = useExperimentState("truths");
  const brush = useExperimentState(selectBrush);
  const newest = useMemo(() => ({ view, at, truths, brush }), [view, at, truths, brush]);
  const { ref, drawn, visible } = useDrawn(newest, view.log);
  const [set, choose] = usePanelSettings(of.panel);
  const [held, setHeld] = useState<ChosenOptions>({});
  const seen = { ...drawn.value, set, held };
  const shown = useReads(of, seen);
  useCover(ref, visible, (shown ?? seen).view.log !== view.log);
  return (
    <div ref={ref}>
      {lacksEpisodes(of, seen) ? (
        <NoEpisodes panel={of.panel} />
      ) : shown ? (
        <Drawn {...props} {...shown} {...{ choose, setHeld, move }} />
      ) : (
        <Empty>{panelWords.reading}</Empty>
      )}
    </div>
  );
}

function lacksEpisodes<S extends SettingTable, Read>(
  { panel, isEmpty }: FigurePanel<S, Read>,
  { view, at }: FigureInput<S>,
): boolean {
  const isMissing = panel.needsEpisodes !== null && at.episodes.length === 0;
  return isMissing && isEmpty?.(view, at) !== false;
}

type Shown<S extends SettingTable, Read> = FigureInput<S> & { read: Read };

/** What is drawn; null before anything is read. */
function useReads<S extends SettingTable, Read>(
  of: FigurePanel<S, Read>,
  seen: FigureInput<S>,
): Shown<S, Read> | null {
  const needs = of.reads?.needs(seen) ?? [];
  const [wanted, want] = useState({ seen, needs });
  const isSame = needs.every((one, i) => Object.is(one, wanted.needs[i]));
  if (!isSame) want({ seen, needs });
  const work = useMemo(() => workOf(of), [of]);
  const made = useSliced(wanted, work);
  if (!work) return { ...seen, read: null as Read };
  if (!made) return null;
  const { set, held } = seen;
  const place = isSame && made.wanted === wanted ? seen : { ...made.wanted.seen, set, held };
  return { ...place, read: made.read };
}

/** Null: there is no episode to read. */
function workOf<S extends SettingTable, Read>(of: FigurePanel<S, Read>) {
  const { reads } = of;
  type Wanted = { seen: FigureInput<S> };
  type Made = { wanted: Wanted; read: Read } | null;
  if (!reads) return null;
  return function* made(wanted: Wanted, show: (made: () => Made) => void): Sliced<Made> {
    if (lacksEpisodes(of, wanted.seen)) return null;
    const showRead = (read: () => Read) => show(() => ({ wanted, read: read() }));
    return { wanted, read: yield* reads.work(wanted.seen, showRead) };
  };
}

interface DrawnProps<S extends SettingTable, Read> extends ViewProps<S, Read>, Shown<S, Read> {
  choose: (options: ChosenOptions) => void;
  setHeld: (held: ChosenOptions) => void;
  move: Cursor["move"];
}

function DrawnFigure<S extends SettingTable, Read>(props: DrawnProps<S, Read>) {
  const { of, parts, view, at, set, held, truths, brush, read, move } = props;
  const { panel, moves = {}, figure } = of;
  const { store } = useExperiment();
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
    const others = Object.entries(options).filter(([id]) => !panel.settings[id]);
    if (others.length > 0) props.setHeld({ ...held, ...Object.fromEntries(others) });
    props.choose(options);
  };
  const does = (act: Act) => {
    if ("move" in act) moveBy(act.move);
    else if ("to" in act) {
      move(act.to);
      if (act.show !== undefined) bringForward(store, act.show);
    } else choose(act.choose);
  };
  const keys = shown.flatMap((block) => (block.kind === "bars" && block.guess?.keys) || []);
  useGuessKeys(keys.length, (place) => keys[place]!.forEach(does));
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

/** Milliseconds of the light, and for a panel that is opened first. */
const LIGHT = { duration: 240, within: 2000 };

/** A panel that a button speaks of: its pane comes to the front and its edge lights up; the focus stays. */
function bringForward(store: ExperimentStore, id: string): void {
  setLens(store, (lens) => withPanel(withAlone(lens, null), id, true));
  const until = performance.now() + LIGHT.within;
  const look = () => {
    const panel = document.querySelector<HTMLElement>(`.lens details[data-panel="${id}"]`);
    if (panel?.checkVisibility()) lightUp(panel);
    else if (performance.now() < until) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

function lightUp(panel: HTMLElement): void {
  panel.scrollIntoView({ block: "nearest" });
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const edge = (colour: string) => ({ boxShadow: `inset 0 0 0 2px ${colour}` });
  panel.animate([edge("var(--cursor)"), edge("transparent")], { duration: LIGHT.duration });
}
