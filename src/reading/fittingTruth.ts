/** Where truths are another thing than a critic's V: a method of the same iteration whose truths and critic agree. */
import { criticFor, isOtherDiscount } from "./critics.ts";
import type { RunLog } from "./log/runLog.ts";
import { truthsOfIteration, type Truths } from "./truths.ts";

interface Place {
  /** The method that is looked at: it is not offered. */
  algorithm: string;
  iteration: number;
}

/** Name of the method; `first`, the critic that V is from, where that is one. Null where there is none. */
export function methodWithTruth(
  log: RunLog,
  { algorithm, iteration }: Place,
  truths: Truths,
  first: string,
): string | null {
  const names = [first, ...log.algorithms].filter((name) => name !== algorithm);
  return names.find((name) => hasFittingTruth(log, name, iteration, truths)) ?? null;
}

function hasFittingTruth(log: RunLog, name: string, iteration: number, truths: Truths): boolean {
  const critic = criticFor(log.start?.spec, name, log.peekEpisodes(name, iteration) ?? []);
  if (!critic?.own) return false;
  return truthsOfIteration(truths, name, iteration).some(
    ({ found }) => !isOtherDiscount(critic, found),
  );
}
