/** One step: what happens in it, its formulas with numbers, and the winning side of a min. */
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import { unitOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import { branchesOf } from "./branch.ts";
import { clipsRange } from "./clipBranches.ts";
import { type KeyboardEvent, useRef } from "react";
import { Tex } from "../../ui/maths/Tex.tsx";
import { type Mark, sameThing, termSelector, termsOf } from "./marks.ts";
import { arrowStep } from "../../ui/roving.ts";
import { type FilledFormula, hasMin, isFilteredOut, lossRemark, OF_UPDATES } from "./steps.ts";
import { OwnCode } from "./OwnCode.tsx";
import type { TermMarker } from "./useMark.ts";
import { useOwnTask } from "./useOwnTask.ts";
import { brief } from "./known.ts";
import { numberAt } from "./numbers.ts";
import type { BatchPlace } from "./place.ts";
import type { StepId } from "./stepIds.ts";
import { otherAdvantage, otherCut } from "./trained.ts";
import { type UpdateFacts, updateLines } from "./update.ts";
import { words } from "./words.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { SignedNumber } from "../../draw/SignedNumber.tsx";

// One formula; arrow keys go from term to term in it.

interface FormulaBoxProps {
  formula: FilledFormula;
  /** Within its step. */
  name: string;
  marker: TermMarker;
}

/** Each formula in its own task: KaTeX takes some milliseconds for one. */
function FormulaBox({ formula: { id, tex }, name, marker }: FormulaBoxProps) {
  const shown = useOwnTask(tex);
  const at = useRef<Mark | null>(null);
  const mark = (next: Mark | undefined) => {
    at.current = next ?? null;
    marker.focus(at.current);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = arrowStep(event, "row");
    if (event.key === "Enter" && at.current) marker.hold(at.current);
    if (by === null) return;
    event.preventDefault();
    const next = beside(event.currentTarget, at.current, by);
    if (next) mark(next);
    if (next) reveal(event.currentTarget, next);
  };
  return (
    <div
      className="formula-box"
      data-formula={id}
      tabIndex={0}
      role="group"
      aria-label={name}
      // The mouse points at terms directly.
      onFocus={({ currentTarget: box }) => box.matches(":focus-visible") && mark(termsOf(box)[0])}
      onBlur={() => mark(undefined)}
      onKeyDown={onKeyDown}
    >
      <Tex tex={shown} display />
    </div>
  );
}

/** The term after or before; the first one if there is none yet. */
function beside(box: Element, at: Mark | null, by: 1 | -1): Mark | undefined {
  const terms = termsOf(box);
  const place = terms.findIndex((one) => sameThing(at, one));
  return place < 0 ? terms[0] : terms[place + by];
}

/** Wide formulas scroll in their boxes. */
function reveal(box: Element, mark: Mark): void {
  if (!("term" in mark)) return;
  const place = [...box.querySelectorAll(termSelector(mark.term))].at(-1);
  place?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

interface StepViewProps {
  id: StepId;
  place: BatchPlace;
  episode: EpisodeRecord;
  update: UpdateFacts | null;
  formulas: readonly FilledFormula[];
  /** Whether no other step is shown. */
  alone: boolean;
  marker: TermMarker;
}

export function StepView(props: StepViewProps) {
  const { id, place, episode, update, formulas, alone, marker } = props;
  const own = formulas.filter(({ step }) => step === id);
  const { name, about } = words.steps[id];
  return (
    <section
      className={alone ? "formula-step alone" : "formula-step"}
      data-step={id}
      aria-label={name}
    >
      <h4>{name}</h4>
      {alone && <p className="note">{about}</p>}
      <div>
        {id === "rollout" && <Written text={episode.turns[place.h]!.text} />}
        {own.map((formula) => (
          <FormulaBox key={formula.id} formula={formula} name={name} marker={marker} />
        ))}
        {isFork(episode) && OF_UPDATES.includes(id) ? (
          <p>{words.fork}</p>
        ) : (
          <>
            {own.length === 0 && <p>{words.noFormula[id]}</p>}
            <OwnCode id={id} own={place.all.config.own} />
            <Remarks id={id} place={place} episode={episode} update={update} />
          </>
        )}
      </div>
    </section>
  );
}

/** Letters of a response that are shown; the Turn panel has them all. */
const MOST_WRITTEN = 2000;

function Written({ text }: { text: string }) {
  const more = text.length - MOST_WRITTEN;
  return (
    <p>
      {words.wrote}: <code>{text.trim() === "" ? words.nothing : text.slice(0, MOST_WRITTEN)}</code>
      {more > 0 && ` ${words.more(more)}`}
    </p>
  );
}

type RemarksProps = Pick<StepViewProps, "id" | "place" | "episode" | "update">;

function Remarks({ id, place, episode, update }: RemarksProps) {
  if (id === "advantage") return <Trained place={place} />;
  if (id === "loss") return <p className="note">{lossRemark(place)}</p>;
  if (id === "update") return <Push place={place} update={update} />;
  if (id !== "clip" || !hasMin(place)) return null;
  const { winner, free, held } = branchesOf(place);
  const isZero = free === 0 && held === 0;
  return (
    <>
      <p data-testid="formula-winner" data-winner={winner}>
        {isZero ? words.noSides : words.winner[winner]} {dualRemark(place)}
      </p>
      <Cut place={place} episode={episode} />
    </>
  );
}

/** The effect of the step on the token, and how much of it is a correction of the gradient. */
function Push({ place, update }: Pick<RemarksProps, "place" | "update">) {
  const { all, n } = place;
  const { objective, note, denominator } = all.corrected;
  return (
    <>
      <p>{words.push(0 - objective.dLogprob[n]!)}</p>
      {note && <p className="note">{words.uncorrected}</p>}
      {denominator !== null && <p className="note">{words.corrected(brief(denominator))}</p>}
      <UpdateTable place={place} facts={update} />
    </>
  );
}

/** Training's advantage, if the recorded episodes alone give another one. */
function Trained({ place }: { place: BatchPlace }) {
  if (isFilteredOut(place)) return <p className="note">{words.filtered}</p>;
  const used = otherAdvantage(place);
  return (
    <>
      <AdvantageBar place={place} />
      {used !== null && (
        <p className="note" data-testid="formula-trained">
          {words.trained(brief(used))}
        </p>
      )}
    </>
  );
}

/** The result as all panels show credit. */
function AdvantageBar({ place }: { place: BatchPlace }) {
  const { config, credit } = place.all;
  const A = numberAt(`${unitOf(config)}.advantage`, place) ?? credit.tokenAdvantage[place.n];
  if (A === undefined) return null;
  return (
    <p className="formula-result">
      <SignedNumber value={A} among={[...credit.turnAdvantage, A]} />
    </p>
  );
}

/** Whether training's clip differed from the numbers above. */
function Cut({ place, episode }: Pick<RemarksProps, "place" | "episode">) {
  const cut = otherCut(place, episode.turns[place.h]!);
  return cut === null ? null : <p className="note">{words.cutInTraining(cut)}</p>;
}

/** A note on the dual clip's line if it does not apply. */
function dualRemark(place: BatchPlace): string {
  const { config, credit } = place.all;
  if (config.dualClip === null || !clipsRange(config)) return "";
  if (branchesOf(place).floor !== null) return "";
  const A = numberAt(`${unitOf(config)}.advantage`, place) ?? credit.tokenAdvantage[place.n]!;
  return A < 0 ? words.dualIdle(brief(config.dualClip * A)) : words.dualUnused;
}

// The effect of the iteration's optimiser steps: the token's probability, and how far the models
// moved.

interface UpdateTableProps {
  place: BatchPlace;
  /** Null if the row was not trained on these episodes. */
  facts: UpdateFacts | null;
}

function UpdateTable({ place, facts }: UpdateTableProps) {
  const { title, lines, untrained, after } = words.update;
  return (
    <>
      <DataTable
        headless
        className="update-table"
        testId="formula-update"
        caption={title}
        columns={[
          { id: "line", head: null, kind: "name", cell: ({ id }) => lines[id] },
          { id: "text", head: null, cell: ({ text }) => text },
        ]}
        rows={updateLines(place, facts)}
        keyOf={({ id }) => id}
        rowProps={({ id }) => ({ "data-line": id })}
      />
      <p className="note">{facts ? after : untrained}</p>
    </>
  );
}
