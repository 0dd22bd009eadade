/** The curves cell. */
import { readFields } from "../../../notebook/cellFields.ts";
import { lazyPart } from "../../../ui/parts/lazyPart.tsx";
import { afterPaint } from "../../afterPaint.tsx";
import { appWords } from "../../strings.ts";
import type { CellScreen, ContentProps } from "./screen.ts";

const CurvesPanel = afterPaint(
  lazyPart(
    "CurvesPanel",
    () => import("../../../panels/curves/CurvesPanel.tsx"),
    appWords.loadingCurves,
  ),
);

export const curvesScreen: CellScreen = { Content };

function Content({ cell }: ContentProps) {
  return <CurvesPanel metrics={readFields("curves", cell.body).value?.metrics?.join(",")} />;
}
