/** Opens the command palette, and goes to the reader's choice. */
import { useState } from "react";
import { PartFailed, usePart } from "../../ui/parts/lazyPart.tsx";
import { createPart } from "../../ui/parts/part.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";
import type { Experiments } from "../experiments.ts";
import type { Route } from "../route.ts";
import { askForPreset } from "../presetChoice.ts";
import { doAction, type PageActions } from "../useKeyboard.ts";
import type { Leads } from "./entries.ts";
import { goToPanel } from "../lens/goToPanel.ts";
import { appWords } from "../strings.ts";
import { useTypedAhead } from "./useTypedAhead.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

const part = createPart(
  "CommandPalette",
  async () => (await import("./CommandPalette.tsx")).CommandPalette,
);

interface PaletteProps {
  open: boolean;
  onClose: () => void;
  experiments: Experiments | null;
  /** What the page is about. */
  about: ExperimentHandle | undefined;
  hashOf: (view: Route) => string;
  page: PageActions;
}

export function Palette({ open, ...rest }: PaletteProps) {
  return open ? <Opened {...rest} /> : null;
}

function Opened({ onClose, experiments, about, hashOf, page }: Omit<PaletteProps, "open">) {
  const [before] = useState(focused);
  const now = usePart(part);
  const typed = useTypedAhead(now.state !== "failed", onClose);
  const go = (leads: Leads, target: HTMLElement) => {
    if ("action" in leads) return doAction(leads.action, target, experiments, page);
    if ("button" in leads) return leads.button.click();
    if ("href" in leads) return void (location.hash = leads.href);
    if ("view" in leads) return void (location.hash = hashOf(leads.view));
    if ("reading" in leads) return void leads.reading(about?.store ?? null);
    if (!about) return;
    if ("panel" in leads) return goToPanel(about.store, leads.panel);
    location.hash = hashOf("notebook");
    askForPreset(about.store, leads.preset);
  };
  if (now.state === "ready")
    return <now.value {...typed} onClose={onClose} before={before} onChoose={go} />;
  const why = now.state === "failed" ? now.why : null;
  return <Waiting query={typed.query} why={why} onClose={onClose} />;
}

interface WaitingProps {
  query: string;
  /** Why it failed to load; null while it may load. */
  why: string | null;
  onClose: () => void;
}

/** Shown until it has loaded: the text typed so far. */
function Waiting({ query, why, onClose }: WaitingProps) {
  return (
    <>
      <div className="overlay" />
      <div
        role="dialog"
        aria-label={words.title}
        className="dialog"
        data-testid="palette-waiting"
        data-typed={query}
      >
        {why === null ? <p>{query || words.opening}</p> : <PartFailed part={part} why={why} />}
        <Button onClick={onClose}>{appWords.close}</Button>
      </div>
    </>
  );
}

const focused = () =>
  document.activeElement instanceof HTMLElement ? document.activeElement : document.body;
