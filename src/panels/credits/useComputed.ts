/** Rows computed one after another, so that the page can answer between two of them. */
import { useSliced, type Sliced } from "../useSliced.ts";
import { batchOf, type Episodes } from "./batch.ts";
import { creditOf, isKnown, type Asked } from "./rowCredit.ts";

interface Wanted {
  asked: readonly Asked[];
  episodes: Episodes;
}

/** What is to be shown, once all of its rows have been computed; before that, what was. null at first. */
export function useComputed<T extends Wanted>(wanted: T): T | null {
  return useSliced(wanted, computed<T>);
}

/** What useComputed does, for who shows it in another way. */
export function* computed<T extends Wanted>(wanted: T): Sliced<T> {
  for (const one of wanted.asked) yield* creditsIn(one, wanted.episodes);
  return wanted;
}

/** `creditOf` will answer at once after it. */
export function* creditsIn({ config, ...how }: Asked, episodes: Episodes): Sliced<void> {
  if (isKnown(config, episodes, how)) return;
  batchOf(config, episodes);
  yield;
  creditOf(config, episodes, how);
  yield;
}
