/** A name with an explanation, e.g. a column heading: `TermCards` shows the card. */
import type { ReactNode } from "react";
import "./termCards.css";

interface ExplainedProps {
  /** Without its full stop. */
  meaning: string;
  children: ReactNode;
}

export function Explained({ meaning, children }: ExplainedProps) {
  return (
    <button type="button" className="term" data-term-meaning={meaning}>
      {children}
    </button>
  );
}
