/** How healthy the policies behind a score are at the end: of each seed, since a mean hides the sick one. */
import type { RunResult } from "./results.ts";
import { max, min } from "../../numeric/statistics.ts";
import { finite, firstAndLast, knownOnly } from "../../numeric/finite.ts";
import { isScore, resultCollapsed, type CollapseLimits } from "../../spec/collapse.ts";

export const HEALTH_COLUMNS = ["Valid turns", "Entropy", "Response length", "Collapsed"];

/** Cells of a table, smallest to largest of the seeds; "not kept" where the results do not have it. */
export function healthOf(results: readonly RunResult[], limits?: CollapseLimits): string[] {
  const own = results.flatMap(({ methods }) => methods);
  const valid = own.map(({ points }) => {
    const names = points.map(([, all]) => {
      const name = Object.keys(all).find((one) => isScore(one, "action_is_valid"));
      return name === undefined ? null : all[name];
    });
    return firstAndLast(names).last;
  });
  const late = (name: string) => own.map((one) => finite(one.late[name]));
  return [
    range(valid, (x) => (100 * x).toFixed(1), " %"),
    range(late("actor/entropy"), (x) => x.toFixed(2)),
    range(late("response_length/mean"), (x) => x.toFixed(1)),
    `${own.filter((one) => resultCollapsed(one, limits)).length} of ${own.length}`,
  ];
}

function range(x: readonly (number | null)[], text: (x: number) => string, unit = ""): string {
  const known = knownOnly(x);
  if (known.length === 0) return "not kept";
  const [low, high] = [text(min(known)), text(max(known))];
  const lacking = known.length < x.length ? `, ${known.length} of ${x.length} kept` : "";
  return `${low === high ? low : `${low} to ${high}`}${unit}${lacking}`;
}
