/** The cell of a figure with handles. */
import { readFields } from "../../../../notebook/cellFields.ts";
import { lazyPart } from "../../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../../strings.ts";
import type { CellScreen, ContentProps } from "../screen.ts";

const ExploreFigure = lazyPart(
  "ExploreFigure",
  () => import("../../../../panels/explore/ExploreFigure.tsx"),
  appWords.loading,
);

export const exploreScreen: CellScreen = { Content };

function Content({ cell }: ContentProps) {
  const fields = readFields("explore", cell.body).value;
  return fields && <ExploreFigure {...fields} />;
}
