/** The frame of a panel of the lens: a region with the cursor's keys, its heading, and where its run comes from. */
import type { ReactNode } from "react";
import { OriginTag } from "./OriginTag.tsx";
import type { Manifest } from "./manifest.ts";

interface PanelFrameProps {
  panel: Manifest;
  /** One sentence under the heading. */
  about?: string;
  /** Its name among the page's regions, where the title is another region's too. */
  region?: string;
  /** For its style. */
  className?: string;
  /** Whether it shows the run, and so says where that comes from; yes when absent. */
  ofRun?: boolean;
  children: ReactNode;
}

export function PanelFrame(props: PanelFrameProps) {
  const { panel, about, region = panel.title, className, ofRun = true, children } = props;
  const { id, title } = panel;
  return (
    <section
      className={className === undefined ? "panel" : `panel ${className}`}
      aria-label={region}
      data-scope="turns"
      data-testid={`${id}-panel`}
      tabIndex={-1}
    >
      <header className="panel-header">
        <h3>{title}</h3>
        {ofRun && <OriginTag />}
      </header>
      {about !== undefined && <p className="note">{about}</p>}
      {children}
    </section>
  );
}
