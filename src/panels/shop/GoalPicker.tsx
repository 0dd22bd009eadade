/** Which goal to shop for: by number, next or previous, or a random one. */
import { useId, useState } from "react";
import { words } from "../shared/shop/words.ts";
import { Button } from "../../ui/Button.tsx";

interface GoalPickerProps {
  goal: number;
  /** Number of goals. */
  goals: number;
  onChoose: (goal: number) => void;
}

const { goal: w } = words;

export function GoalPicker({ goal, goals, onChoose }: GoalPickerProps) {
  const [pending, setPending] = useState<string | null>(null);
  const id = useId();
  const last = goals - 1;
  const choose = (next: number) => {
    setPending(null);
    onChoose(next);
  };
  const edit = (text: string) => {
    const next = wholeNumber(text, last);
    if (next === null) setPending(text);
    else choose(next);
  };
  const step = (by: number, name: string, arrow: string) => {
    // aria-disabled instead of disabled: the button keeps the focus at either end.
    const end = goal + by < 0 || goal + by > last;
    const press = () => !end && choose(goal + by);
    return (
      <Button aria-label={name} aria-disabled={end} onClick={press}>
        {arrow}
      </Button>
    );
  };
  return (
    <div className="goal-picker" role="group" aria-label={w.label}>
      <div className="field">
        <label htmlFor={id} className="field-label">{`${w.label} (${w.of(last)})`}</label>
        <div className="shop-search-row">
          {step(-1, w.previous, "←")}
          <input
            id={id}
            inputMode="numeric"
            value={pending ?? String(goal)}
            data-testid="goal"
            aria-invalid={pending !== null || undefined}
            aria-describedby={`${id}-problem`}
            onChange={({ target }) => edit(target.value)}
          />
          {step(1, w.next, "→")}
          <Button onClick={() => choose(anotherThan(goal, goals))}>{w.another}</Button>
        </div>
        <span id={`${id}-problem`} role="status" className="field-problem shop-line">
          {pending !== null && w.problem(pending, last)}
        </span>
      </div>
    </div>
  );
}

/** The number in a text; null unless it is one of 0 to `last`. */
export function wholeNumber(text: string, last: number): number | null {
  return /^\d{1,15}$/.test(text.trim()) && Number(text) <= last ? Number(text) : null;
}

/** Any other goal, uniformly; the same one if it is the only one. */
export function anotherThan(goal: number, goals: number, random = Math.random): number {
  return goals < 2 ? goal : (goal + 1 + Math.floor(random() * (goals - 1))) % goals;
}
