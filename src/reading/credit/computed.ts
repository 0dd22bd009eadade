/** Rows computed one after another, so that the page can answer between two of them. */
import type { Sliced } from "../../numeric/sliced.ts";
import { batchOf, type Episodes } from "./batch.ts";
import { creditOf, isKnown, type Asked } from "./rowCredit.ts";

export interface Wanted {
  asked: readonly Asked[];
  episodes: Episodes;
}

/** All rows that are asked for; it ends with what was wanted. */
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
