/** The frame of a panel: a region of the page with a heading. */
import type { ReactNode } from "react";

interface FrameProps {
  /** Its label as a region. */
  region: string;
  testId: string;
  /** For its style. */
  className?: string | undefined;
  /** Scope of its keys, which makes it focusable; null for none. */
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
  /** Shown beside the title. */
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
