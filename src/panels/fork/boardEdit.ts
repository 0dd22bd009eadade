/** Edits a board: text in RAGEN's symbols in, text out. */

/** What a cell can contain, with the key that draws it. */
export const TOOLS = ["player", "box", "target", "floor", "wall"] as const;
export type Tool = (typeof TOOLS)[number];

/** Symbols without and with a target below. */
const OVER: Record<string, { floor: string; target: string }> = {
  player: { floor: "P", target: "S" },
  box: { floor: "X", target: "√" },
};

export const symbolsOf = (board: string): string[][] =>
  board.split("\n").map((row) => Array.from(row));

const onTarget = (symbol: string) => "O√S".includes(symbol);
const write = (cells: string[][]) => cells.map((row) => row.join("")).join("\n");

/** A rectangle of board symbols with one player, which the editor can handle. */
export function isBoard(text: string): boolean {
  const cells = symbolsOf(text);
  const wide = cells[0]!.length;
  const fits = cells.length > 2 && wide > 2 && cells.every((row) => row.length === wide);
  return fits && /^[#_OX√PS\n]+$/.test(text) && text.match(/[PS]/g)?.length === 1;
}

/** The border is always all wall. */
function isBorder(cells: string[][], r: number, c: number): boolean {
  return r === 0 || c === 0 || r === cells.length - 1 || c === cells[0]!.length - 1;
}

/** Draws in a cell: replaces its content; a target stays below a box or the player. The player moves. */
export function draw(board: string, tool: Tool, r: number, c: number): string {
  const cells = symbolsOf(board);
  const here = cells[r]?.[c];
  if (here === undefined || isBorder(cells, r, c)) return board;
  const stands = "PS".includes(here);
  if (tool === "player") {
    const bare = cells.map((row) =>
      row.map((cell) => (cell === "P" ? "_" : cell === "S" ? "O" : cell)),
    );
    bare[r]![c] = over("player", here);
    return write(bare);
  }
  if (tool === "target") cells[r]![c] = withTarget(here);
  // There is always one player: it is moved, not overwritten.
  else if (stands) return board;
  else cells[r]![c] = tool === "box" ? over("box", here) : tool === "wall" ? "#" : "_";
  return write(cells);
}

function over(what: string, here: string): string {
  return onTarget(here) ? OVER[what]!.target : OVER[what]!.floor;
}

/** Adds a target, or removes it. */
function withTarget(here: string): string {
  const swaps: Record<string, string> = { P: "S", S: "P", X: "√", "√": "X", O: "_" };
  return swaps[here] ?? "O";
}

const NAMES: Record<string, string> = {
  "#": "wall",
  _: "floor",
  O: "target",
  X: "box",
  "√": "box on target",
  P: "player",
  S: "player on target",
};

export const symbolName = (symbol: string): string => NAMES[symbol] ?? symbol;

/** Why the board cannot be played; null if it can. */
export function problemOf(board: string): string | null {
  const count = (symbols: string) => Array.from(board).filter((s) => symbols.includes(s)).length;
  const [boxes, targets] = [count("X√"), count("O√S")];
  if (boxes === 0) return "A board needs a box.";
  if (targets < boxes)
    return `There are ${boxes} boxes and ${targets} targets: each box needs one.`;
  return count("X") === 0 ? "Every box is on a target: this board is solved already." : null;
}
