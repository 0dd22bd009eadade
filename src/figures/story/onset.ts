/** The onset of a method's story, as charts of curves mark it. */
import type { Story } from "../../reading/story/story.ts";
import { titleOf } from "../../reading/titles.ts";
import type { OnsetMark } from "../curves/chart.ts";
import { words } from "./words.ts";

/** Null without a change. */
export function onsetOf(stories: readonly Story[], algorithm: string): OnsetMark | null {
  const told = stories.find((one) => one.algorithm === algorithm);
  if (!told || told.onset === null || told.between === null) return null;
  const { verdict, onset: at, between } = told;
  const isBad = verdict !== "learned" && verdict !== "healthy";
  return { at, between, isBad, says: words.onset(titleOf(algorithm), isBad, at, between) };
}
