/** An episode's moves at a glance, if all of them are steps on a board. */
import type { TurnRecord } from "../../record/runEvent.ts";

const ARROWS: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
};

/** A turn without a valid action. */
const NONE = "·";

/** Longer sequences are not readable at a glance. */
const MOST = 24;

/**
 * An arrow for each action, turn after turn; null if one is not a step, or a file does not have it.
 */
export function movesAtAGlance(turns: readonly Pick<TurnRecord, "actions">[]): string | null {
  if (turns.length === 0) return null;
  const parts: string[] = [];
  for (const { actions } of turns) {
    if (actions === null) return null;
    if (actions.length === 0) parts.push(NONE);
    for (const action of actions) {
      const arrow = ARROWS[action.toLowerCase()];
      if (arrow === undefined) return null;
      parts.push(arrow);
    }
  }
  return parts.length > MOST ? `${parts.slice(0, MOST).join("")}…` : parts.join("");
}
