/**
 * Sokoban for real Qwen models, in RAGEN's layout. The grid has a space between cells, so that each
 * cell is one token of Qwen's vocabulary.
 */
import type { PlainAdapter } from "./promptAdapter.ts";
import { ragenChat, type RagenChatOptions } from "./ragenChat.ts";

interface RagenGridOptions extends RagenChatOptions {
  maxActions: number;
  maxActionsPerTurn: number;
}

export function ragenGrid(options: RagenGridOptions): PlainAdapter {
  return ragenChat(options, {
    rules: rules(options),
    state: (observation, { actionsLeft, turnsLeft }) => ({
      rows: observation.split("\n").map((row) => [...row].join(" ")),
      left: `You have ${actionsLeft} actions and ${turnsLeft} turns left.`,
    }),
    answers: "your actions",
    separator: " || ",
  });
}

function rules({ maxActions, maxActionsPerTurn }: RagenGridOptions): string {
  return [
    "You play Sokoban. Push every box onto a target to win.",
    "You can push a box but not pull it, and only one box at a time; walls and boxes behind it stop it.",
    "Each action costs a little, a box on a target pays, and solving the level pays most.",
    "Symbols: # wall, _ floor, O target, X box, √ box on target, P you, S you on a target.",
    "Actions: Up, Down, Left, Right.",
    `You have ${maxActions} actions in total and may give up to ${maxActionsPerTurn} at once, separated by ||.`,
    "Example: <answer>Right || Right || Up</answer>",
  ].join("\n");
}
