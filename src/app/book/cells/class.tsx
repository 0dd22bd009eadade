/** A class experiment on the screen. */
import { readFields } from "../../../notebook/cellFields.ts";
import { lazyPart } from "../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../strings.ts";
import type { CellScreen, ContentProps } from "./screen.ts";

const ClassCell = lazyPart(
  "ClassCell",
  () => import("../../lesson/ClassCell.tsx"),
  appWords.loading,
);

export const classScreen: CellScreen = { Content };

function Content({ cell }: ContentProps) {
  const fields = readFields("class", cell.body).value;
  return fields && <ClassCell fields={fields} />;
}
