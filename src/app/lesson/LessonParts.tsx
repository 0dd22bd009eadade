/**
 * The parts of a lesson's page that need no open notebook: React draws them, and the build draws
 * the first step (`../first/lessonMarkup.ts`).
 */
import type { ReactNode, RefObject } from "react";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { wordsToRead, type LessonStep } from "../../notebook/cells/lesson/steps.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { GALLERY_HASH } from "../route.ts";
import { handoutWords } from "./handoutWords.ts";
import { words } from "./words.ts";

interface StepsProps {
  steps: readonly LessonStep[];
  at: number;
  onGo: (to: number) => void;
}

interface HeadProps extends StepsProps {
  lesson: FieldsOf<"lesson">;
  title: string;
  /** For a lesson that the site serves. */
  name: string | null;
}

export function LessonHead({ lesson: { number }, name, title, ...rest }: HeadProps) {
  const { steps, at, onGo } = rest;
  return (
    <header className="lesson-head">
      <a href={GALLERY_HASH}>
        <Icon name="back" size={14} />
        {words.all}
      </a>
      <h1>{words.title(number, title)}</h1>
      <ol aria-label={words.steps}>
        {steps.map((step, i) => (
          <li key={i}>
            <Button
              look="quiet"
              aria-label={words.step(i + 1, steps.length, step.title)}
              title={words.step(i + 1, steps.length, step.title)}
              aria-current={i === at ? "step" : undefined}
              data-done={i < at}
              onClick={() => onGo(i)}
            />
          </li>
        ))}
      </ol>
      <span className="note" role="status" data-testid="lesson-left">
        {words.step(at + 1, steps.length, "")}, {words.left(wordsToRead(steps.slice(at)))}
      </span>
      {name !== null && <HandoutLink name={name} />}
    </header>
  );
}

/** Link to the same lesson on paper. */
function HandoutLink({ name }: { name: string }) {
  return (
    <a href={`?handout#lesson/${name}`} target="_blank" rel="noopener" data-testid="to-handout">
      {handoutWords.open}
    </a>
  );
}

interface StepProps {
  step: LessonStep;
  /** The lesson's. */
  title: string;
  heading?: RefObject<HTMLHeadingElement | null>;
  /** What is read. */
  children?: ReactNode;
  /** What is beside it, if anything. */
  figures: ReactNode;
}

export function StepPlace({ step, title, heading, children, figures }: StepProps) {
  const hasFigures = figures !== null;
  return (
    <section
      className="lesson-step"
      data-figures={hasFigures}
      data-figure="step"
      data-figure-title={step.title === "" ? title : step.title}
    >
      <div className="lesson-words">
        {step.kind !== null && <p className="lesson-kind">{step.kind}</p>}
        <h2 ref={heading} tabIndex={-1}>
          {step.title === "" ? title : step.title}
        </h2>
        {children}
      </div>
      {hasFigures && (
        <div className="lesson-figures" role="group" aria-label={words.figures}>
          {figures}
        </div>
      )}
    </section>
  );
}

interface FootProps extends StepsProps {
  /** A question of the step waits for an answer. */
  isOpen: boolean;
}

export function LessonFoot({ steps, at, isOpen, onGo }: FootProps) {
  const next = steps[at + 1];
  return (
    <footer className="lesson-foot">
      <Button data-testid="lesson-back" disabled={at === 0} onClick={() => onGo(at - 1)}>
        {words.back}
      </Button>
      <span className="note">
        {isOpen ? words.answer : next ? words.coming(next.title) : words.end}
      </span>
      {next && (
        <Button
          {...(!isOpen && { look: "primary" })}
          data-testid="lesson-next"
          onClick={() => onGo(at + 1)}
        >
          {isOpen ? words.skip : words.next}
          <Icon name="next" size={14} />
        </Button>
      )}
    </footer>
  );
}
