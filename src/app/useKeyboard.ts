/** Key presses to actions, through the action table. */
import { useEffect, useEffectEvent } from "react";
import type { ExperimentHandle } from "../store/hooks.ts";
import { ownViewAt } from "../store/ownView.ts";
import { jumps } from "../figures/ribbon/jumps.ts";
import { isPanel, setLens, withAlone } from "../store/lens.ts";
import { toggleInTurn } from "../store/runQueue.ts";
import { preferences } from "../store/preferences.ts";
import {
  cycleAlgorithm,
  moveEpisode,
  moveIteration,
  moveToken,
  moveTurn,
  resolveChoice,
  setFollow,
  type ChoiceMove,
} from "../store/turnChoice.ts";
import type { PanelKey } from "../figures/manifest.ts";
import { ACTION_EVENT } from "../ui/useActions.ts";
import { switchFork } from "../store/forks.ts";
import {
  actionFor,
  actions,
  hasModifier,
  scopes,
  type Focus,
  type PageActionId,
} from "./actions.ts";
import { copyLink } from "./copyLink.ts";
import { chooseFiles } from "./ImportDrop.tsx";
import type { Experiments } from "./experiments.ts";
import { lessonPlace } from "./present/lessonPlace.ts";
import { saveFile } from "./saveFile.ts";
import { toggleTheme } from "./theme.ts";

/** Pages of their own that have a key. */
type KeyedView = "lens" | "algorithms" | "machine" | "shop";

/** What keys do for the page as a whole. */
export interface PageActions {
  /** The experiment of the run bar: run keys apply to it unless a cell of another experiment has the focus. */
  subject: ExperimentHandle | undefined;
  /** Whether it shows a notebook of the reader's own. */
  writes: boolean;
  showHelp: () => void;
  showPalette: () => void;
  present: () => void;
  /** To that page, or back to the notebook from it. */
  switchView: (to: KeyedView) => void;
}

/** Without experiments only the page's own actions work. */
export function useKeyboard(experiments: Experiments | null, page: PageActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    // An editor has a root of its own, outside of which it looks like any element.
    const [inner] = event.composedPath();
    const target = inner instanceof HTMLElement ? inner : document.body;
    const action = meantBy(event, target, experiments, page);
    if (!action || !(preferences.getState().shortcuts || hasModifier(action))) return;
    // Elsewhere, as on a page of the shop, the key does what it always does.
    if (!isPageAction(action.id) && !actorOf(target, action)) return;
    event.preventDefault();
    doAction(action, hostOf(target), experiments, page);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

/** Does it as if its key had been pressed where `target` has the focus. */
export function doAction(
  action: PanelKey,
  target: HTMLElement,
  experiments: Experiments | null,
  page: PageActions,
): void {
  const { id } = action;
  if (isPageAction(id)) {
    const at = (action.scope === "turns" && cursorAt(target)) || target;
    return DOES[id]({ page, target: at, experiment: experimentOf(at, experiments, page) });
  }
  const actor = actorOf(target, action);
  if (actor?.dataset["action"] === id) actor.click();
  else actor?.dispatchEvent(new CustomEvent(ACTION_EVENT, { detail: id }));
}

export const isPageAction = (id: string): id is PageActionId => Object.hasOwn(DOES, id);

function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

/** The element itself, or the host of its shadow root. */
function hostOf(target: HTMLElement): HTMLElement {
  const root = target.getRootNode();
  return root instanceof ShadowRoot && root.host instanceof HTMLElement ? root.host : target;
}

function focusOf(inner: HTMLElement, writes: boolean): Focus {
  const target = hostOf(inner);
  return {
    tag: inner.tagName.toLowerCase(),
    inputType: inner instanceof HTMLInputElement ? inner.type : undefined,
    editable: inner.isContentEditable,
    scope: scopeOf(target),
    cursor: cursorAt(target) !== null,
    writes,
    scrolls: lessonPlace.getState().now !== null || canScroll(),
    // Letters find the entries of a menu.
    inDialog: target.closest("[role=dialog], [role=alertdialog], [role=menu]") !== null,
  };
}

function isReplay(target: HTMLElement): boolean {
  // Arrows go from one tab to the next.
  return (
    !target.matches("[role=tab]") &&
    document.querySelectorAll("article.shop [data-scope=replay]").length === 1
  );
}

const isInLens = () => document.documentElement.dataset["lens"] !== undefined;

function canScroll(): boolean {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight > clientHeight;
}

/** What has the focus in a cursor's scope, else the first such scope in sight; in the lens all share one cursor. */
function cursorAt(target: HTMLElement): HTMLElement | null {
  if (isInLens() || target.closest(CURSOR)) return target;
  return [...document.querySelectorAll<HTMLElement>(CURSOR)].find(isInSight) ?? null;
}

const CURSOR = "[data-scope=turns]";

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight && element.checkVisibility();
}

function scopeOf(target: HTMLElement): string {
  const name = target.closest<HTMLElement>("[data-scope]")?.dataset["scope"];
  if (name !== undefined && name !== "page" && Object.hasOwn(scopes, name)) return name;
  // A page with one replay has nothing else that its keys could mean.
  return name === undefined && isReplay(target) ? "replay" : "page";
}

/** What acts for a panel: the action's button in the scope that has the focus, or in the lens in the panel that is open; without a button what hears the scope's actions. */
export function actorOf(target: HTMLElement, { id, scope }: PanelKey): HTMLElement | null {
  const isAnywhere = scope === "turns" || scope === "page";
  const around = isAnywhere
    ? document.body
    : (target.closest(`[data-scope=${scope}]`) ??
      document.querySelector(`article.shop [data-scope=${scope}]`));
  const button = around?.querySelector<HTMLElement>(`[data-action=${id}]`);
  return button ?? around?.closest<HTMLElement>("[data-hears]") ?? null;
}

/** The experiment whose cell has the focus, else what the page is about. */
function experimentOf(
  target: HTMLElement,
  experiments: Experiments | null,
  { subject }: PageActions,
): ExperimentHandle | undefined {
  const id = target.closest<HTMLElement>("[data-experiment]")?.dataset["experiment"];
  return experiments?.get(id ?? "") ?? subject;
}

/** Escape resets a zoom first, then leaves a panel shown alone; otherwise it keeps its usual meaning. */
function meantBy(
  event: KeyboardEvent,
  target: HTMLElement,
  experiments: Experiments | null,
  page: PageActions,
): PanelKey | null {
  const action = actionFor(event, focusOf(target, page.writes));
  if (event.key !== "Escape" || (action?.id !== "leaveAlone" && action?.id !== "zoomReset"))
    return action;
  const state = experimentOf(target, experiments, page)?.store.getState();
  const alone = state?.screen === "lens" && state.lens.alone !== null;
  const changed = state && (state.curves.domain ?? state.curves.brush) !== null;
  if (action.id === "zoomReset" && (!alone || changed)) return action;
  return alone ? LEAVE_ALONE : null;
}

const LEAVE_ALONE = actions.find(({ id }) => id === "leaveAlone")!;

/** The lens's panel that has the focus, without the rest of the page; or all of the page again. */
function switchAlone(target: HTMLElement, experiment: ExperimentHandle | undefined): void {
  const panel = panelOf(target);
  if (!experiment || experiment.store.getState().screen !== "lens") return;
  setLens(experiment.store, (lens) => {
    if (lens.alone !== null) return withAlone(lens, null);
    return isPanel(lens, panel) ? withAlone(lens, panel) : lens;
  });
}

/** The panel that has the focus; of a pane as a whole its first. */
function panelOf(target: HTMLElement): string {
  const pane = target.closest("[data-pane]");
  const panel = target.closest<HTMLElement>("details[data-panel]") ?? pane?.firstElementChild;
  return panel instanceof HTMLElement ? (panel.dataset["panel"] ?? "") : "";
}

/** Where a key was pressed. */
interface Pressed {
  page: PageActions;
  target: HTMLElement;
  experiment: ExperimentHandle | undefined;
}

type Does = (pressed: Pressed) => void;

/** Does nothing without an experiment. */
const ofRun =
  (act: (experiment: ExperimentHandle) => void): Does =>
  ({ experiment }) =>
    experiment && act(experiment);

/** Moves the cursor: that of the cell's own view, where it has one. */
const moves =
  (move: ChoiceMove): Does =>
  ({ target, experiment }) => {
    if (!experiment) return;
    const store = ownViewAt(target) ?? experiment.store;
    store.setState(({ view: { log }, choice }) => ({ choice: move(log, choice) }));
  };

const views =
  (to: KeyedView): Does =>
  ({ page }) =>
    page.switchView(to);

/** What each of the page's own actions does. */
const DOES: Readonly<Record<PageActionId, Does>> = {
  run: ofRun(toggleInTurn),
  step: ofRun(({ session }) => session.step()),
  reset: ofRun(({ session }) => session.reset()),
  copyLink: ofRun(({ store }) => void copyLink(store)),
  saveRun: ofRun((experiment) => void saveFile(experiment)),
  switchFork: ofRun(({ store }) => store.setState(switchFork)),
  goTurns: () => focusOn("[data-scope=turns][tabindex]"),
  goPanel: () => focusOn("[data-focus=goPanel]"),
  lens: views("lens"),
  machine: views("machine"),
  shop: views("shop"),
  algorithms: views("algorithms"),
  openFile: chooseFiles,
  alone: ({ target, experiment }) => switchAlone(target, experiment),
  leaveAlone: ({ target, experiment }) => switchAlone(target, experiment),
  theme: toggleTheme,
  palette: ({ page }) => page.showPalette(),
  present: ({ page }) => page.present(),
  help: ({ page }) => page.showHelp(),
  nextTurn: moves((log, choice) => moveTurn(log, choice, 1)),
  previousTurn: moves((log, choice) => moveTurn(log, choice, -1)),
  nextToken: moves((log, choice) => moveToken(log, choice, 1)),
  previousToken: moves((log, choice) => moveToken(log, choice, -1)),
  nextEpisode: moves((log, choice) => moveEpisode(log, choice, 1)),
  previousEpisode: moves((log, choice) => moveEpisode(log, choice, -1)),
  nextIteration: moves((log, choice) => moveIteration(log, choice, 1)),
  previousIteration: moves((log, choice) => moveIteration(log, choice, -1)),
  nextMethod: moves(cycleAlgorithm),
  follow: moves((log, choice) => setFollow(log, choice, !resolveChoice(log, choice).follow)),
  largestError: moves(jumps.largestError),
  largestErrorOfAll: moves(jumps.largestErrorOfAll),
  nextClipped: moves(jumps.nextClipped),
  mostClipped: moves(jumps.mostClipped),
  firstTurn: moves(jumps.firstTurn),
  lastTurn: moves(jumps.lastTurn),
};
