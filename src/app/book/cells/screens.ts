/** The table of what kinds of cells are on the screen: a line each. */
import type { CellType } from "../../../notebook/cells/kinds.ts";
import { classScreen } from "./class.tsx";
import { codeScreen } from "./code/screen.tsx";
import { compareScreen } from "./compare/screen.tsx";
import { curvesScreen } from "./curves.tsx";
import { cutsScreen } from "./cuts.tsx";
import { experimentScreen } from "./experiment/screen.tsx";
import { exploreScreen } from "./explore/screen.tsx";
import { openingScreen } from "./opening.tsx";
import { panelScreen, playgroundScreen } from "./panel/screen.tsx";
import { quizScreen } from "./quiz/screen.tsx";
import type { CellScreen } from "./screen.ts";
import { sweepScreen } from "./sweep/screen.tsx";
import { turnsScreen } from "./turns.tsx";

const SCREENS: Readonly<Record<CellType, CellScreen>> = {
  experiment: experimentScreen,
  panel: panelScreen,
  curves: curvesScreen,
  compare: compareScreen,
  sweep: sweepScreen,
  playground: playgroundScreen,
  quiz: quizScreen,
  code: codeScreen,
  explore: exploreScreen,
  class: classScreen,
  // It makes the notebook a lesson, and shows nothing itself.
  lesson: {},
  turns: turnsScreen,
  cuts: cutsScreen,
  opening: openingScreen,
};

export function screenOf(type: CellType): CellScreen {
  return SCREENS[type];
}
