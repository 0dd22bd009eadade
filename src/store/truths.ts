/** The truths that were found out about the run on screen. */
import type { Truths } from "../reading/truths.ts";
import type { SliceStore } from "./sliceStore.ts";

export interface TruthsSlice {
  truths: Truths;
}

export const NO_TRUTHS: Truths = {};

/** Keeps what has been found out, beside what is known already. */
export function addTruths(store: SliceStore<TruthsSlice>, found: Truths): void {
  store.setState(({ truths }) => ({ truths: { ...truths, ...found } }));
}
