/** What of the page can be reached from where the focus was. */
import type { ShellAction } from "../actions.ts";
import { hasButton, hasScope } from "../useKeyboard.ts";

/** The page's own actions, those of the cursor where there is one, and those of panels that are in reach. */
export function doableOn(focused: HTMLElement): (action: ShellAction) => boolean {
  return (action) => {
    if (action.id === "palette") return false;
    if (action.does === "press") return hasButton(focused, action);
    if (action.does === "send") return hasScope(focused, action);
    return action.scope === "page" || document.querySelector("[data-scope=turns]") !== null;
  };
}

/** Buttons that the page offers as commands now. */
export function ownButtons(): HTMLButtonElement[] {
  return [...document.querySelectorAll<HTMLButtonElement>("button[data-command]:enabled")];
}
