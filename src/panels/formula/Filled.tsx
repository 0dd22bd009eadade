/** The formulas filled in, the numbers they come from, and lines from the marked term to those. */
import { memo, type PointerEvent, type SyntheticEvent, useMemo, useRef, useState } from "react";
import { type Binding, termOf } from "../../method/formula/vocabulary.ts";
import type { TurnChoice } from "../../store/turnChoice.ts";
import { Tex, TexTrouble } from "../../ui/maths/Tex.tsx";
import { useStyleText } from "../../ui/useStyleText.ts";
import type { Filling, FillingWanted } from "./filling.ts";
import { brief, type Known } from "./known.ts";
import { type Links, linksOf, markAt, termSelector } from "./marks.ts";
import { findNumber } from "./numbers.ts";
import { originTables } from "./originData.ts";
import { OriginLines } from "./OriginLines.tsx";
import { OriginTables } from "./OriginTables.tsx";
import type { BatchPlace } from "./place.ts";
import { isZeroBeside } from "../../numeric/format.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { useNumberFormats } from "../../ui/explained.ts";
import { isCut, type Result, resultsOf } from "./results.ts";
import { words } from "./words.ts";
import type { StepChoice } from "./StepBar.tsx";
import { StepView } from "./StepView.tsx";
import type { FilledFormula } from "./steps.ts";
import { STEPS } from "./stepIds.ts";
import { Table } from "../../ui/DataTable.tsx";
import { rove } from "../../ui/roving.ts";
import { type TermMarker, useMarkedTerm } from "./useMark.ts";
import { useOwnTask } from "./useOwnTask.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";

// The terms of the formulas shown: meaning, number, and origin.

interface TermNumber {
  id: Binding;
  number: Known;
}

interface TermTableProps {
  terms: readonly TermNumber[];
  marked: readonly Binding[];
  held: Binding | null;
  marker: TermMarker;
}

function TermTable({ terms, marked, held, marker }: TermTableProps) {
  const shown = useOwnTask(terms);
  const [last, setLast] = useState<Binding | null>(null);
  const stop = shown.some(({ id }) => id === last) ? last : shown[0]?.id;
  return (
    <>
      <h4>{words.numbers}</h4>
      <Table
        label={words.numbers}
        className="term-numbers"
        testId="formula-terms"
        head={[words.symbol, words.meaning, words.value, words.origin].map((name) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
        bodyProps={{ onKeyDown: (event) => rove(event, "column") }}
      >
        {shown.map(({ id, number }) => (
          <TermRow
            key={id}
            id={id}
            number={number}
            marker={marker}
            isMarked={marked.includes(id)}
            isHeld={held === id}
            isStop={stop === id}
            onStop={setLast}
          />
        ))}
      </Table>
    </>
  );
}

interface TermRowProps extends TermNumber {
  marker: TermMarker;
  isMarked: boolean;
  isHeld: boolean;
  /** Whether Tab stops at it. */
  isStop: boolean;
  onStop: (id: Binding) => void;
}

/** The panel handles a click anywhere in the row. */
const TermRow = memo(function TermRow(props: TermRowProps) {
  const { id, number, marker, isMarked, isHeld, isStop, onStop } = props;
  const { symbol, name, about } = termOf(id);
  const { value, from } = number;
  return (
    <tr data-binding={id} className={isMarked ? "picked" : undefined}>
      <td>
        <Button
          className="symbol"
          aria-label={name}
          aria-pressed={isHeld}
          tabIndex={isStop ? 0 : -1}
          onFocus={() => {
            onStop(id);
            marker.focus({ term: id, spot: null });
          }}
          onBlur={() => marker.focus(null)}
        >
          <Tex tex={symbol} />
        </Button>
      </td>
      <td title={about}>{name}</td>
      <td className="number" data-value={value ?? undefined}>
        {value === null ? words.unknown : brief(value)}
      </td>
      <td>{from}</td>
    </tr>
  );
});

// The final results above the formulas that they come from.

interface ResultStripProps {
  place: BatchPlace;
  episode: EpisodeRecord;
}

function ResultStrip({ place, episode }: ResultStripProps) {
  const cut = isCut(place);
  return (
    <dl className="formula-results" aria-label={words.results.title} data-testid="formula-results">
      {resultsOf(place, episode).map((result) => (
        <div key={result.step} data-result={result.step}>
          <dt>{words.results.names[result.step]}</dt>
          <dd data-sign={signOf(result)}>
            <Value {...result} />
            {result.step === "clip" && cut && (
              <span className="tag tag-clipped">{words.results.clipped}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, signed }: Result) {
  const { plain, signed: withSign } = useNumberFormats();
  return value === null ? words.unknown : (signed ? withSign : plain)(value);
}

function signOf({ value, signed }: Result): "positive" | "negative" | undefined {
  if (!signed || value === null || isZeroBeside(value)) return undefined;
  return value > 0 ? "positive" : "negative";
}

interface FilledProps extends Filling {
  step: StepChoice;
  /** Moves the cursor of all panels. */
  move: (changes: Partial<TurnChoice>) => void;
}

export function Filled({ wanted, content, reason, step, move }: FilledProps) {
  const { episode, episodes, update } = wanted;
  if (!content) return <Reason text={reason} />;
  return (
    <Shown
      {...content}
      episode={episode}
      episodes={episodes}
      update={update}
      step={step}
      move={move}
    />
  );
}

function Reason({ text }: { text: string }) {
  return <Empty data-testid="formula-reason">{text}</Empty>;
}

interface ShownProps
  extends
    Pick<FilledProps, "step" | "move">,
    Pick<FillingWanted, "episode" | "episodes" | "update"> {
  place: BatchPlace;
  formulas: readonly FilledFormula[];
}

function Shown(props: ShownProps) {
  const { place, formulas, episode, episodes, update, step, move } = props;
  const content = useRef<HTMLDivElement>(null);
  const { mark, held, marker } = useMarkedTerm();
  const steps = step === "all" ? STEPS : [step];
  const terms = useMemo(() => termsOf(formulas, step), [formulas, step]);
  const numbers = useMemo(
    () => terms.map((id) => ({ id, number: findNumber(id, place) })),
    [terms, place],
  );
  const tables = useMemo(() => originTables(place, episode, episodes), [place, episode, episodes]);
  const links = useMemo(() => linksOf(mark, terms, place), [mark, terms, place]);
  useStyleText(links.terms.length > 0 ? markedStyle(links.terms) : "");
  return (
    <div className="formula-content" {...pointing(marker)}>
      <div ref={content}>
        <TexTrouble />
        <ResultStrip place={place} episode={episode} />
        {steps.map((id) => (
          <StepView
            key={id}
            id={id}
            place={place}
            episode={episode}
            update={update}
            formulas={formulas}
            marker={marker}
            alone={step !== "all"}
          />
        ))}
        <MarkedTerm links={links} place={place} isCell={mark !== null && "cell" in mark} />
        <OriginTables tables={tables} move={move} cells={links.cells} />
        <TermTable
          terms={numbers}
          marker={marker}
          marked={links.terms}
          held={held && "term" in held ? held.term : null}
        />
      </div>
      <OriginLines content={content} links={links} />
    </div>
  );
}

interface MarkedTermProps {
  links: Links;
  /** Whether a cell was chosen, and not a term. */
  isCell: boolean;
  place: BatchPlace;
}

/** What is marked, in words; stays visible while the formulas scroll. */
function MarkedTerm({ links: { terms }, isCell, place }: MarkedTermProps) {
  const isMarked = terms.length > 0;
  return (
    <p
      className={isMarked ? "marked-term" : "marked-term note"}
      role="status"
      data-testid="formula-marked"
    >
      {isMarked ? sayMarked(terms, isCell, place) : words.hint}
    </p>
  );
}

function sayMarked(terms: Links["terms"], isCell: boolean, place: BatchPlace): string {
  if (isCell) return words.used(terms.map((id) => termOf(id).name));
  const { value, from } = findNumber(terms[0]!, place);
  return words.said(termOf(terms[0]!).name, value === null ? words.unknown : brief(value), from);
}

/** Of the step's formulas, or of all. */
function termsOf(formulas: readonly FilledFormula[], step: StepChoice) {
  const own = formulas.filter((one) => step === "all" || one.step === step);
  return [...new Set(own.flatMap((one) => one.terms))];
}

const markedStyle = (terms: readonly string[]) =>
  `${terms.map((id) => `.formula-panel ${termSelector(id)}`).join(",")}{background:var(--mark)}`;

/** Hovering marks a term or a cell, and a click pins a term. */
function pointing(marker: TermMarker) {
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

/** Scrolling under a resting pointer marks nothing; nor does a finger that scrolls. */
function isMove({ movementX, movementY, pointerType }: PointerEvent): boolean {
  return pointerType !== "touch" && (movementX !== 0 || movementY !== 0);
}
