/** Where iterations stand along a map: on the axis of the whole run, or, where few of them have numbers, those alone side by side. */
import { ticksWithin } from "../../charts/axis.ts";
import { greatest } from "../../numeric/lists.ts";
import type { TurnMap, TurnQuantity } from "../../reading/byTurn.ts";

export interface HeatColumns {
  /** How many there is room for. */
  count: number;
  /** Whether iterations without numbers have no column. */
  packed: boolean;
  /** Iterations that may be written below. */
  ticks: readonly number[];
  /** From where to where a range of iterations stands, in columns; nowhere is from a place to the same place. */
  span(from: number, to: number): readonly [number, number];
  /** The iteration at a place, in columns. */
  iterationAt(place: number): number;
}

/** A run that keeps more than that has the axis of the whole run. */
const MOST_PACKED = 60;

/** One iteration after the other, whether there is anything of it or not. */
export function evenColumns(first: number, last: number): HeatColumns {
  return {
    count: last - first + 1,
    packed: false,
    ticks: ticksWithin([first, last], true),
    span: (from, to) => [from - first, to - first + 1],
    iterationAt: (place) => first + Math.floor(place),
  };
}

/** Only these, in rising order. */
function packedColumns(iterations: readonly number[]): HeatColumns {
  const before = (limit: number) => iterations.filter((one) => one < limit).length;
  return {
    count: iterations.length,
    packed: true,
    ticks: iterations,
    span: (from, to) => [before(from), before(to + 1)],
    iterationAt: (place) => iterations[Math.floor(place)]!,
  };
}

/** For all methods the same. @param ends first and last iteration of the run's axis. */
export function heatColumns(
  maps: readonly TurnMap[],
  quantity: TurnQuantity,
  [first, last]: readonly [number, number],
): HeatColumns {
  const known = new Set<number>();
  for (const { columns } of maps)
    for (const { iteration, turns } of columns)
      if (turns.some((means) => means[quantity] !== null)) known.add(iteration);
  const finished = greatest([0, ...maps.map(({ iterations }) => iterations)]);
  const isSparse = known.size > 0 && known.size < finished && known.size <= MOST_PACKED;
  return isSparse ? packedColumns([...known].sort((a, b) => a - b)) : evenColumns(first, last);
}
