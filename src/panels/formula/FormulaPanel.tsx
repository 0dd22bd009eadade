/** An algorithm's formulas with the numbers of the turn or token at the cursor in them, all at once or in steps. */
import { useMemo, useState } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { algorithmNames } from "../../spec/algorithms.ts";
import type { Binding } from "../../spec/algorithmDocs/vocabulary.ts";
import type { Episodes } from "../credits/batch.ts";
import { visible } from "../credits/columns.ts";
import { creditOf, objectiveOf } from "../credits/rowCredit.ts";
import { ownRow, type Row } from "../credits/rows.ts";
import { titleOf } from "../curves/chartSeries.ts";
import { useCursor, type Cursor } from "../lens/useCursor.ts";
import { OriginTag } from "../OriginTag.tsx";
import { findNumber } from "./numbers.ts";
import { OriginTables } from "./OriginTables.tsx";
import { BatchNumbers, placeAt, type Place } from "./place.ts";
import { StepBar, type StepChoice } from "./StepBar.tsx";
import { StepView } from "./StepView.tsx";
import { filledFormulas, STEPS } from "./steps.ts";
import { TermTable } from "./TermTable.tsx";
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
  const { view, at, episode } = cursor;
  const [picked, setPicked] = useState<string | null>(null);
  if (view.origin === "none") return <p className="empty">{words.empty}</p>;
  if (!episode) return <p className="empty">{words.none}</p>;
  if (episode.turns.length === 0) return <p className="empty">{words.noTurns}</p>;
  const played = algorithmNames.includes(at.algorithm) ? at.algorithm : "turn-ppo";
  const name = picked ?? played;
  return (
    <>
      <div className="formula-head">
        <label>
          {words.algorithm}{" "}
          <select
            value={name}
            data-testid="formula-algorithm"
            onChange={({ target }) => setPicked(target.value)}
          >
            {algorithmNames.map((one) => (
              <option key={one} value={one}>
                {titleOf(one)}
              </option>
            ))}
          </select>
        </label>
        <strong data-testid="formula-at">
          {words.at(at.turn + 1, cursor.token ? visible(cursor.token.text) : null)}
        </strong>
        {!cursor.token && <span className="note">{words.lastToken}</span>}
      </div>
      <Later {...{ cursor, episode, name }} />
    </>
  );
}

interface LaterProps {
  cursor: Cursor;
  episode: EpisodeRecord;
  name: string;
}

/** Follows cursor and choice one task at a time, while on screen. */
function Later({ cursor, episode, name }: LaterProps) {
  const { view, at } = cursor;
  const [step, setStep] = useState<StepChoice>("all");
  const row = useMemo(() => ownRow(view.log, name), [view.log, name]);
  const wanted = useMemo(
    () => ({
      ...{ row, episode, episodes: at.episodes, b: at.episode, turn: at.turn, token: at.token },
    }),
    [row, episode, at.episodes, at.episode, at.turn, at.token],
  );
  const { ref, shown } = useRedraw(wanted);
  return (
    <div ref={ref}>
      <StepBar step={step} onStep={setStep} />
      <Filled {...shown} step={step} />
    </div>
  );
}

interface FilledProps {
  row: Row;
  episode: EpisodeRecord;
  episodes: Episodes;
  b: number;
  turn: number;
  token: number | null;
  step: StepChoice;
}

function Filled({ row, episode, episodes, b, turn, token, step }: FilledProps) {
  const [marked, setMarked] = useState<Binding | null>(null);
  const made = useMemo(() => batchNumbers(row, episodes, b), [row, episodes, b]);
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
function batchNumbers(row: Row, episodes: Episodes, b: number): Made {
  if (!row.config) return { all: null, reason: row.problem ?? "" };
  const tried = creditOf(row.config, episodes);
  if (!tried.ok) return { all: null, reason: tried.reason };
  // Ratio and loss need the tokens' log-probs.
  const objective = objectiveOf(row.config, tried.ok, b);
  if (!objective.ok) return { all: null, reason: objective.reason };
  return { all: new BatchNumbers(row.config, tried.ok), reason: "" };
}
