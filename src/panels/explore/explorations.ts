/** All figures with handles, by the name that a cell gives. */
import { shaping, sure, truth } from "./certaintyFigures.ts";
import { backwards, group, reach, reward } from "./creditFigures.ts";
import type { Exploration } from "./exploration.ts";
import { clip, drift, weights } from "./ratioFigures.ts";

export const explorations: Readonly<Record<string, Exploration>> = {
  reward,
  group,
  backwards,
  reach,
  clip,
  truth,
  drift,
  shaping,
  sure,
  weights,
};
