/** The nine steps to choose from; one key or button goes through them. */
import { useEffect, useRef } from "react";
import { useKeyOf } from "../../ui/actionKeys.ts";
import { rove } from "../../ui/roving.ts";
import { type StepId } from "./stepIds.ts";
import { STEPS } from "./stepIds.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

export type StepChoice = StepId | "all";
const CHOICES: readonly StepChoice[] = ["all", ...STEPS];

interface StepBarProps {
  step: StepChoice;
  onStep: (step: StepChoice) => void;
}

export function StepBar({ step, onStep }: StepBarProps) {
  const place = CHOICES.indexOf(step);
  const to = (by: number) => {
    const next = CHOICES[place + by];
    if (next) onStep(next);
  };
  return (
    <div className="step-line">
      <StepButton
        {...words.previous}
        action="previousStep"
        end={place === 0}
        onPress={() => to(-1)}
      />
      <Steps step={step} onStep={onStep} />
      <StepButton
        {...words.next}
        action="nextStep"
        end={place === STEPS.length}
        onPress={() => to(1)}
      />
      {/* The strip shows it visually. */}
      <span role="status" className="visually-hidden" data-testid="formula-step">
        {place === 0 ? words.all : `${words.stepOf(place, STEPS.length)}: ${nameOf(step)}`}
      </span>
    </div>
  );
}

const nameOf = (id: StepChoice) => (id === "all" ? words.all : words.steps[id].name);

function Steps({ step, onStep }: StepBarProps) {
  const strip = useRef<HTMLOListElement>(null);
  useEffect(() => showCurrent(strip.current), [step]);
  return (
    <ol
      ref={strip}
      className="step-bar"
      aria-label={words.stepsName}
      onKeyDown={(event) => rove(event, "row")}
    >
      {CHOICES.map((id) => (
        <li key={id}>
          <Button
            tabIndex={id === step ? 0 : -1}
            aria-current={id === step ? "step" : undefined}
            data-testid={`formula-step-${id}`}
            onClick={() => onStep(id)}
          >
            {nameOf(id)}
          </Button>
        </li>
      ))}
    </ol>
  );
}

/** On a phone the strip is wider than the screen: it scrolls, not the page. */
function showCurrent(strip: HTMLElement | null): void {
  const current = strip?.querySelector<HTMLElement>("[aria-current]");
  if (strip && current)
    strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
}

interface StepButtonProps {
  /** From the table of keys. */
  action: "nextStep" | "previousStep";
  name: string;
  label: string;
  end: boolean;
  onPress: () => void;
}

/** aria-disabled instead of disabled: the button keeps the focus at either end. */
function StepButton({ action, name, label, end, onPress }: StepButtonProps) {
  const key = useKeyOf()(action);
  return (
    <Button
      data-action={action}
      aria-label={name}
      aria-keyshortcuts={key ?? undefined}
      aria-disabled={end}
      onClick={onPress}
    >
      {label} {key !== null && <kbd>{key}</kbd>}
    </Button>
  );
}
