/** The nine steps to choose from; one key or button goes through them. */
import { useRef, type KeyboardEvent } from "react";
import { STEPS, type StepId } from "./steps.ts";
import { words } from "./words.ts";

export type StepChoice = StepId | "all";
const CHOICES: readonly StepChoice[] = ["all", ...STEPS];

interface StepBarProps {
  step: StepChoice;
  onStep: (step: StepChoice) => void;
}

export function StepBar({ step, onStep }: StepBarProps) {
  const strip = useRef<HTMLOListElement>(null);
  const place = CHOICES.indexOf(step);
  const to = (by: number) => {
    const next = CHOICES[place + by];
    if (next) onStep(next);
  };
  const nameOf = (id: StepChoice) => (id === "all" ? words.all : words.steps[id].name);
  return (
    <>
      <ol
        ref={strip}
        className="step-bar"
        aria-label={words.stepsName}
        onKeyDown={(event) => rove(event, strip.current)}
      >
        {CHOICES.map((id) => (
          <li key={id}>
            <button
              type="button"
              tabIndex={id === step ? 0 : -1}
              aria-current={id === step ? "step" : undefined}
              data-testid={`formula-step-${id}`}
              onClick={() => onStep(id)}
            >
              {nameOf(id)}
            </button>
          </li>
        ))}
      </ol>
      <div className="stepper">
        <StepButton
          action="previousStep"
          name={words.previous}
          end={place === 0}
          onPress={() => to(-1)}
        />
        <span role="status" data-testid="formula-step">
          {place === 0 ? words.all : `${words.stepOf(place, STEPS.length)}: ${nameOf(step)}`}
        </span>
        <StepButton
          action="nextStep"
          name={words.next}
          end={place === STEPS.length}
          onPress={() => to(1)}
        />
      </div>
      <p className="note">{words.keys}</p>
    </>
  );
}

interface StepButtonProps {
  /** Of the table of keys. */
  action: "nextStep" | "previousStep";
  name: string;
  end: boolean;
  onPress: () => void;
}

/** aria-disabled instead of disabled: the button keeps the focus at either end. */
function StepButton({ action, name, end, onPress }: StepButtonProps) {
  return (
    <button type="button" data-action={action} aria-disabled={end} onClick={onPress}>
      {name}
    </button>
  );
}

/** One stop for Tab; the arrow keys go from step to step. */
function rove(event: KeyboardEvent, strip: HTMLElement | null): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined || !strip) return;
  const buttons = [...strip.querySelectorAll<HTMLElement>("button")];
  const next = buttons[buttons.indexOf(document.activeElement as HTMLElement) + by];
  event.preventDefault();
  next?.focus();
}
