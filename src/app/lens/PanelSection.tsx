/** A panel under its title, which collapses it; or alone, without the rest of the page. */
import { Suspense, useEffect, useRef, useState } from "react";
import { useTurn } from "../../charts/redrawQueue.ts";
import type { LensPanel } from "../../panels/panelTable.ts";
import { words } from "../../panels/lens/words.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { isUnfolded, setLens, withAlone, withFold } from "../../store/lens.ts";
import { useLoaded } from "../../ui/parts/lazyPart.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { Warnings } from "../Warnings.tsx";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";

/** While a link waits for the reader's decision, the question must be visible. */
export const selectAlone = ({ lens, waitingLink }: ExperimentState) =>
  waitingLink === null ? lens.alone : null;

const opening = <Empty>{words.opening}</Empty>;

interface PanelSectionProps {
  panel: LensPanel;
  /** Whether it is the first of its pane, whose header has its title: it cannot be collapsed. */
  lead: boolean;
}

export function PanelSection({ panel: { id, title, about, Panel }, lead }: PanelSectionProps) {
  const { store } = useExperiment();
  const alone = useExperimentState(selectAlone);
  const isAlone = alone === id;
  const open = useExperimentState(({ lens }) => isUnfolded(lens, id)) || isAlone;
  // A panel keeps its state while another one is shown alone; one that was never shown is not
  // mounted.
  const [seen, setSeen] = useState(false);
  const visible = open && (alone === null || isAlone);
  if (visible && !seen) setSeen(true);
  // A collapsed panel is not mounted.
  const mounted = open && (visible || seen);
  // Its code first: React would draw panels that arrive together in one go.
  const loaded = useLoaded(Panel.part, mounted);
  const drawn = useTurn(mounted && loaded);
  const section = useSight(isAlone);
  const toggled = (now: boolean) =>
    !isAlone && !lead && setLens(store, (lens) => withFold(lens, id, now));
  return (
    <details
      ref={section}
      className={isAlone ? "lens-section alone" : "lens-section"}
      data-panel={id}
      // The keys of turns also work on its summary; its content may have its own scope.
      data-scope="turns"
      open={open}
      onToggle={({ currentTarget }) => toggled(currentTarget.open)}
    >
      <summary>
        <strong>{title}</strong> <span className="note">{about}</span>
      </summary>
      {mounted && (
        <>
          {(isAlone || !lead) && <AloneButton id={id} title={title} isAlone={isAlone} />}
          <ErrorBoundary>
            <Suspense fallback={opening}>{drawn ? <Panel /> : opening}</Suspense>
          </ErrorBoundary>
        </>
      )}
    </details>
  );
}

/**
 * A panel shown alone gets the focus, so that keys work at once, and is scrolled into view when it
 * returns to the others.
 */
function useSight(isAlone: boolean) {
  const section = useRef<HTMLDetailsElement>(null);
  const before = useRef(false);
  useEffect(() => {
    const here = section.current!;
    if (isAlone) {
      const focused = document.activeElement;
      // Its title is hidden, and would take the focus with it.
      const stays = here.contains(focused) && !focused?.closest(".lens-section > summary");
      // Its button: a tabindex on <details> itself would exclude its content from Tab.
      if (!stays) here.querySelector<HTMLElement>(".lens-alone")?.focus();
      window.scrollTo(0, 0);
    } else if (before.current) here.scrollIntoView({ block: "nearest" });
    before.current = isAlone;
  }, [isAlone]);
  return section;
}

/** Also shows what could not be used of a link: the experiment's notices are not visible. */
function AloneButton({ id, title, isAlone }: { id: string; title: string; isAlone: boolean }) {
  const { store } = useExperiment();
  const warnings = useExperimentState("warnings");
  return (
    <>
      <div className="lens-tools">
        <Button
          look="quiet"
          className="lens-alone"
          data-testid={`alone-${id}`}
          aria-label={isAlone ? undefined : words.aloneLabel(title)}
          onClick={() => setLens(store, (lens) => withAlone(lens, isAlone ? null : id))}
        >
          {isAlone ? words.backToAll : words.alone}
        </Button>
      </div>
      {isAlone && <Warnings warnings={warnings} />}
    </>
  );
}
