/**
 * How far a box is from the nearest goal if it were alone, and from where no goal can be reached at
 * all.
 */
import { FLOOR, TARGET, WALL, type Board, ACTIONS, cellOffset } from "./board.ts";

/**
 * Fewest pushes from each cell to the nearest goal, other boxes ignored; Infinity where a box is
 * lost. Found by pulling from the goals: a pull needs the box's new cell and one more behind it for
 * the player.
 */
export function pushDistances({ fixed, cols }: Pick<Board, "fixed" | "cols">): Float64Array {
  const distance = new Float64Array(fixed.length).fill(Infinity);
  const queue: number[] = [];
  fixed.forEach((kind, cell) => kind === TARGET && queue.push(cell));
  for (const cell of queue) distance[cell] = 0;
  for (const cell of queue) {
    for (const action of ACTIONS) {
      const from = cell + cellOffset(action, cols);
      const player = from + cellOffset(action, cols);
      const free = fixed[from] !== WALL && (fixed[player] ?? WALL) !== WALL;
      if (!free || distance[from] !== Infinity) continue;
      distance[from] = distance[cell]! + 1;
      queue.push(from);
    }
  }
  return distance;
}

/** Floor cells on which a box is lost for good, ascending. */
export function deadSquares(board: Board): number[] {
  const distance = pushDistances(board);
  return [...distance.keys()].filter(
    (cell) => board.fixed[cell] === FLOOR && distance[cell] === Infinity,
  );
}
