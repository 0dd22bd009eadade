/** An algorithm's formulas with the numbers of the turn or token at the cursor, all at once or in steps. */
import { useMemo, type ReactNode, useEffect, useRef, type RefObject } from "react";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { algorithmNames, inTableOrder, isAlgorithmName } from "../../spec/algorithms.ts";
import { useKeyOf } from "../../ui/actionKeys.ts";
import { visible } from "../../text/visible.ts";
import { estimatesAnswered } from "../../reading/credit/estimates.ts";
import { ownRow } from "../../reading/credit/rows.ts";
import { words as credits } from "../../figures/credits/words.ts";
import { titleOf } from "../../reading/titles.ts";
import { useCursor, type Cursor } from "../shared/useCursor.ts";
import { usePanelSettings } from "../shared/usePanelSettings.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { OriginTag } from "../shared/OriginTag.tsx";
import { PanelData, PanelFrame, TermsLink } from "../shared/PanelFrame.tsx";
import { Select } from "../../ui/Field.tsx";
import { FrameHead } from "../../ui/Frame.tsx";
import { useSlicedRedraw } from "../shared/useSlicedRedraw.ts";
import { formula } from "./manifest.ts";
import { Filled } from "./Filled.tsx";
import { filling, type FillingWanted } from "./filling.ts";
import { StepBar, type StepChoice } from "./StepBar.tsx";
import { updateFacts } from "./update.ts";
import { words } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";

export function FormulaPanel() {
  const cursor = useCursor();
  return (
    <PanelFrame panel={formula} className="formula-panel" ownHead>
      <Content cursor={cursor} />
    </PanelFrame>
  );
}

/** On one line if there is room: the formula below it should be visible on a projector. */
function Head({ children }: { children?: ReactNode }) {
  return (
    <FrameHead title={formula.title} className="formula-head">
      {children}
      <OriginTag />
      <TermsLink panel={formula} />
      <PanelData panel={formula} />
    </FrameHead>
  );
}

function Content({ cursor }: { cursor: Cursor }) {
  const { at, episode } = cursor;
  const [{ row: picked }, choose] = usePanelSettings(formula);
  const isEmpty = !episode || episode.turns.length === 0;
  if (isEmpty)
    return (
      <>
        <Head />
        {episode ? <Empty>{words.noTurns}</Empty> : <NoEpisodes panel={formula} />}
      </>
    );
  const played = isAlgorithmName(at.algorithm) ? at.algorithm : "turn-ppo";
  return (
    <Later
      cursor={cursor}
      episode={episode}
      name={picked ?? played}
      onPick={(name) => choose({ row: name })}
    />
  );
}

interface LaterProps {
  cursor: Cursor;
  episode: EpisodeRecord;
  name: string;
  onPick: (name: string) => void;
}

/** Follows cursor and choice one task at a time, while on screen; its heading with it. */
function Later({ cursor, episode, name, onPick }: LaterProps) {
  const { view, at, move } = cursor;
  const [{ step }, choose] = usePanelSettings(formula);
  const keyOf = useKeyOf();
  const row = useMemo(() => ownRow(view.log, name, at.iteration), [view.log, name, at.iteration]);
  // No training played a fork.
  const isPlayed = name === at.algorithm && at.fork === null;
  const count = view.log.episodesPerIteration;
  const played = useMemo(
    () => (isPlayed ? { episodes: at.episodes, count } : null),
    [isPlayed, at.episodes, count],
  );
  const update = useMemo(
    () => (isPlayed ? updateFacts(view.log, name, at.iteration) : null),
    [isPlayed, view.log, name, at.iteration],
  );
  const answered = estimatesAnswered();
  const wanted = useMemo(
    () => ({
      answered,
      row,
      episode,
      episodes: at.episodes,
      b: at.episode,
      turn: at.turn,
      token: at.token,
      played,
      update,
    }),
    [answered, row, episode, at.episodes, at.episode, at.turn, at.token, played, update],
  );
  const { ref, shown } = useSlicedRedraw(wanted, view.log, filling);
  useStepInView(ref, step);
  return (
    <div ref={ref}>
      <Head>
        <RowChoice name={name} own={view.log.algorithms} onPick={onPick} />
        {shown && <Heading {...shown.wanted} />}
      </Head>
      <StepBar step={step} onStep={(one) => choose({ step: one })} />
      {shown ? <Filled {...shown} step={step} move={move} /> : <Empty>{credits.computing}</Empty>}
      {[words.keys(keyOf), ...words.notes].map((note) => (
        <p key={note} className="note prose-note">
          {note}
        </p>
      ))}
    </div>
  );
}

interface RowChoiceProps extends Pick<LaterProps, "name" | "onPick"> {
  /** Methods of the run, of which some may have code of their own. */
  own: readonly string[];
}

function RowChoice({ name, own, onPick }: RowChoiceProps) {
  return (
    <label>
      {words.algorithm}{" "}
      <Select
        value={name}
        data-testid="formula-algorithm"
        options={inTableOrder([...algorithmNames, ...own, name]).map((one) => [one, titleOf(one)])}
        onPick={onPick}
      />
    </label>
  );
}

/** The turn or token whose numbers are shown. */
function Heading({ episode, turn, token }: FillingWanted) {
  const text = token === null ? null : (episode.turns[turn]?.tokens[token]?.text ?? null);
  return (
    <strong data-testid="formula-at">
      {words.at(turn + 1, text === null ? null : visible(text))}
    </strong>
  );
}

// A step that is navigated to is scrolled into view.

/** The first one is not scrolled to: nobody has navigated to it. */
function useStepInView(panel: RefObject<HTMLElement | null>, step: StepChoice): void {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    const shown = step === "all" ? null : panel.current?.querySelector(".formula-step");
    if (!shown) return;
    const { top, bottom } = shown.getBoundingClientRect();
    const room = roomAround(shown);
    if (top < room.top || bottom > room.bottom) panel.current!.scrollIntoView({ block: "start" });
  }, [panel, step]);
}

/** The visible part of the window: its pane, if that scrolls, below what sticks to the top of the page. */
function roomAround(element: Element): { top: number; bottom: number } {
  const pane = element.closest(".pane");
  // As with any scroll target.
  const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  if (!pane || pane.scrollHeight <= pane.clientHeight) return { top, bottom: innerHeight };
  const box = pane.getBoundingClientRect();
  return { top: Math.max(top, box.top), bottom: Math.min(innerHeight, box.bottom) };
}
