/** Round ticks of an axis, whose ends they are: three to five of them. */

const STEPS = [1, 2, 2.5, 5, 10];
const MOST_INTERVALS = 4;

/** Round ticks from at or below `low` to at or above `high`; the outer two are the axis' ends. */
export function niceTicks(low: number, high: number): number[] {
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Flat data, or as good as flat: an axis of its size around it.
  const flat = high - low <= Math.max(size * 1e-9, 1e-12);
  const span = !flat ? high - low : size > 1e-12 ? size : 1;
  for (const step of roundSteps(span / MOST_INTERVALS)) {
    const first = Math.floor(low / step + 1e-9);
    const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
    if (last - first <= MOST_INTERVALS) return multiples(step, first, last);
  }
  throw new Error("There is always a wider step.");
}

/** Round numbers within the ends, as few as three where they can be; `whole` numbers only where there is nothing between. */
export function ticksWithin([low, high]: readonly [number, number], whole = false): number[] {
  const slack = (high - low) * 1e-9;
  const found: number[][] = [];
  for (const step of roundSteps((high - low) / (MOST_INTERVALS + 2) || 1)) {
    if (step > high - low + slack) break;
    if (whole && !Number.isInteger(step)) continue;
    const ticks = multiples(
      step,
      Math.ceil((low - slack) / step),
      Math.floor((high + slack) / step),
    );
    if (ticks.length <= MOST_INTERVALS + 1) found.push(ticks);
  }
  const reaches = (ticks: number[]) => ticks.at(-1)! >= high - slack;
  // A tick where the data end is worth more than one tick more.
  const some = found.filter((ticks) => ticks.length >= 3);
  return some.find(reaches) ?? some.at(-1) ?? found[0] ?? [whole ? Math.round(low) : low];
}

/** Round steps from at or above `rough`, ever wider. */
function* roundSteps(rough: number): Generator<number> {
  for (let unit = 10 ** Math.floor(Math.log10(rough)); ; unit *= 10)
    for (const factor of STEPS.slice(0, -1))
      if (factor * unit >= rough * (1 - 1e-9)) yield Number((factor * unit).toPrecision(12));
}

/** Multiples of a step, rounded so that 0.1 + 0.2 stays 0.3. */
function multiples(step: number, first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}
