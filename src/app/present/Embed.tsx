/** A figure for other pages: `?embed=ID` before the hash shows that figure of the page without header and run bar. */
import { useEffect, useState } from "react";
import type { ExperimentStore } from "../../store/experimentState.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";
import { isShown, setLens, withPanel } from "../../store/lens.ts";
import { openLinkOf } from "../../store/links.ts";
import type { Route } from "../route.ts";
import { figureOf, showAlone } from "./figures.ts";
import { FigureRun } from "./FigureRun.tsx";
import { words } from "./words.ts";
import "./present.css";

/** Milliseconds after which a figure counts as missing. */
const TIME_LIMIT = 20_000;

/** Milliseconds in which a notebook's figures usually load. */
const NOTEBOOK = 3000;

interface EmbedProps {
  id: string;
  experiment: ExperimentHandle | undefined;
  route: Route;
}

export function Embed({ id, experiment, route }: EmbedProps) {
  usePanelOpen(id, experiment?.store, route);
  const [missing, setMissing] = useState(false);
  const [title, setTitle] = useState("");
  useEffect(() => {
    let end: (() => void) | null = null;
    const look = () => {
      if (end) return;
      const found = figureOf(id);
      if (!found) return;
      document.documentElement.dataset["embed"] = found.id;
      setMissing(false);
      setTitle(found.title);
      end = showAlone(found.element);
    };
    look();
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => setMissing(end === null), TIME_LIMIT);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      end?.();
      delete document.documentElement.dataset["embed"];
    };
  }, [id]);
  return (
    <footer className="embed-bar" data-testid="embed">
      <h1 className="visually-hidden">{title}</h1>
      {missing && `${words.missing(id)} `}
      {experiment && <FigureRun experiment={experiment} />}
      <a href={pagePath() + location.hash} target="_blank" rel="noopener">
        {words.open}
      </a>
    </footer>
  );
}

/** Of the page itself: frames without an origin have another one (build/carriedFiles.ts). */
const pagePath = () => location.pathname.replace(/\/embed\.html$/, "/");

/** The frame of a panel is a figure with this name. */
const PANEL = /^(\w+)-panel$/;

/** Activates a panel of the lens, whatever layout the address names; if a notebook lacks it, the lens opens for it. */
function usePanelOpen(id: string, store: ExperimentStore | undefined, route: Route): void {
  useEffect(() => {
    const panel = PANEL.exec(id)?.[1];
    if (!store || panel === undefined) return undefined;
    const open = () => {
      if (!isShown(store.getState().lens, panel))
        setLens(store, (now) => withPanel(now, panel, true));
    };
    if (route === "lens") {
      open();
      return store.subscribe(open);
    }
    const timer = setTimeout(() => {
      if (document.documentElement.dataset["embed"] !== undefined) return;
      open();
      location.hash = openLinkOf(store.getState(), "lens");
    }, NOTEBOOK);
    return () => clearTimeout(timer);
  }, [id, store, route]);
}
