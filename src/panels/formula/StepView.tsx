/** One step: what happens in it, its formulas with numbers, and which side of a min has won. */
import type { PointerEvent, SyntheticEvent } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { Binding } from "../../spec/algorithmDocs/vocabulary.ts";
import { Tex } from "../maths/Tex.tsx";
import { branchesOf } from "./branch.ts";
import type { Place } from "./place.ts";
import { hasMin, isFilteredOut, type FilledFormula, type StepId } from "./steps.ts";
import { words } from "./words.ts";

interface StepViewProps {
  id: StepId;
  place: Place;
  episode: EpisodeRecord;
  formulas: readonly FilledFormula[];
  /** Whether no other step is shown. */
  alone: boolean;
  onMark: (id: Binding) => void;
}

export function StepView({ id, place, episode, formulas, alone, onMark }: StepViewProps) {
  const own = formulas.filter(({ step }) => step === id);
  const { name, about } = words.steps[id];
  const point = ({ target }: SyntheticEvent) => {
    const term = (target as Element).closest("[data-term]")?.getAttribute("data-term");
    if (term) onMark(term as Binding);
  };
  return (
    <section className="formula-step" data-step={id} aria-label={name}>
      <h4>{name}</h4>
      <div>
        {(alone || own.length === 0) && <p className="note">{about}</p>}
        {id === "rollout" && <Written text={episode.turns[place.h]!.text} />}
        <div onPointerMove={(event) => isMove(event) && point(event)} onClick={point}>
          {own.map((formula) => (
            <Formula key={formula.id} tex={formula.tex} name={name} />
          ))}
        </div>
        {own.length === 0 && <p>{words.noFormula[id]}</p>}
        <Remarks id={id} place={place} />
      </div>
    </section>
  );
}

/** A page that scrolls under a pointer at rest points at nothing. */
function isMove({ movementX, movementY }: PointerEvent): boolean {
  return movementX !== 0 || movementY !== 0;
}

function Written({ text }: { text: string }) {
  return (
    <p>
      {words.wrote}: <code>{text.trim() === "" ? words.nothing : text}</code>
    </p>
  );
}

/** Each formula in a task of its own: KaTeX takes some milliseconds for one. */
function Formula({ tex, name }: { tex: string; name: string }) {
  const { ref, shown } = useRedraw(tex);
  return (
    <div ref={ref} className="formula-box" tabIndex={0} role="group" aria-label={name}>
      <Tex tex={shown} display />
    </div>
  );
}

function Remarks({ id, place }: { id: StepId; place: Place }) {
  if (id === "advantage" && isFilteredOut(place)) return <p className="note">{words.filtered}</p>;
  if (id === "loss") return <p className="note">{words.over(place.all.batch.task.length)}</p>;
  if (id === "update") return <p>{words.push(0 - place.all.objective.dLogprob[place.n]!)}</p>;
  if (id !== "clip" || !hasMin(place)) return null;
  const { winner, floor } = branchesOf(place);
  return (
    <p data-testid="formula-winner" data-winner={winner}>
      {words.winner[winner]}{" "}
      {floor === null &&
        place.all.config.dualClip !== null &&
        isPositive(place) &&
        words.dualUnused}
    </p>
  );
}

function isPositive({ all, n }: Place): boolean {
  return all.credit.tokenAdvantage[n]! >= 0;
}
