/**
 * Levels in the XSB text format: `#` wall, space, `-` or `_` floor, `.` goal, `$` box, `*` box on
 * goal, `@` player, `+` player on goal. Other lines (titles, `;` comments, blank ones) separate
 * levels. (Sokoban wiki "Puzzle format"; google-deepmind/boxoban-levels uses the same symbols.)
 */
import { greatest } from "../../numeric/lists.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { FLOOR, TARGET, WALL, type Board } from "./board.ts";

const MAX_SIDE = 64;
const FLOORS = " -_";
const ROW = /^[#\-_ .$*@+]+$/;

interface LevelText {
  /** Line number of the first row in the file, from 1, for error messages. */
  line: number;
  rows: string[];
}

/** All levels of a file. Throws InputError if any of them is not playable. */
export function parseXsb(text: string): Board[] {
  const blocks = splitLevels(text);
  if (blocks.length === 0) throw new InputError("the file has no Sokoban level");
  return blocks.map(toBoard);
}

/**
 * Level `index` of a file, counted from 0; the other levels need not be playable. Throws
 * InputError.
 */
export function parseXsbLevel(text: string, index = 0): Board {
  const blocks = splitLevels(text);
  if (blocks.length === 0) throw new InputError("the file has no Sokoban level");
  const block = blocks[index];
  if (!block) {
    const last = blocks.length - 1;
    throw new InputError(`index is ${index}; the file's levels have index 0 to ${last}`);
  }
  return toBoard(block);
}

/** Runs of board rows with at least one wall. */
function splitLevels(text: string): LevelText[] {
  const blocks: LevelText[] = [];
  let rows: string[] = [];
  const finish = (line: number) => {
    if (rows.some((row) => row.includes("#"))) blocks.push({ line: line - rows.length, rows });
    rows = [];
  };
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  lines.forEach((raw, i) => {
    const row = raw.trimEnd();
    if (row !== "" && ROW.test(row)) rows.push(row);
    else {
      refuseBrokenRow(row, i + 1, rows.length > 0);
      finish(i + 1);
    }
  });
  finish(lines.length + 1);
  return blocks;
}

/**
 * A line that starts and ends like a board row, or continues one, is a mistake rather than a title.
 */
function refuseBrokenRow(row: string, line: number, insideLevel: boolean): void {
  const isRow = /^[\s\-_]*#.*#$/.test(row) || (insideLevel && /^[\s\-_]*#/.test(row));
  const symbol = isRow ? [...row].find((s) => !ROW.test(s)) : undefined;
  if (symbol === undefined) return;
  throw new InputError(
    `line ${line} has the unknown symbol ${show(symbol)}; allowed: # . $ * @ + - _`,
  );
}

function toBoard({ line, rows }: LevelText): Board {
  const fail = (problem: string) => new InputError(`the level at line ${line} ${problem}`);
  if (rows.length > MAX_SIDE || rows.some((row) => row.length > MAX_SIDE)) {
    throw fail(`is larger than ${MAX_SIDE}x${MAX_SIDE}`);
  }
  const grid = gridOf(rows);
  const players = cellsWith(grid, "@+");
  if (players.length === 0) throw fail("has no player");
  if (players.length > 1) throw fail(`has ${players.length} players; it needs exactly one`);
  const outside = outsideOf(grid, players, fail);
  const inside = (wanted: string) => cellsWith(grid, wanted).filter((cell) => !outside.has(cell));
  const boxes = inside("$*");
  const targets = inside(".*+");
  if (boxes.length === 0) throw fail("has no box");
  if (boxes.length !== targets.length) {
    throw fail(`does not have as many boxes (${boxes.length}) as goals (${targets.length})`);
  }
  const fixed = new Uint8Array(grid.symbols.length).fill(WALL);
  for (const cell of inside(`${FLOORS}@$`)) fixed[cell] = FLOOR;
  for (const cell of targets) fixed[cell] = TARGET;
  return { rows: grid.rows, cols: grid.cols, fixed, player: players[0]!, boxes };
}

/**
 * Cells around the room. Throws if the player can walk out, or if they contain more than
 * decoration.
 */
function outsideOf(
  grid: LevelGrid,
  players: number[],
  fail: (problem: string) => Error,
): Set<number> {
  const edge = edgeCells(grid);
  const room = flood(grid, players);
  const opening = edge.find((cell) => room.has(cell));
  if (opening !== undefined) {
    throw fail(`is not enclosed by walls: it is open at ${at(opening, grid.cols)}`);
  }
  const outside = flood(grid, edge);
  const stray = cellsWith(grid, ".$").find((cell) => outside.has(cell));
  if (stray === undefined) return outside;
  throw fail(`has a box or goal outside its walls at ${at(stray, grid.cols)}`);
}

interface LevelGrid {
  rows: number;
  cols: number;
  /** Row by row, padded on the right with spaces. */
  symbols: string;
}

function gridOf(rows: readonly string[]): LevelGrid {
  const cols = greatest(rows.map((row) => row.length));
  return { rows: rows.length, cols, symbols: rows.map((row) => row.padEnd(cols)).join("") };
}

function cellsWith({ symbols }: LevelGrid, wanted: string): number[] {
  const cells: number[] = [];
  for (let i = 0; i < symbols.length; i++) if (wanted.includes(symbols[i]!)) cells.push(i);
  return cells;
}

function at(cell: number, cols: number): string {
  return `row ${Math.floor(cell / cols)}, column ${cell % cols}`;
}

function edgeCells({ rows, cols }: LevelGrid): number[] {
  const cells: number[] = [];
  for (let cell = 0; cell < rows * cols; cell++) {
    const [r, c] = [Math.floor(cell / cols), cell % cols];
    if (r === 0 || c === 0 || r === rows - 1 || c === cols - 1) cells.push(cell);
  }
  return cells;
}

/**
 * Cells that can be reached from the given ones when only walls block. From the edge that is the
 * outside of the room; floor enclosed by walls is inside even if the player cannot reach it.
 */
function flood({ rows, cols, symbols }: LevelGrid, from: readonly number[]): Set<number> {
  const found = new Set(from.filter((cell) => symbols[cell] !== "#"));
  for (const cell of found) {
    const [r, c] = [Math.floor(cell / cols), cell % cols];
    const around = [r > 0 && cell - cols, r < rows - 1 && cell + cols];
    around.push(c > 0 && cell - 1, c < cols - 1 && cell + 1);
    // A Set's iteration includes elements added during it.
    for (const next of around) if (next !== false && symbols[next] !== "#") found.add(next);
  }
  return found;
}
