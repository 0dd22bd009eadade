/** An error message: what happened, what can be done, and at most one button. */
import type { ReactNode } from "react";

interface TroubleProps {
  title: string;
  /** What happened. */
  message: ReactNode;
  /** What to do, in a sentence. */
  action?: string;
  /** Label of the button; no button without `onAgain`. */
  again?: string;
  onAgain?: () => void;
  testId?: string;
  /** For an error in a part of the page: the part's name. */
  part?: string;
}

export function Trouble({ title, message, action, again, onAgain, testId, part }: TroubleProps) {
  return (
    <div role="alert" className="notice notice-problem" data-testid={testId} data-part={part}>
      <strong>{title}</strong>
      <p>{message}</p>
      {action !== undefined && <p>{action}</p>}
      {onAgain && (
        <button type="button" onClick={onAgain}>
          {again}
        </button>
      )}
    </div>
  );
}
