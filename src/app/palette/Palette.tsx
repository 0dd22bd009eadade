/** Opens the command palette, and goes where its reader wants to go. */
import { useState } from "react";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import type { Experiments } from "../experiments.ts";
import type { Route } from "../route.ts";
import { askForPreset } from "../presetChoice.ts";
import { doAction, type PageActions } from "../useKeyboard.ts";
import type { Leads } from "./entries.ts";
import { goToPanel } from "../lens/goToPanel.ts";
import { words } from "./words.ts";

const CommandPalette = lazyPart(
  "CommandPalette",
  () => import("./CommandPalette.tsx"),
  words.opening,
);

interface PaletteProps {
  open: boolean;
  onClose: () => void;
  experiments: Experiments | null;
  hashOf: (view: Route) => string;
  page: PageActions;
}

export function Palette({ open, ...rest }: PaletteProps) {
  return open ? <Opened {...rest} /> : null;
}

function Opened({ onClose, experiments, hashOf, page }: Omit<PaletteProps, "open">) {
  const [before] = useState(focused);
  const go = (leads: Leads, target: HTMLElement) => {
    if ("action" in leads) return doAction(leads.action, target, experiments, page);
    if ("button" in leads) return leads.button.click();
    if ("href" in leads) return void (location.hash = leads.href);
    if ("view" in leads) return void (location.hash = hashOf(leads.view));
    const first = experiments?.values().next().value;
    if (!first) return;
    if ("panel" in leads) return goToPanel(first.store, leads.panel);
    location.hash = hashOf("notebook");
    askForPreset(first.store, leads.preset);
  };
  return <CommandPalette onClose={onClose} before={before} onChoose={go} />;
}

const focused = () =>
  document.activeElement instanceof HTMLElement ? document.activeElement : document.body;
