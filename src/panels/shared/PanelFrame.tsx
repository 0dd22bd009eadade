/** The frame of a panel over a run: its heading shows where the run comes from. */
import { useRef, type ReactNode } from "react";
import { DataMenu } from "../../charts/DataMenu.tsx";
import { numbersIn } from "../../ui/tablesIn.ts";
import { PanelRegion, FrameHead } from "../../ui/Frame.tsx";
import { panelTermsHref } from "./glossaryLink.ts";
import { OriginTag } from "./OriginTag.tsx";
import type { Manifest } from "../../figures/manifest.ts";
import { panelWords } from "./strings.ts";

interface PanelFrameProps {
  panel: Manifest;
  /** One sentence under the heading. */
  about?: string;
  /** Its label as a region, if the title is another region's too. */
  region?: string;
  /** For its style. */
  className?: string;
  /** Whether it shows the run, and so where that comes from; default: yes. */
  ofRun?: boolean;
  /** Whether `children` include the heading, which then changes with them; default: no. */
  ownHead?: boolean;
  /** Scope of its keys: default the cursor's, null for none. */
  scope?: string | null;
  children: ReactNode;
}

export function PanelFrame(props: PanelFrameProps) {
  const { panel, about, className, ofRun = true, ownHead = false, scope = "turns" } = props;
  const { id, title } = panel;
  return (
    <PanelRegion
      className={className}
      scope={scope}
      region={props.region ?? title}
      testId={`${id}-panel`}
    >
      {!ownHead && (
        <FrameHead title={title}>
          {ofRun && <OriginTag />}
          <TermsLink panel={panel} />
          {panel.hasNumbers && <PanelData panel={panel} />}
        </FrameHead>
      )}
      {about !== undefined && <p className="note prose-note">{about}</p>}
      {props.children}
    </PanelRegion>
  );
}

/** A link to the glossary, with the panel's terms. */
export function TermsLink({ panel }: { panel: Manifest }) {
  if (panel.terms.length === 0) return null;
  return (
    <a
      className="quiet-link"
      href={panelTermsHref(panel)}
      aria-label={panelWords.termsOf(panel.title)}
    >
      {panelWords.terms}
    </a>
  );
}

/** The panel's content as a separate table. */
export function PanelData({ panel: { id, title } }: { panel: Manifest }) {
  const place = useRef<HTMLSpanElement>(null);
  return (
    <span ref={place} className="panel-data">
      <DataMenu
        title={title}
        name={id}
        table={() => numbersIn(place.current!.closest("[data-figure]")!)}
      />
    </span>
  );
}
