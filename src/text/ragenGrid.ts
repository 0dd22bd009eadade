/**
 * Sokoban for real Qwen models, in RAGEN's layout. The grid has a space between cells, so that each
 * cell is one token of Qwen's vocabulary.
 */
import { counted } from "../numeric/counted.ts";
import type { PlainAdapter } from "./promptAdapter.ts";
import { ragenChat, type RagenChatOptions } from "./ragenChat.ts";

interface RagenGridOptions extends RagenChatOptions {
  maxActions: number;
  maxActionsPerTurn: number;
  /** Whether the cells of targets, boxes and player are listed before the grid: RAGEN's `grid_coord`. Absent: no. */
  coordinates?: boolean;
}

/** Sokoban as a chat; responses name moves between `||`. */
export function ragenGrid(options: RagenGridOptions): PlainAdapter {
  return ragenChat(options, {
    rules: rules(options),
    state: (observation, { actionsLeft, turnsLeft }) => ({
      rows: options.coordinates
        ? ["Coordinates:", ...coordinates(observation), "Grid map:", ...spaced(observation)]
        : spaced(observation),
      left: `You have ${counted(actionsLeft, "action")} and ${counted(turnsLeft, "turn")} left.`,
    }),
    answers: "your actions",
    separator: " || ",
  });
}

const spaced = (board: string) => board.split("\n").map((row) => [...row].join(" "));

/** RAGEN's names of the symbols, in the order of its `coord` observation; walls are left out. */
const NAMES: readonly (readonly [name: string, symbol: string])[] = [
  ["Targets", "O"],
  ["Boxes", "X"],
  ["Boxes on target", "√"],
  ["Player", "P"],
  ["Player on target", "S"],
];

/** A line per symbol on the board, with its cells from (0, 0). */
function coordinates(board: string): string[] {
  const rows = board.split("\n").map((row) => [...row]);
  return NAMES.flatMap(([name, symbol]) => {
    const cells = rows.flatMap((row, r) =>
      row.flatMap((cell, c) => (cell === symbol ? [`(${r}, ${c})`] : [])),
    );
    return cells.length === 0 ? [] : [`${name}: ${cells.join(", ")}`];
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
