/** The true values estimated for the run on screen. */
import type { Truths } from "../reading/truths.ts";
import type { SliceStore } from "./sliceStore.ts";

export interface TruthsSlice {
  truths: Truths;
}

export const NO_TRUTHS: Truths = {};

/** Adds new true values to the known ones. */
export function addTruths(store: SliceStore<TruthsSlice>, found: Truths): void {
  store.setState(({ truths }) => ({ truths: { ...truths, ...found } }));
}
