/** All figures with handles, by the name that a cell gives. */
import { shapingFigure, sureFigure, truthFigure } from "./certaintyFigures.ts";
import { backwardsFigure, groupFigure, reachFigure, rewardFigure } from "./creditFigures.ts";
import type { Exploration } from "./exploration.ts";
import { clipFigure, driftFigure, levelsFigure, weightsFigure } from "./ratioFigures.ts";
import { reuseFigure } from "./reuseFigure.ts";
import { luckFigure, poolFigure } from "./truthFigures.ts";

export const explorations: Readonly<Record<string, Exploration>> = {
  reward: rewardFigure,
  group: groupFigure,
  backwards: backwardsFigure,
  reach: reachFigure,
  clip: clipFigure,
  levels: levelsFigure,
  truth: truthFigure,
  luck: luckFigure,
  pool: poolFigure,
  drift: driftFigure,
  reuse: reuseFigure,
  shaping: shapingFigure,
  sure: sureFigure,
  weights: weightsFigure,
};
