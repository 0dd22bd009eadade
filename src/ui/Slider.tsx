/** A number between two others: its label before it and its value after it; arrow keys change it by a step. */
import { useId } from "react";
import { formatBrief } from "../numeric/format.ts";
import "./slider.css";

interface SliderProps {
  range: { label: string; low: number; high: number; step: number };
  value: number;
  testId: string;
  onChange: (value: number) => void;
}

export function Slider({
  range: { label, low, high, step },
  value,
  testId,
  onChange,
}: SliderProps) {
  const own = useId();
  const text = (step % 1 === 0 && low % 1 === 0 ? String : formatBrief)(value);
  return (
    <div className="slide" data-scope="page">
      <label htmlFor={own}>{label}</label>
      <input
        id={own}
        type="range"
        min={low}
        max={high}
        step={step}
        value={value}
        aria-valuetext={text}
        data-testid={testId}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
      <output htmlFor={own}>{text}</output>
    </div>
  );
}
