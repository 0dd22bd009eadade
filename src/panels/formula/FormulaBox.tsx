/** One formula; arrow keys go from term to term in it. */
import { useRef, type KeyboardEvent } from "react";
import { Tex } from "../../ui/maths/Tex.tsx";
import { termSelector, sameThing, termsOf, type Mark } from "./marks.ts";
import { arrowStep } from "../../ui/roving.ts";
import type { FilledFormula } from "./steps.ts";
import type { TermMarker } from "./useMark.ts";
import { useOwnTask } from "./useOwnTask.ts";

interface FormulaBoxProps {
  formula: FilledFormula;
  /** Within its step. */
  name: string;
  marker: TermMarker;
}

/** Each formula in its own task: KaTeX takes some milliseconds for one. */
export function FormulaBox({ formula: { id, tex }, name, marker }: FormulaBoxProps) {
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
