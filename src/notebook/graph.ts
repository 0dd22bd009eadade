/** Which code cells depend on which: the order in which they run, and what a change puts out of date. */

/** By code cell, the names that it reads. */
export type Reads = ReadonlyMap<string, readonly string[]>;

interface RunOrder {
  /** Cells, those that others read first. */
  order: string[];
  /** For a cell that waits for itself, the way round: it cannot run. */
  circles: ReadonlyMap<string, readonly string[]>;
}

/** What has to run for the wanted cells, in an order that works. Names that are no code cells are not followed. */
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
