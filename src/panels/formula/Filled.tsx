/** The formulas filled in, the numbers they come from, and lines from the marked term to those. */
import { useMemo, useRef, type PointerEvent, type SyntheticEvent } from "react";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../runtime/questions.ts";
import type { TurnChoice } from "../../store/turnChoice.ts";
import type { Episodes } from "../credits/batch.ts";
import { creditOf, objectiveOf } from "../credits/rowCredit.ts";
import type { Row } from "../credits/rows.ts";
import { MarkedTerm } from "./MarkedTerm.tsx";
import { linksOf, markAt, placesOf } from "./marks.ts";
import { findNumber } from "./numbers.ts";
import { originTables } from "./originData.ts";
import { OriginLines } from "./OriginLines.tsx";
import { OriginTables } from "./OriginTables.tsx";
import { BatchNumbers, placeAt, type Place } from "./place.ts";
import type { StepChoice } from "./StepBar.tsx";
import { StepView } from "./StepView.tsx";
import { filledFormulas, OF_UPDATES, STEPS, type FilledFormula } from "./steps.ts";
import { TermTable } from "./TermTable.tsx";
import type { Played } from "./training.ts";
import { useMark, type Marker } from "./useMark.ts";
import { words } from "./words.ts";

export interface FilledProps {
  row: Row;
  episode: EpisodeRecord;
  episodes: Episodes;
  b: number;
  turn: number;
  token: number | null;
  /** Null for a row that was not trained on these episodes. */
  played: Played | null;
  step: StepChoice;
  /** Moves the cursor of all panels. */
  move: (changes: Partial<TurnChoice>) => void;
}

export function Filled({ row, episodes, b, turn, token, played, ...rest }: FilledProps) {
  const fresh = useMemo(() => withFreshFork(episodes, b), [episodes, b]);
  const made = useMemo(() => batchNumbers(row, fresh, played), [row, fresh, played]);
  const reason = useMemo(() => made.reason || missing(made, b), [made, b]);
  const place = useMemo(
    () => (made.all && !reason ? placeAt(made.all, b, turn, token) : null),
    [made, reason, b, turn, token],
  );
  const formulas = useMemo(
    () => (place && place.tokens > 0 ? known(filledFormulas(place), episodes[b]) : null),
    [place, episodes, b],
  );
  if (!place) return <Reason text={reason} />;
  if (!formulas) return <Reason text={words.emptyTurn} />;
  return <Shown {...rest} {...{ episodes, place, formulas }} />;
}

/** Before any update a fork's log-probs are those it was sampled with: its credit can be computed with them. */
function withFreshFork(episodes: Episodes, b: number): Episodes {
  const fork = episodes[b];
  if (!isFork(fork)) return episodes;
  const turns = fork.turns.map((turn) => ({
    ...turn,
    tokens: turn.tokens.map((token) => ({ ...token, logprob: token.oldLogprob })),
  }));
  return episodes.with(b, { ...fork, turns } as EpisodeRecord);
}

/** No update has used a fork: what is about updates is left out. */
function known(formulas: FilledFormula[], episode: EpisodeRecord | undefined): FilledFormula[] {
  return isFork(episode) ? formulas.filter(({ step }) => !OF_UPDATES.includes(step)) : formulas;
}

function Reason({ text }: { text: string }) {
  return (
    <p className="empty" data-testid="formula-reason">
      {text}
    </p>
  );
}

interface ShownProps extends Pick<FilledProps, "episode" | "episodes" | "step" | "move"> {
  place: Place;
  formulas: readonly FilledFormula[];
}

function Shown({ place, formulas, episode, episodes, step, move }: ShownProps) {
  const content = useRef<HTMLDivElement>(null);
  const { mark, held, marker } = useMark();
  const steps = step === "all" ? STEPS : [step];
  const terms = useMemo(() => termsOf(formulas, step), [formulas, step]);
  const numbers = useMemo(
    () => terms.map((id) => ({ id, number: findNumber(id, place) })),
    [terms, place],
  );
  const tables = useMemo(() => originTables(place, episode, episodes), [place, episode, episodes]);
  const links = useMemo(() => linksOf(mark, terms, place), [mark, terms, place]);
  return (
    <div className="formula-content" {...pointing(marker)}>
      <div ref={content}>
        {links.terms.length > 0 && <style>{markedStyle(links.terms)}</style>}
        {steps.map((id) => (
          <StepView key={id} {...{ id, place, episode, formulas, marker }} alone={step !== "all"} />
        ))}
        <MarkedTerm {...{ links, place }} isCell={mark !== null && "cell" in mark} />
        <OriginTables {...{ tables, move }} cells={links.cells} />
        <TermTable
          {...{ terms: numbers, marker }}
          marked={links.terms}
          held={held && "term" in held ? held.term : null}
        />
      </div>
      <OriginLines {...{ content, links }} />
    </div>
  );
}

/** Of the step's formulas, or of all. */
function termsOf(formulas: readonly FilledFormula[], step: StepChoice) {
  const own = formulas.filter((one) => step === "all" || one.step === step);
  return [...new Set(own.flatMap((one) => one.terms))];
}

const markedStyle = (terms: readonly string[]) =>
  `${terms.map((id) => `.formula-panel ${placesOf(id)}`).join(",")}{background:var(--mark)}`;

/** Pointing marks a term or a cell, and a click holds a term. */
function pointing(marker: Marker) {
  const at = ({ target }: SyntheticEvent) => markAt(target as Element);
  return {
    onPointerMove: (event: PointerEvent) => isMove(event) && marker.point(at(event)),
    onPointerLeave: () => marker.point(null),
    onClick: (event: SyntheticEvent) => {
      const mark = at(event);
      if (mark && "term" in mark) marker.hold(mark);
    },
  };
}

/** A page that scrolls under a pointer at rest points at nothing; a finger that scrolls it neither. */
function isMove({ movementX, movementY, pointerType }: PointerEvent): boolean {
  return pointerType !== "touch" && (movementX !== 0 || movementY !== 0);
}

type Made = { all: BatchNumbers; reason: "" } | { all: null; reason: string };

/** The row's numbers over the iteration's episodes, or why there are none. */
function batchNumbers(row: Row, episodes: Episodes, played: Played | null): Made {
  if (!row.config) return { all: null, reason: row.problem ?? "" };
  const tried = creditOf(row.config, episodes);
  if (!tried.ok) return { all: null, reason: tried.reason };
  return { all: new BatchNumbers(row.config, tried.ok, played), reason: "" };
}

/** What ratio and loss lack of the episode: they need the tokens' log-probs. */
function missing({ all }: Made, b: number): string {
  return (all && objectiveOf(all.config, all.row, b).reason) ?? "";
}
