/** What is folded away: made only for those who look. */
import { useState, type ReactNode } from "react";

interface FoldedProps {
  /** What one presses to see it. */
  title: ReactNode;
  className?: string;
  testId?: string;
  /** Of the title. */
  titleTestId?: string;
  /** Also there while it is folded, for those who search the page. */
  always?: ReactNode;
  children: ReactNode;
}

export function Folded({ title, className, testId, titleTestId, always, children }: FoldedProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={className}
      data-testid={testId}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary data-testid={titleTestId}>{title}</summary>
      {always}
      {open && children}
    </details>
  );
}
