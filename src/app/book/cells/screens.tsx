/** The table of what kinds of cells are on the screen: an entry each. */
import { readFields } from "../../../notebook/cellFields.ts";
import type { CellType } from "../../../notebook/cells/kinds.ts";
import { lazyPart } from "../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../strings.ts";
import { curvesScreen } from "./curves.tsx";
import { cutsScreen } from "./cuts.tsx";
import { experimentScreen } from "./experiment/screen.tsx";
import { exploreScreen } from "./explore/screen.tsx";
import { openingScreen } from "./opening.tsx";
import { panelScreen, playgroundScreen } from "./panel/screen.tsx";
import type { CellScreen } from "./screen.ts";

const { loading, loadingCurves } = appWords;

const SCREENS: Readonly<Record<CellType, CellScreen>> = {
  experiment: experimentScreen,
  panel: panelScreen,
  curves: curvesScreen,
  compare: {
    Content: lazyPart("CompareCell", () => import("./compare/CompareCell.tsx"), loadingCurves),
    shown: ({ body }, experiments) =>
      readFields("compare", body).value?.experiments ?? [...experiments.keys()],
  },
  sweep: { Content: lazyPart("SweepCell", () => import("./sweep/SweepCell.tsx"), loadingCurves) },
  playground: playgroundScreen,
  quiz: { Content: lazyPart("QuizCell", () => import("./quiz/QuizCell.tsx"), loading) },
  code: {
    Content: lazyPart("CodeContent", () => import("./code/CodeContent.tsx"), loading),
    Tools: lazyPart("Defines", () => import("./code/Defines.tsx"), loading),
  },
  input: { Content: lazyPart("InputCell", () => import("./InputCell.tsx"), loading) },
  explore: exploreScreen,
  class: { Content: lazyPart("ClassCell", () => import("../../lesson/ClassCell.tsx"), loading) },
  // It makes the notebook a lesson, and shows nothing itself.
  lesson: {},
  turns: {
    Content: lazyPart("TurnsCell", () => import("./TurnsCell.tsx"), loading),
  },
  cuts: cutsScreen,
  opening: openingScreen,
};

export function screenOf(type: CellType): CellScreen {
  return SCREENS[type];
}
