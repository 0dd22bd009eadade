/** The frame of a panel: a region of the page with a heading. */
import type { ReactNode } from "react";

interface FrameProps {
  /** Its name among the page's regions. */
  region: string;
  testId: string;
  /** For its style. */
  className?: string | undefined;
  /** Whose keys work in it, which then can have the focus; null for none. */
  scope: string | null;
  children: ReactNode;
}

export function PanelRegion({ region, testId, className, scope, children }: FrameProps) {
  return (
    <section
      className={className === undefined ? "panel" : `panel ${className}`}
      aria-label={region}
      data-testid={testId}
      data-figure={testId}
      {...(scope !== null && { "data-scope": scope, tabIndex: -1 })}
    >
      {children}
    </section>
  );
}

interface FrameHeadProps {
  title: string;
  className?: string | undefined;
  /** Beside the title. */
  children?: ReactNode;
}

export function FrameHead({ title, className, children }: FrameHeadProps) {
  return (
    <header className={className === undefined ? "panel-header" : `panel-header ${className}`}>
      <h3>{title}</h3>
      {children}
    </header>
  );
}
