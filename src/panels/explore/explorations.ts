/** All figures with handles, by the name that a cell gives. */
import { shapingFigure, sureFigure, truthFigure } from "./certaintyFigures.ts";
import { backwardsFigure, groupFigure, reachFigure, rewardFigure } from "./creditFigures.ts";
import type { Exploration } from "./exploration.ts";
import { feverFigure, purchaseFigure } from "./practiceFigures.ts";
import { clipFigure, driftFigure, weightsFigure } from "./ratioFigures.ts";

export const explorations: Readonly<Record<string, Exploration>> = {
  reward: rewardFigure,
  group: groupFigure,
  backwards: backwardsFigure,
  reach: reachFigure,
  clip: clipFigure,
  truth: truthFigure,
  drift: driftFigure,
  shaping: shapingFigure,
  sure: sureFigure,
  weights: weightsFigure,
  purchase: purchaseFigure,
  fever: feverFigure,
};
