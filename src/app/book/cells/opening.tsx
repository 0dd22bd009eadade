/** The opening figure on the screen. */
import { readFields } from "../../../notebook/cellFields.ts";
import { OpeningFigure } from "../../../panels/opening/OpeningFigure.tsx";
import { lazyPart } from "../../../ui/parts/lazyPart.tsx";
import { afterPaint } from "../../afterPaint.tsx";
import { useRunTime } from "../../runTime.ts";
import { appWords } from "../../strings.ts";
import type { CellScreen, ContentProps } from "./screen.ts";

/** Charts are heavy; the strip is seen before them. */
const OpeningCurves = afterPaint(
  lazyPart(
    "OpeningCurves",
    () => import("../../../panels/curves/OpeningCurves.tsx"),
    appWords.loadingCurves,
  ),
);

export const openingScreen: CellScreen = {
  Content,
  className: "opening",
  hasButton: true,
  ownFigures: true,
};

function Content({ cell }: ContentProps) {
  const { figure = "", note = "" } = readFields("opening", cell.body).value ?? {};
  const takes = useRunTime();
  return <OpeningFigure file={figure} note={note} takes={takes} curves={<OpeningCurves />} />;
}
