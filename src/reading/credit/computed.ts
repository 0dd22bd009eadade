/** Rows computed one after another, so that the page can respond between two of them. */
import type { Sliced } from "../../numeric/sliced.ts";
import { sharedBatch, type Episodes } from "./batch.ts";
import { creditOf, isKnown, type RowRequest } from "./rowCredit.ts";

interface CreditRequest {
  asked: readonly RowRequest[];
  episodes: Episodes;
}

/** Computes all requested rows; returns the request. */
export function* computed<T extends CreditRequest>(wanted: T): Sliced<T> {
  for (const one of wanted.asked) yield* creditsIn(one, wanted.episodes);
  return wanted;
}

/** Afterwards `creditOf` answers at once. */
export function* creditsIn({ config, ...how }: RowRequest, episodes: Episodes): Sliced<void> {
  if (isKnown(config, episodes, how)) return;
  sharedBatch(config, episodes);
  yield;
  creditOf(config, episodes, how);
  yield;
}
