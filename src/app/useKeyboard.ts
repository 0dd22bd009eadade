/** Key presses to actions, through the action table. */
import { useEffect, useEffectEvent } from "react";
import type { Experiment } from "../store/hooks.ts";
import { curveMoves, type CurveMove } from "../panels/curves/moves.ts";
import {
  toFirstTurn,
  toLargestError,
  toLargestErrorOfAll,
  toLastTurn,
  toNextClipped,
} from "../panels/ribbon/jumps.ts";
import { isPanelId, setLens, withAlone } from "../store/lens.ts";
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
import { actionFor, actions, type ActionId, type Focus, type Scope } from "./actions.ts";
import { copyLink } from "./copyLink.ts";
import { chooseFiles } from "./ImportDrop.tsx";
import type { Experiments } from "./experiments.ts";
import { toggleTheme } from "./theme.ts";

/** Pages of their own that have a key. */
const VIEWS = ["lens", "algorithms", "machine", "shop"] as const satisfies readonly ActionId[];

function isView(id: ActionId): id is (typeof VIEWS)[number] {
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
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !preferences.getState().shortcuts) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    const id = meantBy(event, target, experiments);
    if (id === null) return;
    const button = buttonOf(target, id);
    // Elsewhere, as on a page of the shop, the key does what it always does.
    if (BUTTON_ACTIONS.includes(id) && !button) return;
    event.preventDefault();
    if (id === "help") page.showHelp();
    else if (isView(id)) page.switchView(id);
    else if (id === "theme") toggleTheme();
    else if (button) button.click();
    else if (BOARD_ACTIONS.includes(id)) tellBoard(target, id);
    else if (STEP_ACTIONS.includes(id)) pressStep(id);
    else if (id === "alone" || id === "leaveAlone") switchAlone(target, experiments);
    else perform(id, experimentOf(target, experiments));
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

function scopeOf(target: HTMLElement, key: string): Scope {
  // In the lens letters are the cursor's wherever nothing else has the focus; arrows scroll there.
  const { lens } = document.documentElement.dataset;
  if (lens !== undefined && key.length === 1 && target.matches("body, .lens > h1")) return "turns";
  const name = target.closest<HTMLElement>("[data-scope]")?.dataset["scope"];
  return actions.find(({ scope }) => scope === name)?.scope ?? "page";
}

const BUTTON_ACTIONS: readonly ActionId[] = [
  ...(["nextPage", "previousPage", "playReplay"] as const),
  ...(["playUp", "playDown", "playLeft", "playRight"] as const),
  ...(["playPolicy", "playPolicyOn", "playTakeBack"] as const),
];

const STEP_ACTIONS: readonly ActionId[] = [
  ...(["nextStep", "previousStep", "nextFound", "previousFound"] as const),
];

/** Presses the button of that action in the formula or the episodes panel, if it is open. */
function pressStep(id: ActionId): void {
  document.querySelector<HTMLElement>(`[data-action=${id}]`)?.click();
}

/** The button of that action in the replay or the playground that has the focus. */
function buttonOf(target: HTMLElement, id: ActionId): HTMLElement | null {
  const scope = target.closest("[data-scope=replay], [data-scope=play]");
  return scope?.querySelector<HTMLElement>(`[data-action=${id}]`) ?? null;
}

const BOARD_ACTIONS = actions.filter(({ scope }) => scope === "board").map(({ id }) => id);

function tellBoard(target: HTMLElement, id: ActionId): void {
  const event = new CustomEvent(ACTION_EVENT, { detail: id });
  target.closest("[data-scope=board]")?.dispatchEvent(event);
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
): ActionId | null {
  const id = actionFor(event, focusOf(target, event.key));
  if (event.key !== "Escape" || (id !== "leaveAlone" && id !== "zoomReset")) return id;
  const state = experimentOf(target, experiments)?.store.getState();
  const alone = state?.screen === "lens" && state.lens.alone !== null;
  if (id === "zoomReset" && (!alone || state.curves.domain !== null)) return id;
  return alone ? "leaveAlone" : null;
}

/** The lens's panel that has the focus, without the rest of the page; or all of the page again. */
function switchAlone(target: HTMLElement, experiments: Experiments | null): void {
  const experiment = experimentOf(target, experiments);
  const panel = target.closest<HTMLElement>("details[data-panel]")?.dataset["panel"] ?? "";
  if (!experiment || experiment.store.getState().screen !== "lens") return;
  setLens(experiment.store, (lens) => {
    if (lens.alone !== null) return withAlone(lens, null);
    return isPanelId(panel) ? withAlone(lens, panel) : lens;
  });
}

function isCurveMove(id: ActionId): id is CurveMove {
  return Object.hasOwn(curveMoves, id);
}

type Move = (log: RunLog, choice: TurnChoice) => TurnChoice;

const MOVES: Partial<Record<ActionId, Move>> = {
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

function perform(id: ActionId, experiment: Experiment | undefined): void {
  if (!experiment) return;
  const { store, session } = experiment;
  const move = MOVES[id];
  if (isCurveMove(id)) store.setState(curveMoves[id]);
  else if (move) store.setState(({ view: { log }, choice }) => ({ choice: move(log, choice) }));
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
