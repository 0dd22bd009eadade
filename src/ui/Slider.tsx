/** A number slider with its label before and its value after it; arrow keys change it by a step. */
import { useId } from "react";

interface SliderProps {
  label: string;
  value: number;
  low: number;
  high: number;
  step: number;
  /** Formats the value, also for screen readers. */
  format: (value: number) => string;
  onChange: (value: number) => void;
  testId?: string;
}

export function Slider({ label, value, low, high, step, format, onChange, testId }: SliderProps) {
  const id = useId();
  return (
    <div className="slide" data-scope="page">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={low}
        max={high}
        step={step}
        value={value}
        aria-valuetext={format(value)}
        data-testid={testId}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
      <output htmlFor={id}>{format(value)}</output>
    </div>
  );
}
