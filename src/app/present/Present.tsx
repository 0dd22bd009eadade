/** Present mode: one figure of the page at a time, as large as the window allows, and as interactive as before. */
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type RefObject,
} from "react";
import { least } from "../../numeric/lists.ts";
import { useStore } from "zustand";
import type { ExperimentHandle } from "../../store/hooks.ts";
import {
  figureName,
  figureTitle,
  figuresIn,
  fitted,
  finerPieces,
  paged,
  PHONE,
  piecesOf,
  type Piece,
  showAlone,
  showPiece,
  stepFigure,
  type ShownFigure,
} from "./figures.ts";
import { FigureRun } from "./FigureRun.tsx";
import { lessonPlace } from "./lessonPlace.ts";
import { ProjectorButtons, Spotlight, useProjector } from "./Projector.tsx";
import { Steps } from "./Steps.tsx";
import { ownTalkId } from "./talk.ts";
import { Button } from "../../ui/Button.tsx";
import { askToReveal, hiddenIn } from "../../ui/reveal.ts";
import "./present.css";
import { formatPercent } from "../../numeric/format.ts";
import { LineSwatch } from "../../charts/LineSwatch.tsx";
import { lineStyles } from "../../charts/palette.ts";
import { useLead } from "../../panels/shared/useLead.ts";
import { titleOf } from "../../reading/titles.ts";
import type { ExperimentStore } from "../../store/experimentState.ts";
import { words } from "./words.ts";

interface PresentProps {
  experiment: ExperimentHandle | undefined;
  /** Whether what is shown can be run. */
  runs?: boolean;
  onLeave: () => void;
}

/** Mounted during the presentation. */
export function Present({ experiment, runs = true, onLeave }: PresentProps) {
  const [id] = useState(ownTalkId);
  const lesson = useStore(lessonPlace, ({ now }) => now);
  const projector = useProjector(id);
  return (
    <>
      {/* Each step of a lesson has its own figure. */}
      <Slides key={lesson?.at ?? -1} {...{ experiment, runs, onLeave }}>
        <ProjectorButtons id={id} {...projector} />
      </Slides>
      <Spotlight light={projector.light} />
    </>
  );
}

interface Slide {
  figure: ShownFigure | undefined;
  /** Of all slides. */
  names: readonly string[];
  at: number;
  goTo: (at: number) => void;
}

/** The page's figures one after the other; in a lesson its steps, each as one figure. */
function useSlides(): Slide {
  const lesson = useStore(lessonPlace, ({ now }) => now);
  const [figures] = useState(() => figuresIn());
  const [own, setOwn] = useState(() => nearest(figures));
  const [step] = useState(() => stepFigure());
  if (lesson) {
    return { figure: step, names: lesson.titles, at: lesson.at, goTo: lesson.go };
  }
  const names = figures.map(({ element }) => figureName(element));
  return { figure: figures[own], names, at: own, goTo: setOwn };
}

function Slides({ experiment, runs, onLeave, children }: PresentProps & { children: ReactNode }) {
  const { figure, names, at, goTo } = useSlides();
  const bar = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const title = useOfFigure(figure, figureTitle) ?? "";
  const hides = useOfFigure(figure, hiddenIn);
  const { pieces, at: piece, setPiece, split } = usePieces();
  const isLast = piece >= pieces.length - 1;
  // What is taller than the window is paged, and a hidden part of a figure revealed, before moving on.
  const go = (by: number) => {
    if (figure && paged(figure.element, by, roomAbove(bar)().bottom)) return;
    if (by > 0 && !isLast) setPiece(piece + 1);
    else if (by > 0 && figure && hides !== null) {
      askToReveal(figure.element);
      const told = pieces.findIndex((one) => one.some(hasQuestion));
      if (told >= 0) setPiece(told);
    } else if (by < 0 && piece > 0) setPiece(piece - 1);
    else goTo(Math.min(names.length - 1, Math.max(0, at + by)));
  };
  useArrows(go, onLeave);
  useAlone(figure, pieces[piece], { bar, heading }, split);
  // After leaving, the page is scrolled to the last figure shown.
  const last = useEffectEvent(() => figure?.element.scrollIntoView({ block: "center" }));
  useEffect(() => () => last(), []);
  return (
    <>
      <h1 ref={heading} className="present-title" aria-live="polite" data-testid="present-title">
        {figure ? title : words.none}
      </h1>
      <section
        ref={bar}
        className="present-bar"
        aria-label={words.bar}
        data-testid="present"
        data-figure-shows={figure?.id}
      >
        {experiment && <FigureRun experiment={experiment} runs={runs} />}
        {experiment && <Scores store={experiment.store} />}
        <Steps
          {...{ names, at, go, goTo }}
          hides={isLast ? hides : null}
          piece={isLast ? null : words.figure(piece + 2, pieces.length)}
        />
        {children}
        <Button onClick={onLeave} data-testid="present-leave">
          {words.leave} <kbd aria-hidden="true">Esc</kbd>
        </Button>
      </section>
    </>
  );
}

/** Shows a figure, or a piece of it, without the rest of the page. `onTall`: it does not fit. */
function useAlone(
  figure: ShownFigure | undefined,
  piece: Piece | undefined,
  { bar, heading }: Record<"bar" | "heading", ElementRef>,
  onTall: (element: HTMLElement) => void,
): void {
  const tall = useEffectEvent(() => figure && onTall(figure.element));
  useEffect(() => {
    if (!figure) return undefined;
    const { dataset } = document.documentElement;
    dataset["present"] = "";
    const ends = [
      ...(piece ? [showPiece(figure.element, piece)] : []),
      showAlone(figure.element),
      fitted(figure.element, roomAbove(bar), heading.current, () => tall()),
    ];
    window.scrollTo(0, 0);
    return () => {
      for (const end of ends) end();
      delete dataset["present"];
    };
  }, [figure, piece, bar, heading]);
}

const hasQuestion = (one: HTMLElement) =>
  one.matches(".quiz") || one.querySelector(".quiz") !== null;

/** A step that is too tall is shown in pieces, one after the other; without pieces it is shown whole. */
function usePieces() {
  const [{ pieces, at }, setState] = useState<{ pieces: readonly Piece[]; at: number }>({
    pieces: [],
    at: 0,
  });
  const split = (step: HTMLElement) => {
    const whole = piecesOf(step);
    const first = whole.length > 1 ? whole : finerPieces(whole[0] ?? []);
    const finer = pieces[at] ? finerPieces(pieces[at]) : first;
    if (finer.length < 2 || innerWidth <= PHONE) return;
    setState({ pieces: [...pieces.slice(0, at), ...finer, ...pieces.slice(at + 1)], at });
  };
  return { pieces, at, split, setPiece: (to: number) => setState({ pieces, at: to }) };
}

/** As it is now: a figure's content changes, e.g. after a guess. */
function useOfFigure(
  figure: ShownFigure | undefined,
  read: (element: HTMLElement) => string | null,
): string | null {
  const subscribe = (note: () => void) => {
    const observer = new MutationObserver(note);
    if (figure)
      observer.observe(figure.element, {
        attributeFilter: ["data-figure-title", "data-figure-hides"],
      });
    return () => observer.disconnect();
  };
  return useSyncExternalStore(subscribe, () => (figure ? read(figure.element) : null));
}

/** The figure in the middle of the screen. */
function nearest(figures: readonly ShownFigure[]): number {
  const middle = window.innerHeight / 2;
  const distance = ({ element }: ShownFigure) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top > middle ? top - middle : Math.max(0, middle - bottom);
  };
  const all = figures.map(distance);
  return Math.max(0, all.indexOf(least(all)));
}

type ElementRef = RefObject<HTMLElement | null>;

/** The space that the bar leaves in the window. */
function roomAbove(bar: ElementRef) {
  return () => {
    const { clientWidth } = document.documentElement;
    const taken = bar.current?.getBoundingClientRect().height ?? 0;
    return {
      width: clientWidth - 2 * Math.min(MARGIN, clientWidth / 32),
      bottom: window.innerHeight - taken,
    };
  };
}

/** Pixels beside a figure. */
const MARGIN = 24;

const TAKES_ARROWS = "input, select, textarea, [role=slider], [role=tab], [contenteditable=true]";
const BY: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  PageDown: 1,
  ArrowLeft: -1,
  PageUp: -1,
};

/** Before the page's own keys, and never if a field needs the arrows itself. */
function useArrows(go: (by: number) => void, onLeave: () => void): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    if (target instanceof HTMLElement && target.closest(`[role=dialog], ${TAKES_ARROWS}`)) return;
    const by = BY[key];
    if (by === undefined && key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (by === undefined) onLeave();
    else go(by);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event);
    window.addEventListener("keydown", listener, { capture: true });
    return () => window.removeEventListener("keydown", listener, { capture: true });
  }, []);
}

/** Maximum methods that fit. */
const MOST = 4;

/** Nothing before all were measured together. */
export function Scores({ store }: { store: ExperimentStore }) {
  const lead = useLead(store);
  if (!lead || lead.ranked.length > MOST) return null;
  const styles = lineStyles(lead.ranked.map(({ name }) => name));
  return (
    <ul className="present-scores" aria-label={words.success} data-testid="present-scores">
      <li aria-hidden="true">{words.success}</li>
      {lead.ranked.map(({ name, value }) => (
        <li key={name} title={titleOf(name)}>
          <LineSwatch {...styles.get(name)!} />
          <span className="visually-hidden">{titleOf(name)} </span>
          <strong>{formatPercent(value)}</strong>
        </li>
      ))}
    </ul>
  );
}
