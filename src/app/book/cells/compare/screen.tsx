/** A comparison on the screen. */
import { readFields } from "../../../../notebook/cellFields.ts";
import { lazyPart } from "../../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../../strings.ts";
import type { CellScreen, ContentProps } from "../screen.ts";

const CompareCell = lazyPart(
  "CompareCell",
  () => import("./CompareCell.tsx"),
  appWords.loadingCurves,
);

export const compareScreen: CellScreen = {
  Content,
  shown: ({ body }, experiments) =>
    readFields("compare", body).value?.experiments ?? [...experiments.keys()],
};

function Content({ cell, experiments }: ContentProps) {
  return <CompareCell fields={readFields("compare", cell.body).value} experiments={experiments} />;
}
