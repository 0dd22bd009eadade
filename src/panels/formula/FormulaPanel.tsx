/** An algorithm's formulas with the numbers of the turn or token at the cursor in them, all at once or in steps. */
import { useMemo, type ReactNode } from "react";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { algorithmNames } from "../../spec/algorithms.ts";
import { useKeyOf } from "../../ui/actionKeys.ts";
import { visible } from "../../text/visible.ts";
import { ownRow } from "../../reading/credit/rows.ts";
import { strings } from "../shared/strings.ts";
import { titleOf } from "../../reading/titles.ts";
import { useCursor, type Cursor } from "../shared/useCursor.ts";
import { usePanelSetting } from "../shared/usePanelSetting.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { OriginTag } from "../shared/OriginTag.tsx";
import { useSlicedRedraw } from "../shared/useSlicedRedraw.ts";
import { formula } from "./manifest.ts";
import { Filled } from "./Filled.tsx";
import { filling, type Wanted } from "./filling.ts";
import { StepBar } from "./StepBar.tsx";
import { updateFacts } from "./update.ts";
import { useStepInView } from "./useStepInView.ts";
import { words } from "./words.ts";

export function FormulaPanel() {
  const cursor = useCursor();
  return (
    <section
      className="panel formula-panel"
      aria-label={formula.title}
      data-scope="turns"
      data-testid="formula-panel"
      tabIndex={-1}
    >
      <Content cursor={cursor} />
    </section>
  );
}

/** On one line where there is room: below it the formula is to be in view on a projector. */
function Head({ children }: { children?: ReactNode }) {
  return (
    <header className="panel-header formula-head">
      <h3>{formula.title}</h3>
      {children}
      <OriginTag />
    </header>
  );
}

function Content({ cursor }: { cursor: Cursor }) {
  const { at, episode } = cursor;
  const [picked, setPicked] = usePanelSetting(formula, "row");
  const isEmpty = !episode || episode.turns.length === 0;
  if (isEmpty)
    return (
      <>
        <Head />
        {episode ? <p className="empty">{words.noTurns}</p> : <NoEpisodes panel={formula} />}
      </>
    );
  const played = algorithmNames.includes(at.algorithm) ? at.algorithm : "turn-ppo";
  return <Later {...{ cursor, episode, name: picked ?? played, onPick: setPicked }} />;
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
  const [step, setStep] = usePanelSetting(formula, "step");
  const keyOf = useKeyOf();
  const row = useMemo(() => ownRow(view.log, name, at.iteration), [view.log, name, at.iteration]);
  // A fork was played by nobody's training.
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
  const wanted = useMemo(
    () => ({
      ...{ row, episode, episodes: at.episodes, b: at.episode, turn: at.turn, token: at.token },
      ...{ played, update },
    }),
    [row, episode, at.episodes, at.episode, at.turn, at.token, played, update],
  );
  const { ref, shown } = useSlicedRedraw(wanted, view.log, filling);
  useStepInView(ref, step);
  return (
    <div ref={ref}>
      <Head>
        <RowChoice {...{ name, onPick }} />
        {shown && <Heading {...shown.wanted} />}
      </Head>
      <StepBar step={step} onStep={setStep} />
      {shown ? (
        <Filled {...shown} {...{ step, move }} />
      ) : (
        <p className="empty">{strings.credits.computing}</p>
      )}
      {[words.keys(keyOf), ...words.notes].map((note) => (
        <p key={note} className="note">
          {note}
        </p>
      ))}
    </div>
  );
}

function RowChoice({ name, onPick }: Pick<LaterProps, "name" | "onPick">) {
  return (
    <label>
      {words.algorithm}{" "}
      <select
        value={name}
        data-testid="formula-algorithm"
        onChange={({ target }) => onPick(target.value)}
      >
        {algorithmNames.map((one) => (
          <option key={one} value={one}>
            {titleOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Of the turn or token whose numbers are shown. */
function Heading({ episode, turn, token }: Wanted) {
  const text = token === null ? null : (episode.turns[turn]?.tokens[token]?.text ?? null);
  return (
    <strong data-testid="formula-at">
      {words.at(turn + 1, text === null ? null : visible(text))}
    </strong>
  );
}
