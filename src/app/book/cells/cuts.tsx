/** The cell "Three ways to cut". */
import { readFields } from "../../../notebook/cellFields.ts";
import { lazyPart } from "../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../strings.ts";
import type { CellScreen, ContentProps } from "./screen.ts";

const CutsFigure = lazyPart(
  "CutsFigure",
  () => import("../../../panels/opening/CutsFigure.tsx"),
  appWords.loading,
);

export const cutsScreen: CellScreen = { Content, ownFigures: true };

function Content({ cell }: ContentProps) {
  return <CutsFigure file={readFields("cuts", cell.body).value?.figure ?? ""} />;
}
