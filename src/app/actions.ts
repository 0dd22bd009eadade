/** Everything the keyboard can do, in one table: handlers and the help dialog both read it. */
import { manifests } from "../panels/manifests.ts";
import type { PanelKey } from "../figures/manifest.ts";
import { words as bookWords } from "./book/words.ts";
import { appWords } from "./strings.ts";

/** What the page itself does; the other actions are of panels. */
const pageActions = [
  { id: "run", name: "Run or pause", keys: [" "], scope: "page" },
  { id: "step", name: "Step: one iteration of every method", keys: ["."], scope: "page" },
  { id: "reset", name: "Reset", keys: ["r"], scope: "page" },
  { id: "copyLink", name: "Copy link", keys: ["c"], scope: "page" },
  { id: "goTurns", name: "Go to the turn panel", keys: ["g"], scope: "page" },
  { id: "goPanel", name: "Lens: choose a panel to go to", keys: ["G"], scope: "page" },
  { id: "lens", name: "The credit lens, or back to the notebook", keys: ["v"], scope: "page" },
  { id: "machine", name: "This machine, or back to the notebook", keys: ["m"], scope: "page" },
  { id: "shop", name: "The shop, or back to the notebook", keys: ["s"], scope: "page" },
  { id: "algorithms", name: "The algorithms, or back to the notebook", keys: ["d"], scope: "page" },
  { id: "openFile", name: "Open a run file", keys: ["o"], scope: "page" },
  { id: "alone", name: "Lens: expand this panel, or show all", keys: ["z"], scope: "page" },
  { id: "leaveAlone", name: "Lens: back to all panels", keys: ["Escape"], scope: "page" },
  { id: "theme", name: "Light or dark", keys: ["t"], scope: "page" },
  { id: "saveRun", name: "Save the run as a file", keys: [], scope: "page" },
  { id: "palette", name: "Go to anything by name", keys: ["Mod+k"], scope: "page" },
  { id: "present", name: "Present: one figure at a time", keys: ["F"], scope: "page" },
  { id: "help", name: "Show this help", keys: ["?"], scope: "page" },
  { id: "nextTurn", name: "Next turn", keys: ["j", "ArrowDown"], scope: "turns" },
  { id: "previousTurn", name: "Previous turn", keys: ["k", "ArrowUp"], scope: "turns" },
  { id: "nextToken", name: "Next token", keys: ["n"], scope: "turns" },
  { id: "previousToken", name: "Previous token", keys: ["p"], scope: "turns" },
  { id: "nextEpisode", name: "Next episode", keys: ["l", "ArrowRight"], scope: "turns" },
  { id: "previousEpisode", name: "Previous episode", keys: ["h", "ArrowLeft"], scope: "turns" },
  { id: "nextIteration", name: "Next iteration", keys: ["]"], scope: "turns" },
  { id: "previousIteration", name: "Previous iteration", keys: ["["], scope: "turns" },
  { id: "nextMethod", name: "Next method", keys: ["a"], scope: "turns" },
  { id: "follow", name: "Follow the latest iteration, or stop", keys: ["f"], scope: "turns" },
  { id: "largestError", name: "Largest TD error of the episode", keys: ["e"], scope: "turns" },
  {
    id: "largestErrorOfAll",
    name: "Largest TD error of the iteration's episodes",
    keys: ["E"],
    scope: "turns",
  },
  { id: "nextClipped", name: "Next clipped turn", keys: ["x"], scope: "turns" },
  { id: "mostClipped", name: "Most clipped turn", keys: ["X"], scope: "turns" },
  { id: "firstTurn", name: "First turn", keys: ["Home"], scope: "turns" },
  { id: "lastTurn", name: "Last turn", keys: ["End"], scope: "turns" },
  {
    id: "switchFork",
    name: "What if: the episode’s newest fork, or the recording",
    keys: ["w"],
    scope: "turns",
  },
] as const satisfies readonly PanelKey[];

/** What `useKeyboard.ts` does for each. */
export type PageActionId = (typeof pageActions)[number]["id"];

/** A replay of the shop stands on a page of its own as well as in panels. */
const replayKeys: readonly PanelKey[] = [
  { id: "nextPage", name: "Next page", keys: ["ArrowRight"], scope: "replay" },
  { id: "previousPage", name: "Previous page", keys: ["ArrowLeft"], scope: "replay" },
  { id: "playReplay", name: "Play or pause", keys: ["p"], scope: "replay" },
  { id: "nextAttempt", name: "Next attempt", keys: ["l"], scope: "replay" },
  { id: "previousAttempt", name: "Previous attempt", keys: ["h"], scope: "replay" },
  { id: "openPage", name: "The page at full size", keys: ["Enter"], scope: "replay" },
];

/** Buttons above a notebook: where there are none the keys mean nothing. */
const bookKeys: readonly PanelKey[] = [
  { id: "runBook", name: bookWords.runBook.allKey, keys: ["A"], scope: "page" },
  { id: "runLate", name: bookWords.runBook.lateKey, keys: ["U"], scope: "page" },
  { id: "stopBook", name: bookWords.runBook.stopKey, keys: ["S"], scope: "page" },
];

/** Without letters: where one writes they are text. */
const cells = { scope: "cells" };
const cellKeys: readonly PanelKey[] = [
  { id: "toNextCell", name: "Next cell", keys: ["ArrowDown"], ...cells },
  { id: "toPreviousCell", name: "Previous cell", keys: ["ArrowUp"], ...cells },
  { id: "addAbove", name: "Add text above", keys: ["Mod+Shift+arrowup"], ...cells },
  { id: "addBelow", name: "Add text below", keys: ["Mod+Shift+arrowdown"], ...cells },
  { id: "moveCellUp", name: "Move the cell up", keys: ["Mod+arrowup"], ...cells },
  { id: "moveCellDown", name: "Move the cell down", keys: ["Mod+arrowdown"], ...cells },
  { id: "enterCell", name: "Edit the cell’s text; Escape leaves it", keys: ["Enter"], ...cells },
  { id: "runCell", name: "Run the cell", keys: ["Mod+enter"], ...cells },
  { id: "stopCell", name: "Stop the cell", keys: ["Mod+."], ...cells },
  { id: "foldCell", name: "Fold the cell while reading, or not", keys: ["Mod+Shift+f"], ...cells },
  { id: "duplicateCell", name: "Duplicate the cell", keys: ["Mod+Shift+d"], ...cells },
  { id: "deleteCell", name: "Delete the cell", keys: ["Delete"], ...cells },
  { id: "undoEdit", name: "Undo", keys: ["Mod+z"], ...cells },
  { id: "redoEdit", name: "Redo", keys: ["Mod+Shift+z", "Mod+y"], ...cells },
];

/** `scope`: `page` is everywhere; the others while the focus is in an element with that `data-scope`. */
export const actions: readonly PanelKey[] = [
  ...pageActions,
  ...bookKeys,
  ...cellKeys,
  ...manifests.flatMap(({ keys }): readonly PanelKey[] => keys),
  ...replayKeys,
];

/** Where keys work, as the help calls it. */
export const scopes: Readonly<Record<string, string>> = {
  page: appWords.helpPage,
  turns: appWords.helpTurns,
  cells: bookWords.scope,
  ...Object.assign({}, ...manifests.map((panel) => panel.scopes)),
  replay: appWords.helpReplay,
};

const KEY_NAMES: Record<string, string> = {
  " ": "Space",
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowRight: "→",
  ArrowLeft: "←",
  arrowdown: "↓",
  enter: "Enter",
  arrowup: "↑",
  Escape: "Esc",
};

const HELD = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "") ? "⌘" : "Ctrl";

export function keyName(key: string): string {
  const [, shift, letter] = /^Mod\+(Shift\+)?(.+)$/.exec(key) ?? [];
  if (letter === undefined) return KEY_NAMES[key] ?? key;
  return [HELD, ...(shift ? ["Shift"] : []), KEY_NAMES[letter] ?? letter.toUpperCase()].join(" ");
}

/** The name of an action's first key; null where the table has no such action. */
export function firstKeyOf(id: string): string | null {
  const key = actions.find((action) => action.id === id)?.keys[0];
  return key === undefined ? null : keyName(key);
}

/** Whether the action's key needs a modifier: such keys work also where single keys are switched off. */
export function hasModifier({ keys }: Pick<PanelKey, "keys">): boolean {
  return keys.some((key) => key.startsWith("Mod+"));
}

/** What a key press needs to be known of; KeyboardEvent has all of it. */
interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey?: boolean;
}

/** What has the focus, as far as keys are concerned. */
export interface Focus {
  /** Lower-case tag name. */
  tag: string;
  inputType?: string | undefined;
  editable: boolean;
  /** The innermost scope around it. */
  scope: string;
  inDialog: boolean;
  /** Whether a cursor is in sight: its letters work wherever nothing else has them. */
  cursor?: boolean;
  /** In a notebook of the reader's own: what is typed there is text. */
  writes?: boolean;
  /** In a lesson, and wherever the page can be scrolled: there Space runs nothing. */
  scrolls?: boolean;
}

/** The action of a key at the focus; null if the focused element takes the key, or no action has it. */
export function actionFor(press: KeyPress, focus: Focus): PanelKey | null {
  if (press.altKey || focus.inDialog) return null;
  // With a modifier a key is never text, so it works wherever the focus is.
  if (press.ctrlKey || press.metaKey) {
    const held = `Mod+${press.shiftKey ? "Shift+" : ""}${press.key.toLowerCase()}`;
    const means = ({ keys, scope }: PanelKey) =>
      keys.includes(held) && (scope === "page" || scope === focus.scope);
    return actions.find(means) ?? null;
  }
  if (belongsToFocus(press.key, focus)) return null;
  const means = (where: string) =>
    actions.find(({ keys, scope }) => scope === where && keys.includes(press.key));
  const free = isFree(press.key, focus);
  // The scope of the focus comes first: it may use the key for something else.
  const own = focus.scope === "page" ? undefined : means(focus.scope);
  const ofPage = free ? means("page") : undefined;
  // Arrows scroll.
  const ofCursor = free && focus.cursor && press.key.length === 1 ? means("turns") : undefined;
  return own ?? ofPage ?? ofCursor ?? null;
}

/** Whether the page may have the key: not a letter where one writes, nor Space where it scrolls. */
function isFree(key: string, { writes = false, scrolls = false }: Focus): boolean {
  return !(writes && key.length === 1) && !(scrolls && key === " ");
}

const CLICKED_BY_KEYS = ["button", "a", "summary"];
const NO_TEXT = ["checkbox", "radio", "button", "submit", "reset"];

/** Keys of a slider. */
const SLIDES = /^(Arrow|Page|Home$|End$)/;

/** Typing is never an action, Space and Enter on a button are a click, and arrows go from one radio button to the next. */
function belongsToFocus(key: string, { tag, inputType, editable }: Focus): boolean {
  if (editable || tag === "textarea" || tag === "select") return true;
  if (tag === "input" && inputType === "radio" && key.startsWith("Arrow")) return true;
  if (tag === "input" && inputType === "range") return SLIDES.test(key);
  if (tag === "input") return key === " " || !NO_TEXT.includes(inputType ?? "text");
  return (key === " " || key === "Enter") && CLICKED_BY_KEYS.includes(tag);
}
