/** Which code cells depend on which: the order in which they run, and what a change makes outdated. */

/** By code cell, the names that it reads. */
export type Reads = ReadonlyMap<string, readonly string[]>;

interface RunOrder {
  /** Cells in order, dependencies first. */
  order: string[];
  /** For a cell that depends on itself, the cycle: it cannot run. */
  circles: ReadonlyMap<string, readonly string[]>;
}

/** What has to run for the wanted cells, in a valid order. Names that are not code cells are not followed. */
export function runOrder(wanted: Iterable<string>, reads: Reads): RunOrder {
  const order: string[] = [];
  const circles = new Map<string, readonly string[]>();
  const done = new Set<string>();
  const visit = (id: string, way: readonly string[]): void => {
    const at = way.indexOf(id);
    if (at >= 0) return markCircle(way.slice(at), circles);
    if (done.has(id)) return;
    for (const name of reads.get(id) ?? []) if (reads.has(name)) visit(name, [...way, id]);
    if (done.has(id)) return;
    done.add(id);
    order.push(id);
  };
  for (const id of wanted) if (reads.has(id)) visit(id, []);
  return { order, circles };
}

function markCircle(way: readonly string[], circles: Map<string, readonly string[]>): void {
  way.forEach((id, i) => {
    if (!circles.has(id)) circles.set(id, [...way.slice(i), ...way.slice(0, i), id]);
  });
}
