/** One step: what happens in it, its formulas with numbers, and which side of a min has won. */
import { useEffect, useRef, useState, type PointerEvent, type SyntheticEvent } from "react";
import { requestRedraw } from "../../charts/redrawQueue.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { unitOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import type { Binding } from "../../spec/algorithmDocs/vocabulary.ts";
import { Tex } from "../maths/Tex.tsx";
import { branchesOf } from "./branch.ts";
import { brief } from "./known.ts";
import { numberAt } from "./numbers.ts";
import type { Place } from "./place.ts";
import { hasMin, isFilteredOut, type FilledFormula, type StepId } from "./steps.ts";
import { otherAdvantage, otherCut } from "./trained.ts";
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
        <Remarks {...{ id, place, episode }} />
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

/**
 * Each formula in a task of its own: KaTeX takes some milliseconds for one. Those out of view as well, so that none
 * stays behind the heading's turn.
 */
function Formula({ tex, name }: { tex: string; name: string }) {
  const [shown, setShown] = useState(tex);
  const own = useRef({});
  useEffect(() => requestRedraw(own.current, () => setShown(tex)), [tex]);
  return (
    <div className="formula-box" tabIndex={0} role="group" aria-label={name}>
      <Tex tex={shown} display />
    </div>
  );
}

interface RemarksProps {
  id: StepId;
  place: Place;
  episode: EpisodeRecord;
}

function Remarks({ id, place, episode }: RemarksProps) {
  if (id === "advantage") return <Trained place={place} />;
  if (id === "loss") return <p className="note">{words.over(place.all.batch.task.length)}</p>;
  if (id === "update") return <p>{words.push(0 - place.all.objective.dLogprob[place.n]!)}</p>;
  if (id !== "clip" || !hasMin(place)) return null;
  const { winner } = branchesOf(place);
  return (
    <>
      <p data-testid="formula-winner" data-winner={winner}>
        {words.winner[winner]} {dualRemark(place)}
      </p>
      <Cut {...{ place, episode }} />
    </>
  );
}

/** What training's advantage was, where the recorded episodes alone give another one. */
function Trained({ place }: { place: Place }) {
  if (isFilteredOut(place)) return <p className="note">{words.filtered}</p>;
  const used = otherAdvantage(place);
  if (used === null) return null;
  return (
    <p className="note" data-testid="formula-trained">
      {words.trained(brief(used))}
    </p>
  );
}

/** Whether training's clip did otherwise than the numbers above. */
function Cut({ place, episode }: Omit<RemarksProps, "id">) {
  const cut = otherCut(place, episode.turns[place.h]!);
  return cut === null ? null : <p className="note">{words.cutInTraining(cut)}</p>;
}

/** A word on the dual clip's line where it does not bite. */
function dualRemark(place: Place): string {
  const { config, credit } = place.all;
  if (config.dualClip === null || config.clip !== "range") return "";
  if (branchesOf(place).floor !== null) return "";
  const A = numberAt(`${unitOf(config)}.advantage`, place) ?? credit.tokenAdvantage[place.n]!;
  return A < 0 ? words.dualIdle(brief(config.dualClip * A)) : words.dualUnused;
}
