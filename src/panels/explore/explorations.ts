/** All interactive figures, by their names in cells. */
import { shapingFigure, sureFigure, truthFigure } from "./certaintyFigures.ts";
import { clocksFigure } from "./clockFigure.ts";
import { klFigure, passFigure, tiltFigure } from "./closeFigures.ts";
import { contextFigure, cutFigure, maskFigure } from "./contextFigures.ts";
import { backwardsFigure, groupFigure, reachFigure, rewardFigure } from "./creditFigures.ts";
import type { Exploration } from "./exploration.ts";
import { guessFigure } from "./guessFigure.ts";
import { clipFigure, driftFigure, levelsFigure, weightsFigure } from "./ratioFigures.ts";
import { temperatureFigure } from "./tokenFigures.ts";
import { baselineFigure, bootstrapFigure } from "./sampleFigures.ts";
import { telescopeFigure } from "./shapingFigures.ts";
import { reuseFigure } from "./reuseFigure.ts";
import { lengthFigure, worthFigure } from "./thoughtFigures.ts";
import { luckFigure, poolFigure } from "./truthFigures.ts";
import { feverFigure, purchaseFigure } from "./practiceFigures.ts";
import { batchesFigure, objectiveFigure, pushFigure } from "./weightFigures.ts";

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
  temperature: temperatureFigure,
  guess: guessFigure,
  clocks: clocksFigure,
  telescope: telescopeFigure,
  baseline: baselineFigure,
  bootstrap: bootstrapFigure,
  purchase: purchaseFigure,
  fever: feverFigure,
  push: pushFigure,
  batches: batchesFigure,
  objective: objectiveFigure,
  context: contextFigure,
  mask: maskFigure,
  cut: cutFigure,
  worth: worthFigure,
  length: lengthFigure,
  kl: klFigure,
  tilt: tiltFigure,
  pass: passFigure,
};
