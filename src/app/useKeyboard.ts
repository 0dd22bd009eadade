/** Key presses to actions, through the action table. */
import { useEffect, useEffectEvent } from "react";
import type { Experiment } from "../store/hooks.ts";
import {
  toFirstTurn,
  toLargestError,
  toLargestErrorOfAll,
  toLastTurn,
  toNextClipped,
} from "../panels/ribbon/jumps.ts";
import { isPanel, setLens, withAlone } from "../store/lens.ts";
import { preferences } from "../store/preferences.ts";
import {
  cycleAlgorithm,
  moveEpisode,
  moveIteration,
  moveToken,
  moveTurn,
  resolveChoice,
  setFollow,
  type TurnChoice,
} from "../store/turnChoice.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { ACTION_EVENT } from "../ui/useActions.ts";
import { switchFork } from "../store/forks.ts";
import {
  actionFor,
  actions,
  scopes,
  type Action,
  type Focus,
  type PageActionId,
} from "./actions.ts";
import { copyLink } from "./copyLink.ts";
import { chooseFiles } from "./ImportDrop.tsx";
import type { Experiments } from "./experiments.ts";
import { toggleTheme } from "./theme.ts";

/** Pages of their own that have a key. */
const VIEWS = ["lens", "algorithms", "machine", "shop"] as const satisfies readonly PageActionId[];

function isView(id: PageActionId): id is (typeof VIEWS)[number] {
  return VIEWS.some((view) => view === id);
}

/** What keys do for the page as a whole. */
export interface PageActions {
  showHelp: () => void;
  /** To that page, or back to the notebook from it. */
  switchView: (to: (typeof VIEWS)[number]) => void;
}

/** Without experiments only the page's own actions work. */
export function useKeyboard(experiments: Experiments | null, page: PageActions): void {
  const act = (id: PageActionId, target: HTMLElement) => {
    if (id === "help") page.showHelp();
    else if (isView(id)) page.switchView(id);
    else if (id === "theme") toggleTheme();
    else if (id === "alone" || id === "leaveAlone") switchAlone(target, experiments);
    else perform(id, experimentOf(target, experiments));
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !preferences.getState().shortcuts) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    const action = meantBy(event, target, experiments);
    if (!action) return;
    const button = action.does === "press" ? buttonOf(target, action) : null;
    // Elsewhere, as on a page of the shop, the key does what it always does.
    if (action.does === "press" && !button) return;
    event.preventDefault();
    if (button) button.click();
    else if (action.does === "send") send(target, action);
    else if (action.does === undefined) act(action.id, target);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

function focusOf(target: HTMLElement, key: string): Focus {
  return {
    tag: target.tagName.toLowerCase(),
    inputType: target instanceof HTMLInputElement ? target.type : undefined,
    editable: target.isContentEditable,
    scope: scopeOf(target, key),
    inDialog: target.closest("[role=dialog], [role=alertdialog]") !== null,
  };
}

function scopeOf(target: HTMLElement, key: string): string {
  // In the lens letters are the cursor's wherever nothing else has the focus; arrows scroll there.
  const { lens } = document.documentElement.dataset;
  if (lens !== undefined && key.length === 1 && target.matches("body, .lens > h1")) return "turns";
  const name = target.closest<HTMLElement>("[data-scope]")?.dataset["scope"];
  return name !== undefined && Object.hasOwn(scopes, name) ? name : "page";
}

/** The button of that action: that of the scope that has the focus, or in the lens that of the panel that is open. */
function buttonOf(target: HTMLElement, { id, scope }: Action): HTMLElement | null {
  const around = scope === "turns" ? document : target.closest(`[data-scope=${scope}]`);
  return around?.querySelector<HTMLElement>(`[data-action=${id}]`) ?? null;
}

function send(target: HTMLElement, { id, scope }: Action): void {
  const event = new CustomEvent(ACTION_EVENT, { detail: id, bubbles: true });
  target.closest(`[data-scope=${scope}]`)?.dispatchEvent(event);
}

/** The experiment whose cell has the focus, else the first. */
function experimentOf(
  target: HTMLElement,
  experiments: Experiments | null,
): Experiment | undefined {
  const id = target.closest<HTMLElement>("[data-experiment]")?.dataset["experiment"];
  return experiments?.get(id ?? "") ?? experiments?.values().next().value;
}

/** Escape leaves what it finds: a zoom first, then what is shown alone; elsewhere it is not ours. */
function meantBy(
  event: KeyboardEvent,
  target: HTMLElement,
  experiments: Experiments | null,
): Action | null {
  const action = actionFor(event, focusOf(target, event.key));
  if (event.key !== "Escape" || (action?.id !== "leaveAlone" && action?.id !== "zoomReset"))
    return action;
  const state = experimentOf(target, experiments)?.store.getState();
  const alone = state?.screen === "lens" && state.lens.alone !== null;
  if (action.id === "zoomReset" && (!alone || state.curves.domain !== null)) return action;
  return alone ? LEAVE_ALONE : null;
}

const LEAVE_ALONE = actions.find(({ id }) => id === "leaveAlone")!;

/** The lens's panel that has the focus, without the rest of the page; or all of the page again. */
function switchAlone(target: HTMLElement, experiments: Experiments | null): void {
  const experiment = experimentOf(target, experiments);
  const panel = target.closest<HTMLElement>("details[data-panel]")?.dataset["panel"] ?? "";
  if (!experiment || experiment.store.getState().screen !== "lens") return;
  setLens(experiment.store, (lens) => {
    if (lens.alone !== null) return withAlone(lens, null);
    return isPanel(lens, panel) ? withAlone(lens, panel) : lens;
  });
}

type Move = (log: RunLog, choice: TurnChoice) => TurnChoice;

const MOVES: Partial<Record<PageActionId, Move>> = {
  nextTurn: (log, choice) => moveTurn(log, choice, 1),
  previousTurn: (log, choice) => moveTurn(log, choice, -1),
  nextToken: (log, choice) => moveToken(log, choice, 1),
  previousToken: (log, choice) => moveToken(log, choice, -1),
  nextEpisode: (log, choice) => moveEpisode(log, choice, 1),
  previousEpisode: (log, choice) => moveEpisode(log, choice, -1),
  nextIteration: (log, choice) => moveIteration(log, choice, 1),
  previousIteration: (log, choice) => moveIteration(log, choice, -1),
  nextMethod: cycleAlgorithm,
  follow: (log, choice) => setFollow(log, choice, !resolveChoice(log, choice).follow),
  largestError: toLargestError,
  largestErrorOfAll: toLargestErrorOfAll,
  nextClipped: toNextClipped,
  firstTurn: toFirstTurn,
  lastTurn: toLastTurn,
};

function perform(id: PageActionId, experiment: Experiment | undefined): void {
  if (!experiment) return;
  const { store, session } = experiment;
  const move = MOVES[id];
  if (move) store.setState(({ view: { log }, choice }) => ({ choice: move(log, choice) }));
  else if (id === "switchFork") store.setState(switchFork);
  else if (id === "run") session.toggleRun();
  else if (id === "step") session.step();
  else if (id === "reset") session.reset();
  else if (id === "openFile") chooseFiles();
  else if (id === "copyLink") void copyLink(store);
  else if (id === "goPanel") document.querySelector<HTMLElement>("[data-testid=go-panel]")?.focus();
  else if (id === "goTurns")
    document.querySelector<HTMLElement>("[data-scope=turns][tabindex]")?.focus();
}
