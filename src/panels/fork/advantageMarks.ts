/** A picture's advantages of one turn: the available ones, the true one first. */
import type { BranchEstimate } from "../../runtime/questions.ts";
import type { Said } from "./forkView.ts";

export interface AdvantageMark {
  name: string;
  /** The algorithm; null for the true one. */
  algorithm: string | null;
  title: string;
  kind: "truth" | "trained" | "computed";
  value: number;
  /** Ends of the interval; the value itself if it has none. */
  low: number;
  high: number;
}

interface Advantages {
  truth: BranchEstimate;
  /** The advantage training used; null if unknown. */
  trained: number | null;
  said: readonly Said[];
}

interface MarkTitles {
  truth: string;
  trained: string;
  /** The method that was trained. */
  algorithm: string;
}

export function advantageMarks(
  { truth, trained, said }: Advantages,
  titles: MarkTitles,
): AdvantageMark[] {
  const exact = (value: number) => ({ value, low: value, high: value });
  const { mean, low, high } = truth;
  const all: AdvantageMark[] = [
    { name: "truth", algorithm: null, title: titles.truth, kind: "truth", value: mean, low, high },
  ];
  if (trained !== null)
    all.push({
      name: "trained",
      algorithm: titles.algorithm,
      title: titles.trained,
      kind: "trained",
      ...exact(trained),
    });
  for (const { name, title, advantage } of said)
    if (advantage !== null)
      all.push({
        name: `computed ${name}`,
        algorithm: name,
        title,
        kind: "computed",
        ...exact(advantage),
      });
  return all.filter(({ value }) => Number.isFinite(value));
}
