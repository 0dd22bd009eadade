/** Collapsible content, rendered only when opened. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import { onNumbersWanted } from "./tablesIn.ts";

interface FoldedProps {
  /** The clickable title. */
  title: ReactNode;
  className?: string;
  testId?: string | undefined;
  /** Test id of the title. */
  titleTestId?: string;
  /** Also present while collapsed, for searches of the page. */
  always?: ReactNode;
  children: ReactNode;
}

export function Folded({ title, className, testId, titleTestId, always, children }: FoldedProps) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => onNumbersWanted(details.current!, setWanted), []);
  return (
    <details
      ref={details}
      className={className}
      data-testid={testId}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary data-testid={titleTestId}>{title}</summary>
      {always}
      {(open || wanted) && children}
    </details>
  );
}
