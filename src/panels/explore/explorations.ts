/** All figures with handles, by the name that a cell gives. */
import { shapingFigure, sureFigure, truthFigure } from "./certaintyFigures.ts";
import { clocksFigure } from "./clockFigure.ts";
import { backwardsFigure, groupFigure, reachFigure, rewardFigure } from "./creditFigures.ts";
import type { Exploration } from "./exploration.ts";
import { guessFigure } from "./guessFigure.ts";
import { clipFigure, driftFigure, weightsFigure } from "./ratioFigures.ts";
import { temperatureFigure } from "./tokenFigures.ts";
import { baselineFigure, bootstrapFigure } from "./sampleFigures.ts";
import { telescopeFigure } from "./shapingFigures.ts";

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
  temperature: temperatureFigure,
  guess: guessFigure,
  clocks: clocksFigure,
  telescope: telescopeFigure,
  baseline: baselineFigure,
  bootstrap: bootstrapFigure,
};
