/** A sweep on the screen. */
import { lazyPart } from "../../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../../strings.ts";
import type { CellScreen } from "../screen.ts";

export const sweepScreen: CellScreen = {
  Content: lazyPart("SweepCell", () => import("./SweepCell.tsx"), appWords.loadingCurves),
};
