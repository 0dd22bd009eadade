/** An algorithm's formulas with the numbers of the turn or token at the cursor in them, all at once or in steps. */
import { useMemo, useState } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { algorithmNames } from "../../spec/algorithms.ts";
import type { Binding } from "../../spec/algorithmDocs/vocabulary.ts";
import type { RunLog } from "../../store/runLog.ts";
import type { Episodes } from "../credits/batch.ts";
import { visible } from "../credits/columns.ts";
import { creditOf, objectiveOf } from "../credits/rowCredit.ts";
import { ownRow, type Row } from "../credits/rows.ts";
import { titleOf } from "../curves/chartSeries.ts";
import { useCursor, type Cursor } from "../lens/useCursor.ts";
import { NoEpisodes } from "../NoEpisodes.tsx";
import { OriginTag } from "../OriginTag.tsx";
import { finite } from "../ribbon/runConfig.ts";
import { findNumber } from "./numbers.ts";
import { OriginTables } from "./OriginTables.tsx";
import { BatchNumbers, placeAt, type Place } from "./place.ts";
import { StepBar, type StepChoice } from "./StepBar.tsx";
import { StepView } from "./StepView.tsx";
import { filledFormulas, STEPS } from "./steps.ts";
import { TermTable } from "./TermTable.tsx";
import type { Played } from "./training.ts";
import { words } from "./words.ts";

export function FormulaPanel() {
  const cursor = useCursor();
  return (
    <section
      className="panel formula-panel"
      aria-label={words.title}
      data-scope="turns"
      data-testid="formula-panel"
      tabIndex={-1}
    >
      <header className="panel-header">
        <h3>{words.title}</h3>
        <OriginTag />
      </header>
      <p className="note">{words.about}</p>
      <Content cursor={cursor} />
    </section>
  );
}

function Content({ cursor }: { cursor: Cursor }) {
  const { at, episode } = cursor;
  const [picked, setPicked] = useState<string | null>(null);
  if (!episode) return <NoEpisodes empty={words.empty} none={words.none} />;
  if (episode.turns.length === 0) return <p className="empty">{words.noTurns}</p>;
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
  const { view, at } = cursor;
  const [step, setStep] = useState<StepChoice>("all");
  const row = useMemo(() => ownRow(view.log, name), [view.log, name]);
  const isPlayed = name === at.algorithm;
  const count = useMemo(() => episodesOf(view.log), [view.log]);
  const played = useMemo(
    () => (isPlayed ? { episodes: at.episodes, count } : null),
    [isPlayed, at.episodes, count],
  );
  const wanted = useMemo(
    () => ({
      ...{ row, episode, episodes: at.episodes, b: at.episode, turn: at.turn, token: at.token },
      played,
    }),
    [row, episode, at.episodes, at.episode, at.turn, at.token, played],
  );
  const { ref, shown } = useRedraw(wanted);
  return (
    <div ref={ref}>
      <div className="formula-head">
        <RowChoice {...{ name, onPick }} />
        <Heading {...shown} />
      </div>
      <StepBar step={step} onStep={setStep} />
      <Filled {...shown} step={step} />
    </div>
  );
}

/** Episodes of an iteration, recorded or not; null where the log does not say. */
function episodesOf({ start }: RunLog): number | null {
  const { tasksPerIteration, groupSize } = start?.spec.optimisation ?? {};
  return finite(tasksPerIteration! * groupSize!);
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
function Heading({ episode, turn, token }: Pick<FilledProps, "episode" | "turn" | "token">) {
  const text = token === null ? null : (episode.turns[turn]?.tokens[token]?.text ?? null);
  return (
    <>
      <strong data-testid="formula-at">
        {words.at(turn + 1, text === null ? null : visible(text))}
      </strong>
      {text === null && <span className="note">{words.lastToken}</span>}
    </>
  );
}

interface FilledProps {
  row: Row;
  episode: EpisodeRecord;
  episodes: Episodes;
  b: number;
  turn: number;
  token: number | null;
  /** Null for a row that was not trained on these episodes. */
  played: Played | null;
  step: StepChoice;
}

function Filled({ row, episode, episodes, b, turn, token, played, step }: FilledProps) {
  const [marked, setMarked] = useState<Binding | null>(null);
  const made = useMemo(() => batchNumbers(row, episodes, b, played), [row, episodes, b, played]);
  const place = useMemo(
    () => (made.all ? placeAt(made.all, b, turn, token) : null),
    [made, b, turn, token],
  );
  const formulas = useMemo(
    () => (place && place.tokens > 0 ? filledFormulas(place) : null),
    [place],
  );
  if (!place) return <Reason text={made.reason} />;
  if (!formulas) return <Reason text={words.emptyTurn} />;
  const steps = step === "all" ? STEPS : [step];
  const shown = formulas.filter((one) => steps.includes(one.step));
  const terms = [...new Set(shown.flatMap((one) => one.terms))];
  return (
    <>
      {/* Ids come from the vocabulary, so that they need no escaping. */}
      {marked && <style>{`.formula-panel [data-term="${marked}"]{background:var(--mark)}`}</style>}
      {steps.map((id) => (
        <StepView
          key={id}
          {...{ id, place, episode, formulas: shown, onMark: setMarked, alone: step !== "all" }}
        />
      ))}
      <TermTable {...{ terms, place, marked, onMark: setMarked }} />
      <OriginTables {...{ place, episode, episodes }} cells={cellsOf(marked, place)} />
    </>
  );
}

function Reason({ text }: { text: string }) {
  return (
    <p className="empty" data-testid="formula-reason">
      {text}
    </p>
  );
}

function cellsOf(marked: Binding | null, place: Place): readonly string[] {
  return marked ? findNumber(marked, place).cells : [];
}

type Made = { all: BatchNumbers; reason: "" } | { all: null; reason: string };

/** The row's numbers over the iteration's episodes, or why there are none. */
function batchNumbers(row: Row, episodes: Episodes, b: number, played: Played | null): Made {
  if (!row.config) return { all: null, reason: row.problem ?? "" };
  const tried = creditOf(row.config, episodes);
  if (!tried.ok) return { all: null, reason: tried.reason };
  // Ratio and loss need the tokens' log-probs.
  const objective = objectiveOf(row.config, tried.ok, b);
  if (!objective.ok) return { all: null, reason: objective.reason };
  return { all: new BatchNumbers(row.config, tried.ok, played), reason: "" };
}
