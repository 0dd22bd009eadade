/** The panel cell, and the playground, a panel that a cell need not name. */
import { readFields } from "../../../../notebook/cellFields.ts";
import { lazyPart } from "../../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../../strings.ts";
import type { CellScreen, ContentProps } from "../screen.ts";

const PanelCell = lazyPart("PanelCell", () => import("./PanelCell.tsx"), appWords.loading);

export const panelScreen: CellScreen = { Content, writesItself: true };

function Content({ cell }: ContentProps) {
  return <PanelCell cell={cell} fields={readFields("panel", cell.body).value} />;
}

export const playgroundScreen: CellScreen = { Content: Playground };

function Playground({ cell }: ContentProps) {
  const fields = readFields("playground", cell.body).value;
  return (
    <PanelCell cell={cell} fields={fields && { panel: "playground", settings: {}, ...fields }} />
  );
}
